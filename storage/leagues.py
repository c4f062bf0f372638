"""Leagues and their seasons in SQL."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from sqlalchemy import bindparam, exists, func, or_, select, update

from play.competitions.league import League, LeagueNotice, Member, NoticeKind, Presence
from play.competitions.season import Division, LeagueGame, LeagueSeat, Season, SeasonId
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.posts import PostKind
from storage import schema
from storage.competition_rows import (
    IS_UNDECIDED,
    Found,
    Rows,
    add_rows,
    change_rows,
    competition,
    entrant,
    find_rows,
    game,
    match,
    points_values,
    post,
    post_values,
    read_points,
    with_competition,
)
from storage.competitions import IS_OF_OPEN, OF_MATCH, CompetitionReader, CompetitionRepository, select_to_update
from storage.errors import Stale
from storage.statements import AnyRow, Values
from storage.terms import read_terms, terms_values

SEASON: Final = "season"
"""The kind of seasons, which are competitions of their own: that of a league is over before it is."""

_SETTINGS: Final = ("begins", "seasons", "pins", "closed")
"""Fields that the document has as they are."""

_present_games = (
    select(competition.league)
    .join_from(schema.game, schema.competition, with_competition(schema.game))
    .join(schema.match, match.id == game.match)
    .where(game.kind == SEASON, IS_UNDECIDED, competition.open)
)
_of_guild = competition.league == bindparam("guild")
_ENDED = _present_games.with_only_columns(game.match, maintain_column_froms=True).where(
    _of_guild, match.ended.is_not(None)
)
_league = select(competition.league).where(with_competition(schema.game)).scalar_subquery()
_WITH_ENDED = (
    select(_league.label("league"))
    .join_from(schema.game, schema.match, match.id == game.match)
    .where(game.kind == SEASON, game.match.is_not(None), IS_UNDECIDED, match.ended.is_not(None), IS_OF_OPEN)
)
_GAMES_OF = (
    _present_games.with_only_columns(match.id, match.channel, maintain_column_froms=True)
    .join(schema.entrant, (entrant.kind == game.kind) & (entrant.number == game.number))
    .where(_of_guild, entrant.user == bindparam("user"), or_(game.first == entrant.place, game.second == entrant.place))
    .order_by(match.id)
)
_SEASON = select(competition.number).where(
    _of_guild, competition.kind == SEASON, competition.head["number"].as_integer() == bindparam("season")
)
_other = schema.entrant.alias().c
_is_divided = exists().where(_other.kind == entrant.kind, _other.number == entrant.number, _other.group > 0)
_BEST_DIVISION = (
    select(func.min(entrant.group).label("best"))
    .join_from(schema.entrant, schema.competition, with_competition(schema.entrant))
    .where(entrant.user == bindparam("user"), entrant.kind == PostKind.LEAGUE.value, competition.open, _is_divided)
)
_OF_MATCH = OF_MATCH.with_only_columns(competition.league).join(schema.competition, with_competition(schema.entrant))
_OF_SEASON = (competition.kind == SEASON) & (competition.number == bindparam("season"))
_END_SEASON = update(schema.competition).where(_OF_SEASON).values(open=False)
_FORGET_MESSAGE = (
    update(schema.kept_post)
    .where(post.kind == PostKind.LEAGUE.value, post.number == bindparam("of_guild"))
    .values(message=None, pinned=None)
)


class LeagueReader(CompetitionReader[GuildId, League]):
    """Leagues with their present seasons, as reads see them; also those that are closed."""

    __slots__ = ()

    kind = PostKind.LEAGUE.value
    selects_to_update = select_to_update(_WITH_ENDED)

    async def get(self, number: GuildId) -> League | None:
        found = await find_rows(self._sql, self.kind, number)
        if found is None:
            return None
        present = found.row.head["season"]
        return replace(self.read(found), season=None if present is None else await self._season(present))

    def read(self, found: Found) -> League:
        row, head = found.row, found.row.head
        return League(
            row.guild,
            row.channel,
            row.host,
            read_terms(head["terms"]),
            members=tuple(
                Member(each.user, each.since, Presence(each.presence), each.group) for each in found.entrants
            ),
            next_terms=None if (following := head.get("next_terms")) is None else read_terms(following),
            former=None if (former := head.get("former")) is None else (former[0], former[1]),
            message=row.message,
            pinned=row.pinned,
            version=row.version,
            changed=row.wanted,
            notices=tuple(LeagueNotice(NoticeKind(kind), *which) for kind, *which in head["notices"]),
            announced=row.announced,
            shown=row.shown,
            edits=row.edits,
            **{name: head[name] for name in _SETTINGS},
        )

    async def of_match(self, match: MatchId, players: Sequence[UserId]) -> League | None:
        row = await self._sql.first(_OF_MATCH, of_kind=SEASON, match=match, one=players[0], other=players[-1])
        return row and await self.get(row.league)

    async def season(self, guild: GuildId, number: int) -> Season | None:
        """Returns a season of a server's league, the present or an earlier one."""
        row = await self._sql.first(_SEASON, guild=guild, season=number)
        return None if row is None else await self._season(row.number)

    async def best_division(self, user: UserId) -> int | None:
        """Returns the highest division of a user in any league, from 0; None without one. A league of one division does
        not count: a few accounts of one person would make it."""
        found: int | None = await self._sql.value(_BEST_DIVISION, user=user)
        return found

    async def places_of(self, guild: GuildId, user: UserId) -> dict[MatchId, ChannelId]:
        """Returns the running games of a user in the present season, with their threads."""
        return {row.id: row.channel for row in await self._sql.all(_GAMES_OF, guild=guild, user=user)}

    async def ended(self, guild: GuildId) -> set[MatchId]:
        """Returns the matches of the present season that are over and not counted yet."""
        return {row.match for row in await self._sql.all(_ENDED, guild=guild)}

    async def _season(self, number: SeasonId) -> Season | None:
        found = await find_rows(self._sql, SEASON, number, posted=False)
        return None if found is None else _read_season(found)


