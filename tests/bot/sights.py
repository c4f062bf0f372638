"""The table of who sees what of whom in docs/security.md, and players of whom there is something to see everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from sqlalchemy import update

from loopback import Channel, Permission, Person
from play.challenge.challenge import Challenge
from play.challenge.pool import Pool
from play.challenge.terms import Owner, Terms
from play.clock import parse_control
from play.community.ban import Ban
from play.community.exercises import first_set
from play.community.prediction import Prediction, Result
from play.community.puzzle import Attempt, Puzzle, PuzzleId, puzzle_day
from play.community.rush import LENGTH, Rush, rush_week
from play.competitions import league as leagues
from play.competitions.ladder import Ladder, Rung
from play.competitions.league import League, first_season
from play.competitions.season import Season as LeagueSeason
from play.competitions.tournament import Entrant, Format, Stage, Tournament, TournamentId
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, RuleSetId, UserId
from play.match import moves
from play.match.match import Match
from play.ratings.glicko import Rating
from play.ratings.leaderboard import Season
from play.ratings.settlement import RatingChange, Weight
from rules.game import AnyGame
from rules.registry import make_game
from storage import schema
from tests.bot.room import Room
from tests.matches import discard_boards

PAGE: Final = Path(__file__).parents[2] / "docs" / "security.md"
ELSEWHERE: Final = GuildId(8)
RELATIONS: Final = ("stranger", "member", "opponent", "yourself")
PLACES: Final = ("server", "DM", "group", "brought along")
HERE_POOL, ELSEWHERE_POOL = Pool.parse("dots-days"), Pool.parse("painted-days")
SMALL: Final = make_game("zagram", {"size": "9x9", "start": "empty"})
SHARED: Final = make_game("two-squares", {"size": "9x9", "start": "empty"})
"""The game that the viewer and the opponent have played; no other players play by these rules."""

MOVES: Final = ("e5", "e6", "f5", "f6")
_ROW = re.compile(r"^\| (?P<what>[^|]*`[^|]*) \| (?P<where>[^|]*) \|(?P<cells>.*) \|$", re.MULTILINE)
_matches, _sources, _channels = count(1), count(10**6), count(700_000)


def table() -> dict[tuple[str, str], dict[str, str]]:
    """Returns the table of the page: by what is asked and where, a cell for each relation."""
    found = {}
    for row in _ROW.finditer(PAGE.read_text(encoding="utf-8").partition("## Who sees what")[2]):
        cells = dict(zip(RELATIONS, (cell.strip() for cell in row["cells"].split("|")), strict=True))
        shown, _, suggested = row["what"].partition("uggestions of")
        keys = [*re.findall(r"`([^`]+)`", shown), *(f"{each} suggests" for each in re.findall(r"`([^`]+)`", suggested))]
        for key in keys:
            for where in row["where"].replace("group", "group, brought along").split(", "):
                assert (key, where) not in found, f"{key} is in two rows"
                found[key, where] = cells
    return found


@dataclass
class Subject:
    """A player of whom the viewer asks.

    `facts` are patterns, by name, of what can be seen of them. `games` are the numbers of their finished games by where
    they were played. `open` and `over` are channels with a game of theirs.
    """

    person: Person
    relation: str
    facts: dict[str, str]
    games: dict[str, MatchId]
    other: Person
    match: MatchId
    challenge: ChallengeId
    rule_set: RuleSetId
    open: Channel | None = None
    over: Channel | None = None

    def seen_in(self, text: str) -> set[str]:
        """Returns the facts that a text shows. The rules of a game are a fact only with the name of a player."""
        seen = {name for name, pattern in self.facts.items() if re.search(pattern, text)}
        return seen if "name" in seen else seen - {"together"}


class World:
    """The viewer, Kasia, and four subjects, in one of the places; `channel` has nothing to do with any of them."""

    def __init__(self, room: Room, place: str) -> None:
        self.room, self.place = room, place
        self.viewer = room.kasia
        self.guild = GuildId(room.discord.guild.id)
        self.people: list[Subject] = []
        self.channel: Channel
        self.puzzle: PuzzleId
        self.rush: Millis
        self.tournament: TournamentId

    async def fill(self) -> None:
        """Stores the games, ratings and lists of all four."""
        room = self.room
        for channel in (room.general, room.channel):
            room.discord.allow(channel, Permission.MANAGE_MESSAGES | Permission.MANAGE_GUILD, self.viewer)
        zoe = room.discord.invite("Zoe")
        subjects = zip((zoe, room.ola, room.maksim, room.kasia), RELATIONS, strict=True)
        for number, (person, relation) in enumerate(subjects):
            self.people.append(await self._add_subject(number, person, relation))
        await self._add_lists()
        self.channel = room.general
        if self.place == "DM":
            self.channel = self.viewer.open_dm()
        if self.place == "group":
            self.viewer.install()
            self.channel = room.discord.open_private(self.viewer, room.discord.invite("Nobody"), name="empty")
        if self.place == "brought along":
            room.discord.bring_along()

    async def _add_subject(self, number: int, person: Person, relation: str) -> Subject:
        room, user = self.room, UserId(person.id)
        here, away, private = (room.discord.invite(f"{name}{number}") for name in ("Here", "Away", "Private"))
        facts = {
            "name": rf"{re.escape(person.user.name)}|\b{person.id}\b",
            "here": here.user.name,
            "elsewhere": away.user.name,
            "private": private.user.name,
            "rating elsewhere": rf"\b17{number}2\b",
            "all quits": r"\bAbandoned 2 games" if relation != "stranger" else r"\bAbandoned ",
            "rule set": f"Rules of {number}",
            "all counts": rf"\b9{number} (?:rated )?games\b",
        }
        games = {
            "elsewhere": await self._add_finished((user, UserId(away.id)), ELSEWHERE),
            "private": await self._add_finished((user, UserId(private.id)), None),
        }
        await self._add_rating(games["elsewhere"], user, ELSEWHERE, ELSEWHERE_POOL, 1702 + 10 * number, number)
        await self._add_quit(user, UserId(away.id), ELSEWHERE)
        if relation != "stranger":
            games["here"] = await self._add_finished((user, UserId(here.id)), self.guild)
            await self._add_rating(games["here"], user, self.guild, HERE_POOL, 1601 + 10 * number, number)
            await self._add_quit(user, UserId(here.id), self.guild)
            facts |= {"rating here": rf"\b16{number}1\b", "quits here": r"\bAbandoned 1 game\b"}
        if relation == "opponent":
            games["together"] = await self._add_finished((user, UserId(self.viewer.id)), ELSEWHERE, SHARED)
            facts["together"] = room.services.languages.of()("preset.two-squares.name")
            await self._add_match((user, UserId(self.viewer.id)), ELSEWHERE, SHARED)
        match = await self._add_match((user, UserId(away.id)), ELSEWHERE)
        challenge = await self._add_challenge(user, UserId(away.id))
        own = await room.use_cases.rule_sets.make(Owner(user), user, f"Rules of {number}", SMALL, None)
        subject = Subject(person, relation, facts, games, here, match.id, challenge, own.id)
        await self._add_channels(subject, private)
        return subject

    async def _add_channels(self, subject: Subject, private: Person) -> None:
        """Makes the channels of this place in which they play and have played."""
        room, person = self.room, subject.person
        if self.place == "DM":
            if person.id != self.viewer.id:
                return
            channels, other, guild = [self.viewer.open_dm()] * 2, private, None
        elif self.place == "group":
            self.viewer.install()
            with_ = [person] if person.id != self.viewer.id else [private]
            names = [f"{name}-{person.id}" for name in ("open", "over")]
            channels = [room.discord.open_private(self.viewer, *with_, name=name) for name in names]
            other, guild = private, None
        elif subject.relation == "stranger" and self.place == "server":
            return
        else:
            channels = [room.discord.open_channel(f"{name}-{person.id}") for name in ("open", "over")]
            other, guild = subject.other if self.place == "server" else private, self.guild
        subject.open, subject.over = channels
        players = UserId(person.id), UserId(other.id)
        await self._add_finished(players, guild, channel=channels[1].id)
        if self.place != "DM":
            await self._add_match(players, guild, channel=channels[0].id, predictable=self.place == "server")

    async def _add_match(
        self,
        players: tuple[UserId, ...],
        guild: GuildId | None,
        game: AnyGame = SMALL,
        channel: int | None = None,
        *,
        predictable: bool = False,
    ) -> Match:
        """Stores an open match after a few moves, of which no board is posted."""
        match = Match.begin(
            MatchId(0),
            guild=guild,
            channel=ChannelId(channel or next(_channels)),
            parent=None,
            game=game,
            seed=0,
            players=players,
            control=parse_control("3d"),
            at=self.room.clock(),
            predictable=predictable,
        )
        async with self.room.services.store.write() as tx:
            match = await tx.matches.add(match)
            for move in MOVES:
                assert match.to_act is not None
                now, source = self.room.clock(), IdempotencyKey(next(_sources))
                match = moves.move(match, match.players[match.to_act], move, now, source)
                await tx.matches.save(match)
            await discard_boards(tx, match.id)
        return match

    async def _save_end(self, match: Match) -> MatchId:
        async with self.room.services.store.write() as tx:
            await tx.matches.save(match)
            await discard_boards(tx, match.id)
        return match.id

    async def _add_finished(
        self,
        players: tuple[UserId, ...],
        guild: GuildId | None,
        game: AnyGame = SMALL,
        channel: int | None = None,
    ) -> MatchId:
        match = await self._add_match(players, guild, game, channel)
        return await self._save_end(moves.resign(match, players[1], self.room.clock(), IdempotencyKey(next(_sources))))

    async def _add_quit(self, user: UserId, other: UserId, guild: GuildId) -> None:
        """Stores a match that `user` abandoned."""
        match = await self._add_match((user, other), guild)
        ended = moves.resign(match, user, self.room.clock(), IdempotencyKey(next(_sources)))
        await self._save_end(ended)
        async with self.room.services.store.write() as tx:
            own = schema.seat.c.match == match.id, schema.seat.c.user == user
            await tx.connection.execute(update(schema.seat).where(*own).values(quit=True))

    async def _add_rating(
        self, match: MatchId, user: UserId, guild: GuildId, pool: Pool, value: float, number: int
    ) -> None:
        """Stores a rating that leaderboards list, of many more games than the one on its server."""
        now = self.room.clock()
        before, after = Rating(), Rating(float(value), 60.0, 0.06, now)
        change = RatingChange(match, user, pool, now, 1, 1.0, Weight(1.0, ()), before, after, guild=guild)
        async with self.room.services.store.write() as tx:
            await tx.ratings.add_changes([change])
            connection = tx.connection
            for table, values in ((schema.rating, {"games": 90 + number}), (schema.standing, {"listed": True})):
                await connection.execute(update(table).where(table.c.user == user).values(**values))

    async def _add_challenge(self, user: UserId, other: UserId) -> ChallengeId:
        terms = Terms(SMALL, parse_control("3d"))
        challenge = Challenge(
            ChallengeId(0), self.guild, ChannelId(next(_channels)), user, other, terms, self.room.clock()
        )
        async with self.room.services.store.write() as tx:
            challenge = await tx.challenges.add(challenge)
            await tx.challenges.mark_card_posted(challenge.id, challenge.version, MessageId(1))
        return challenge.id

    async def _add_lists(self) -> None:
        """Stores ladder, league, puzzle, predictions and a tournament of the server, with all but the stranger."""
        there = [each for each in self.people if each.relation != "stranger"]
        users, now, terms = (
            [UserId(each.person.id) for each in there],
            self.room.clock(),
            Terms(SMALL, parse_control("3d")),
        )
        channel = ChannelId(self.room.channel.id)
        async with self.room.services.store.write() as tx:
            ladder = Ladder(self.guild, channel, terms)
            await tx.ladders.add(ladder)
            await tx.ladders.save(replace(ladder, rungs=tuple(Rung(user, now) for user in users[:2])), ladder)
            league = await tx.leagues.add(League(self.guild, channel, users[2], terms, first_season(now)))
            joined = league
            for user in (*users[:2], UserId(self.viewer.id)):
                joined = leagues.join(joined, user, now)
            begun = leagues.begin_season(joined, dict.fromkeys(joined.users, 1500.0), league.begins, computer=False)
            begun = await tx.leagues.save(replace(begun, season=_without_members(begun.season, there)), league)
            key = begun.post.key
            await tx.kept_posts.mark_announced(key, begun.notices[0].version)
            await tx.kept_posts.mark_shown(key, begun.version, MessageId(1), Millis(2 * now))
            source = there[0].games["here"]
            new = Puzzle(PuzzleId(0), self.guild, puzzle_day(now), source, 1, ("E5", "E6"), ("E5",), 0.0)
            self.puzzle = (await tx.puzzles.add(new)).id
            await tx.puzzles.mark_posted(self.puzzle, channel, MessageId(1))
            for user in users[:2]:
                await tx.bans.put(Ban(self.guild, user, users[2], now))
                await tx.puzzles.add_attempt(Attempt(self.puzzle, user, True, now))
            tasks, self.rush = tuple(task.id for task in first_set().values())[:LENGTH], now
            for user in (*users[:2], UserId(self.viewer.id)):
                ended = Rush(user, self.guild, now, tasks, 1500.0, (0,) * LENGTH, (True,) * LENGTH)
                await tx.rushes.save(ended)
                await tx.rushes.note_best(ended, self.guild, rush_week(now))
                await tx.predictions.save(Prediction(source, 0, user, self.guild, 1, 0, now))
            await tx.predictions.settle(source, Season.at(now), Result(1, 1))
            tournament = Tournament(
                TournamentId(0), self.guild, channel, users[0], "Cup", Format.SWISS, terms, now, 3, stage=Stage.SIGN_UP
            )
            tournament = await tx.tournaments.add(tournament)
            entered = replace(tournament, entrants=tuple(Entrant(user, 1500.0) for user in users[:2]))
            entered = await tx.tournaments.save(entered, tournament)
            await tx.kept_posts.mark_shown(entered.post.key, entered.version, MessageId(1))
            self.tournament = entered.id


def _without_members(season: LeagueSeason | None, people: list[Subject]) -> LeagueSeason:
    """Returns a season without games of members who are no opponents of the viewer."""
    assert season is not None
    members = {each.person.id for each in people if each.relation == "member"}
    [division] = season.divisions
    games = tuple(game for game in division.games if not members.intersection(game.users))
    return replace(season, divisions=(replace(division, games=games),))
