"""Reads what the home page of a player shows: their own games and challenges, and what goes on in their servers."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from play.challenge.challenge import Challenge
from play.community.daily import Run
from play.community.home import MAX_TOURNAMENTS, WEEK_MILLIS, HomeGame, HomeOffer, HomeTournament, OfferKind
from play.community.lesson import PathProgress
from play.community.puzzle import Attempt, Puzzle, puzzle_day
from play.community.rush import Rush
from play.competitions.contest import ContestId
from play.competitions.league import Presence
from play.competitions.tournament import TournamentId
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId, is_person
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.career import FinishedMatch, Visibility
from play.people.settings import Block, PlayerSettings
from play.ratings.leaderboard import Leader, Scorer, Season
from storage import Database
from storage.unit_of_work import Reader
from use_cases.exercises import read_streak
from use_cases.homes import read_offers

MAX_BOARDS = 12
"""Games that are shown with their boards, as many as `/games` lists: each board is a match to read."""

MAX_CHALLENGES, MAX_FINISHED = 20, 6
"""Challenges and finished games that are shown."""

FINISHED_PER_PAGE, MAX_START = 12, 10_000
"""Finished games that are shown on top of those, and how far back they are looked for."""

MAX_SERVERS, MAX_CHANNELS, MAX_AROUND = 3, 8, 6
"""Servers that are looked at, channels of a server of which the chat is asked, and games and challenges of a server."""

MAX_FRIENDS, MAX_LATEST = 40, 50
"""People whom one may challenge by name, and latest games in which they are looked for."""

Sees = Callable[[GuildId, ChannelId, UserId], Awaitable[bool]]
"""Returns whether a user sees a channel of a server. Raises Refused (`chat_away`)."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """A player's own part of their home at `now`: open `games` in the order of `/games`, of which the first ones have
    `boards`; challenges that wait for their answer, and their other open ones; the games that ended last, of which it
    `has_more`. `daily` is their way through today's puzzles, None if not begun, with their `streak` once it is over,
    `rush` their last ten in a row, and `lessons` their path; so many of their own mistakes are `due`, of all that are
    `returning`."""

    user: UserId
    now: Millis
    settings: PlayerSettings
    games: tuple[OpenMatch, ...]
    boards: dict[MatchId, Match]
    asked: tuple[Challenge, ...]
    offered: tuple[Challenge, ...]
    finished: tuple[FinishedMatch, ...]
    has_more: bool
    daily: Run | None
    streak: int
    rush: Rush | None
    lessons: PathProgress
    due: int
    returning: int

    @property
    def waiting(self) -> list[OpenMatch]:
        """Returns the games in which the player is to move, the most urgent first."""
        return [each for each in self.games if each.waits_for(self.user)]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A server around a player, of which they see at least the channel `door`: open challenges that they may accept,
    and games that they may watch; so many users are `watching` them. They may take part in what there are `offers` of,
    as they do in those of `joined`. `puzzle` is that of the server's day, if they see its post, and `attempt` their
    first try. It `has_profile` if they have finished a game there. All is as it is `now`."""

    guild: GuildId
    door: ChannelId
    challenges: tuple[Challenge, ...]
    games: tuple[HomeGame, ...]
    watching: Mapping[MatchId, int]
    tournaments: tuple[HomeTournament, ...]
    offers: tuple[HomeOffer, ...]
    joined: Set[HomeOffer]
    has_profile: bool
    puzzle: Puzzle | None
    attempt: Attempt | None
    now: Millis