class LeagueRepository(LeagueReader, CompetitionRepository[GuildId, League]):
    """Leagues, as a transaction writes them."""

    __slots__ = ()

    def write(self, value: League) -> Rows:
        head = {name: getattr(value, name) for name in _SETTINGS} | {
            "terms": terms_values(value.terms),
            "next_terms": None if value.next_terms is None else terms_values(value.next_terms),
            "former": value.former,
            "season": None if value.season is None else value.season.id,
            "notices": [(each.kind, each.season, each.version, each.game) for each in value.notices],
        }
        row = {"version": value.version, "head": head, "open": not value.closed, "due": value.due}
        members: list[Values] = [
            {"user": each.user, "since": each.joined, "presence": each.presence, "group": each.division}
            for each in value.members
        ]
        place = value.guild, value.channel, value.keeper
        return Rows(row, [post_values(*place, value.changed, at_once=not value.edits)], members, [])

    def number_of(self, value: League) -> int:
        return value.guild

    async def add(self, value: League) -> League:
        """Stores a new league, in place of a closed one, whose seasons stay. Raises Stale if the server has one."""
        await self.lock()
        old = await self.get(value.guild)
        if old is None:
            added = replace(value, version=0, changed=0)
            await add_rows(self._sql, self.kind, added.guild, self.write(added))
            return added
        if not old.closed:
            raise Stale
        stored = replace(value, seasons=old.seasons, announced=old.announced, shown=old.shown, changed=old.version + 1)
        await self._sql.execute(_FORGET_MESSAGE, {"of_guild": value.guild})
        return await self.save(stored, old)

    async def save(self, changed: League, before: League) -> League:
        """Stores a changed league as its next version; `before` is what is stored. A new season gets its id. Raises
        Stale if it has changed otherwise."""
        edits = Millis(0) if changed.pending_notices else changed.edits
        season = await self._save_season(changed, before.season)
        return await super().save(replace(changed, season=season, edits=edits), before)

    async def _save_season(self, league: League, before: Season | None) -> Season | None:
        """Stores the present season, and that the one `before` it is over; returns it with its id."""
        season = league.season
        if before is not None and (season is None or season.id != before.id):
            await self._sql.execute(_END_SEASON, {"season": before.id})
            before = None
        if season is None or season == before:
            return season
        rows = _season_rows(league, season)
        if before is None:
            return replace(season, id=SeasonId(await add_rows(self._sql, SEASON, None, rows)))
        await change_rows(self._sql, SEASON, season.id, rows, _season_rows(league, before))
        return season


def _season_rows(league: League, season: Season) -> Rows:
    head = {
        "number": season.number,
        "begins": season.begins,
        "ends": season.ends,
        "levels": [division.level for division in season.divisions],
    }
    places = {user: place for place, user in enumerate(season.users)}
    seats: list[Values] = [
        {"user": seat.user, "group": group, "left": seat.left}
        for group, division in enumerate(season.divisions)
        for seat in division.seats
    ]
    games = [
        _game_values(each, group, places) for group, division in enumerate(season.divisions) for each in division.games
    ]
    return Rows({"version": 0, "head": head, "open": True, "league": league.guild}, [], seats, games)


def _game_values(played: LeagueGame, group: int, places: dict[UserId, int]) -> Values:
    return {
        "group": group,
        "round": played.round,
        "first": places[played.first],
        "second": places[played.second],
        "begins": played.begins,
        "match": played.match,
        **points_values(played.points),
        "taken": None if played.taken is None else places[played.taken],
        "unplayed": played.unplayed,
    }


def _read_season(found: Found) -> Season:
    head, users = found.row.head, [each.user for each in found.entrants]
    seats, games = (
        {group: [*rows] for group, rows in groupby(part, key=lambda row: row.group)}
        for part in (found.entrants, found.games)
    )
    divisions = tuple(
        Division(
            tuple(LeagueSeat(each.user, each.left) for each in seats[group]),
            tuple(_read_game(each, users) for each in games.get(group, ())),
            level,
        )
        for group, level in enumerate(head["levels"])
    )
    return Season(found.row.number, head["number"], head["begins"], head["ends"], divisions)


def _read_game(row: AnyRow, users: list[UserId]) -> LeagueGame:
    taken = None if row.taken is None else users[row.taken]
    players = users[row.first], users[row.second]
    return LeagueGame(row.round, *players, row.begins, row.match, read_points(row), taken, row.unplayed)