async def load_lobby(store: Database, user: UserId) -> Lobby:
    """Returns a player's own part of their home. It costs no more statements than `/games`, however many games there
    are."""
    async with store.read() as reader:
        now, settings = await reader.clock.now(), await reader.people.get(user)
        games = await reader.matches.open_of(user)
        await asyncio.sleep(0)  # each half takes milliseconds, and others have their turn in between
        boards = await reader.matches.of_ids([each.id for each in games[:MAX_BOARDS]])
        involving = await reader.challenges.involving(user, MAX_CHALLENGES)
        finished = await reader.careers.finished(user, 0, MAX_FINISHED + 1)
        daily = await reader.dailies.run(puzzle_day(now), user)
        streak = await read_streak(reader, user, now) if daily and daily.over else 0
        rush, lessons = await reader.rushes.of_user(user), PathProgress(await reader.lessons.of_user(user))
        returning = await reader.past_mistakes.count(user)
        due = await reader.past_mistakes.count_due(user, settings.local_day(now)) if returning else 0
    standing = [each for each in involving if each.expires > now and each.message is not None]
    return Lobby(
        user=user,
        now=now,
        settings=settings,
        games=tuple(games),
        boards=boards,
        asked=tuple(each for each in standing if each.awaits(user)),
        offered=tuple(each for each in standing if not each.awaits(user)),
        finished=tuple(finished[:MAX_FINISHED]),
        has_more=len(finished) > MAX_FINISHED,
        daily=daily,
        streak=streak,
        rush=rush,
        lessons=lessons,
        due=due,
        returning=returning,
    )


async def load_finished(store: Database, user: UserId, start: int) -> tuple[list[FinishedMatch], int | None]:
    """Returns a page of a player's finished games from the game `start` on, the latest first, and where the next page
    begins; None where there is none."""
    start = min(start, MAX_START)
    async with store.read() as reader:
        found = await reader.careers.finished(user, start, FINISHED_PER_PAGE + 1)
    end = start + FINISHED_PER_PAGE
    return found[:FINISHED_PER_PAGE], end if len(found) > FINISHED_PER_PAGE and end < MAX_START else None


async def load_surroundings(
    store: Database, sees: Sees, user: UserId, here: tuple[GuildId, ChannelId] | None
) -> list[Surroundings]:
    """Returns what goes on in the server of the channel `here`, or without one in those where the player has played
    last: of channels that they see, and nothing of players with whom they have a block. A server of which they see no
    channel is left out. Raises Refused (`chat_away`)."""
    async with store.read() as reader:
        now = await reader.clock.now()
        places = [here] if here is not None else await _latest_places(reader, user)
        guilds = list(dict.fromkeys(guild for guild, _ in places))[:MAX_SERVERS]
        named = {each: await reader.homes.channels(each, Millis(now - WEEK_MILLIS), MAX_CHANNELS) for each in guilds}
        puzzles = {each: await reader.puzzles.of_day(each, puzzle_day(now)) for each in guilds}
    found = []
    for guild, channels in named.items():
        latest = next(channel for its, channel in places if its == guild)
        seen = [each for each in dict.fromkeys((latest, *channels)) if await sees(guild, each, user)]
        puzzle = puzzles[guild]
        if puzzle is None or puzzle.channel is None or not await sees(guild, puzzle.channel, user):
            puzzle = None
        if seen:
            async with store.read() as reader:
                found.append(await _read_surroundings(reader, guild, seen, puzzle, user, now))
    return found


async def load_friends(store: Database, user: UserId, guilds: Collection[GuildId]) -> dict[UserId, set[GuildId]]:
    """Returns whom a player may challenge by name on servers: those with whom they have played there, the latest first,
    then those on the leaderboards. Nobody with whom they have a block is among them."""
    found: dict[UserId, set[GuildId]] = {}
    async with store.read() as reader:
        season = Season.at(await reader.clock.now())
        for played in await _latest_games(reader, user, MAX_LATEST):
            if played.guild is not None and played.guild in guilds:
                for each in played.players:
                    found.setdefault(each, set()).add(played.guild)
        for guild in guilds:
            pool, is_rated = await reader.homes.main_pool(guild, str(season)) or (None, False)
            if pool is not None:
                boards = reader.leaderboards
                lines: Sequence[Leader | Scorer] = (
                    await boards.leaders(pool, guild, 0, MAX_FRIENDS)
                    if is_rated
                    else await boards.scorers(season, pool, guild, 0, MAX_FRIENDS)
                )
                for line in lines:
                    found.setdefault(line.user, set()).add(guild)
        people = [each for each in found if is_person(each) and each != user][:MAX_FRIENDS]
        blocks = await reader.blocks.among({user, *people})
    apart = _apart_from(user, blocks)
    return {each: found[each] for each in people if each not in apart}


async def latest_places(store: Database, user: UserId) -> list[tuple[GuildId, ChannelId]]:
    """Returns the channels of servers where a player has played last, threads by the channel in which they hang."""
    async with store.read() as reader:
        return await _latest_places(reader, user)


async def _latest_places(reader: Reader, user: UserId) -> list[tuple[GuildId, ChannelId]]:
    played = await _latest_games(reader, user, MAX_FINISHED)
    places = ((each.guild, each.parent or each.channel) for each in played)
    return list(dict.fromkeys((guild, channel) for guild, channel in places if guild is not None))[:MAX_CHANNELS]


async def _latest_games(reader: Reader, user: UserId, limit: int) -> list[OpenMatch | FinishedMatch]:
    """Returns a player's open games, and so many finished ones."""
    return [*await reader.matches.open_of(user), *await reader.careers.finished(user, 0, limit)]


async def _read_surroundings(
    reader: Reader, guild: GuildId, channels: Sequence[ChannelId], puzzle: Puzzle | None, user: UserId, now: Millis
) -> Surroundings:
    challenges = await reader.challenges.open_to_all(guild, MAX_CHALLENGES, channels)
    games = await reader.homes.games(guild, channels, MAX_CHALLENGES)
    people = {user, *(each.challenger for each in challenges), *(player for each in games for player in each.players)}
    blocks = await reader.blocks.among(people)
    apart = _apart_from(user, blocks)
    watched = [each for each in games if apart.isdisjoint(each.players) and user not in each.players][:MAX_AROUND]
    spectators = await reader.web.watching([each.id for each in watched], now)
    tournaments = tuple(await reader.homes.tournaments(guild, channels, MAX_TOURNAMENTS))
    offers = await read_offers(reader, guild, tournaments, {*channels}, now)
    offers = tuple(each for each in offers if apart.isdisjoint(each.players) and user not in each.players)
    return Surroundings(
        guild,
        channels[0],
        tuple(each for each in challenges if _may_accept(each, user, now) and each.challenger not in apart)[
            :MAX_AROUND
        ],
        tuple(watched),
        {match: len(users) for match, users in spectators.items()},
        tournaments,
        offers,
        {each for each in offers if await _takes_part(reader, guild, each, user)},
        bool(await reader.careers.finished(user, 0, 1, sight=Visibility(guild=guild))),
        puzzle,
        None if puzzle is None else await reader.puzzles.attempt(puzzle.id, user),
        now,
    )


def _apart_from(user: UserId, blocks: Iterable[Block]) -> set[UserId]:
    """Returns with whom a user has a block, which either of them has made."""
    return {each.blocked if each.user == user else each.user for each in blocks if user in (each.user, each.blocked)}


async def _takes_part(reader: Reader, guild: GuildId, offer: HomeOffer, user: UserId) -> bool:
    match offer.kind:
        case OfferKind.TOURNAMENT:
            tournament = await reader.tournaments.get(TournamentId(offer.number))
            return tournament is not None and user in tournament.playing
        case OfferKind.CONTEST:
            contest = await reader.contests.get(ContestId(offer.number))
            return contest is not None and contest.number_of(user) is not None
        case OfferKind.LEAGUE:
            league = await reader.leagues.get(guild)
            members = league.members if league else ()
            return any(each.user == user and each.presence is Presence.PLAYING for each in members)
        case OfferKind.LADDER:
            ladder = await reader.ladders.get(guild)
            return ladder is not None and user in ladder.present
        case OfferKind.VOTE | OfferKind.PREDICTION:
            return False  # each move, and each game, is a question of its own


def _may_accept(challenge: Challenge, user: UserId, now: Millis) -> bool:
    """Returns whether a user may take a seat in a challenge, as far as their rating has no say."""
    return challenge.expires > now and user not in (challenge.challenger, *challenge.joined)
