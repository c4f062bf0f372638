"""Leagues in SQL: one row, and one for each member, season, seat and game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from sqlalchemy import and_, bindparam, delete, exists, func, insert, or_, select, union, update

from play.competitions.league import League, LeagueNotice, Member, NoticeKind, Presence
from play.competitions.season import Division, LeagueGame, LeagueSeat, Season, SeasonId
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from storage import schema
from storage.errors import Stale
from storage.schema.leagues import UNSHOWN
from storage.statements import AnyRow, Repository, Values
from storage.terms import read_terms, terms_values

_league = schema.league.c
_member = schema.league_member.c
_season = schema.league_season.c
_seat = schema.league_seat.c
_game = schema.league_game.c
_match = schema.match.c

_TO_UPDATE = union(
    select(_league.guild).where(_league.due <= bindparam("now")),
    select(_league.guild).where(UNSHOWN, _league.edits <= bindparam("now")),
    select(_season.guild)
    .join_from(schema.league_game, schema.league_season)
    .join(schema.match, _match.id == _game.match)
    .join(schema.league, and_(_league.guild == _season.guild, _league.season == _season.id))
    .where(_game.first_points.is_(None), _match.ended.is_not(None)),
).limit(bindparam("limit"))
"""Leagues that are due, those that are shown as they were, and those with a season in which a game is over."""


class LeagueReader(Repository):
    """Leagues, as reads see them."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> League | None:
        """Returns the league of a server with its present season, also one that is closed."""
        row = await self._sql.first(select(schema.league).where(_league.guild == guild))
        if row is None:
            return None
        members = await self._sql.all(
            select(schema.league_member).where(_member.guild == guild).order_by(_member.number)
        )
        season = None if row.season is None else await self._read_season(_season.id == row.season)
        return League(
            row.guild,
            row.channel,
            row.keeper,
            read_terms(row.terms),
            row.begins,
            tuple(Member(each.user, each.joined, Presence(each.presence), each.division) for each in members),
            season,
            row.seasons,
            row.pins,
            row.closed,
            row.message,
            row.pinned,
            row.version,
            row.changed,
            tuple(
                LeagueNotice(NoticeKind(kind), number, version)
                for kind, number, version in row.notices
                if kind in set(NoticeKind)
            ),
            row.announced,
            row.shown,
            row.edits,
        )

    async def season(self, guild: GuildId, number: int) -> Season | None:
        """Returns a season of a server's league, the present or an earlier one."""
        return await self._read_season(and_(_season.guild == guild, _season.number == number))

    async def of_user(self, user: UserId) -> list[GuildId]:
        """Returns the servers whose leagues this user is in."""
        return [row.guild for row in await self._sql.all(select(_member.guild).where(_member.user == user))]

    async def best_division(self, user: UserId) -> int | None:
        """Returns the highest division of a user in any league, from 0; None without one. A league of one division does
        not count: a few accounts of one person would make it."""
        other = schema.league_member.alias().c
        is_divided = exists().where(other.guild == _member.guild, other.division > 0)
        theirs = _member.user == user, _league.closed.is_(False), is_divided
        best = select(func.min(_member.division)).join_from(schema.league_member, schema.league).where(*theirs)
        found: int | None = await self._sql.value(best)
        return found

    async def places_of(self, guild: GuildId, user: UserId) -> dict[MatchId, ChannelId]:
        """Returns the running games of a user in the present season, with their threads."""
        running = (
            select(_match.id, _match.channel)
            .join_from(schema.league, schema.league_game, _game.season == _league.season)
            .join(schema.match, _match.id == _game.match)
            .where(_league.guild == guild, _game.first_points.is_(None), or_(_game.first == user, _game.second == user))
        )
        return {row.id: row.channel for row in await self._sql.all(running.order_by(_match.id))}

    async def ended(self, guild: GuildId) -> set[MatchId]:
        """Returns the matches of the present season that are over and not counted yet."""
        over = (
            select(_game.match)
            .join_from(schema.league, schema.league_game, _game.season == _league.season)
            .join(schema.match, _match.id == _game.match)
            .where(_league.guild == guild, _game.first_points.is_(None), _match.ended.is_not(None))
        )
        return {row.match for row in await self._sql.all(over)}

    async def to_update(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the leagues that the director has work in: a season or a game begins, a season or a match has ended,
        or the message is behind and may be edited."""
        return [row[0] for row in await self._sql.all(_TO_UPDATE, now=now, limit=limit)]

    async def _read_season(self, which: Any) -> Season | None:
        row = await self._sql.first(select(schema.league_season).where(which))
        if row is None:
            return None
        seats = await self._sql.all(select(schema.league_seat).where(_seat.season == row.id).order_by(_seat.number))
        games = await self._sql.all(select(schema.league_game).where(_game.season == row.id).order_by(_game.number))
        seated, played = defaultdict[int, list[LeagueSeat]](list), defaultdict[int, list[LeagueGame]](list)
        for seat in seats:
            seated[seat.division].append(LeagueSeat(seat.user, seat.left))
        for game in games:
            played[game.division].append(_read_game(game))
        divisions = (Division(tuple(seated[n]), tuple(played[n]), level) for n, level in enumerate(row.levels))
        return Season(row.id, row.number, row.begins, row.ends, tuple(divisions))


class LeagueRepository(LeagueReader):
    """Leagues, as a transaction writes them."""

    __slots__ = ()

    async def add(self, league: League) -> League:
        """Stores a new league, in place of a closed one, whose seasons stay. Raises Stale if the server has one."""
        await self._sql.lock(schema.league)
        old = await self._sql.first(select(schema.league).where(_league.guild == league.guild))
        if old is None:
            stored = replace(league, version=0, changed=0)
            values = _values(stored) | {"guild": league.guild, "shown": -1, "announced": 0}
            await self._sql.execute(insert(schema.league).values(values))
            return stored
        if not old.closed:
            raise Stale
        version = old.version + 1
        stored = replace(
            league, seasons=old.seasons, version=version, changed=version, announced=old.announced, shown=old.shown
        )
        await self._sql.execute(update(schema.league).where(_league.guild == league.guild).values(_values(stored)))
        return stored

    async def save(self, league: League, before: League) -> League:
        """Stores a changed league as its next version; `before` is what is stored. A new season gets its id. Raises
        Stale if it has changed otherwise."""
        season = league.season
        if season is not None and (before.season is None or before.season.id != season.id):
            season = await self._add_season(league.guild, season)
        elif season is not None and before.season is not None and season != before.season:
            await self._save_season(season, before.season)
        edits = Millis(0) if league.pending_notices else league.edits
        saved = replace(league, season=season, version=before.version + 1, edits=edits)
        values = _values(saved)
        as_read = _league.guild == league.guild, _league.version == before.version
        await self._sql.change(update(schema.league).where(*as_read).values(values))
        if league.members != before.members:
            await self._sql.execute(delete(schema.league_member).where(_member.guild == league.guild))
            members = [
                {
                    "guild": league.guild,
                    "number": number,
                    "user": each.user,
                    "joined": each.joined,
                    "presence": each.presence.value,
                    "division": each.division,
                }
                for number, each in enumerate(league.members)
            ]
            if members:
                await self._sql.execute(insert(schema.league_member), members)
        return saved

    async def mark_announced(self, guild: GuildId, notice: LeagueNotice) -> None:
        """Notes that `notice` and all before it are posted."""
        news = _league.guild == guild, _league.announced < notice.version
        await self._sql.execute(update(schema.league).where(*news).values(announced=notice.version))

    async def mark_posted(
        self, league: League, message: MessageId | None, pinned: MessageId | None, edits: Millis
    ) -> None:
        """Notes that `message` shows this version, which one is `pinned`, and when it may be edited again."""
        news = _league.guild == league.guild, _league.shown < league.version
        values = {"message": message, "pinned": pinned, "shown": league.version}
        await self._sql.execute(update(schema.league).where(*news).values(values))
        as_shown = _league.guild == league.guild, _league.version == league.version
        await self._sql.execute(update(schema.league).where(*as_shown).values(edits=edits))

    async def _add_season(self, guild: GuildId, season: Season) -> Season:
        values = {
            "guild": guild,
            "number": season.number,
            "begins": season.begins,
            "ends": season.ends,
            "levels": [division.level for division in season.divisions],
        }
        added = insert(schema.league_season).values(values).returning(_season.id)
        stored = replace(season, id=SeasonId(await self._sql.value(added)))
        await self._sql.execute(insert(schema.league_seat), list(_seat_rows(stored)))
        await self._sql.execute(insert(schema.league_game), list(_game_rows(stored)))
        return stored

    async def _save_season(self, season: Season, before: Season) -> None:
        """Writes the seats and games that have changed."""
        for table, rows in ((schema.league_seat, _seat_rows), (schema.league_game, _game_rows)):
            for row, old in zip_longest(rows(season), rows(before)):
                if row != old:
                    same = table.c.season == row["season"], table.c.number == row["number"]
                    await self._sql.change(update(table).where(*same).values(row))


def _values(league: League) -> Values:
    return {
        "channel": league.channel,
        "keeper": league.keeper,
        "terms": terms_values(league.terms),
        "begins": league.begins,
        "season": None if league.season is None else league.season.id,
        "seasons": league.seasons,
        "pins": league.pins,
        "closed": league.closed,
        "version": league.version,
        "changed": league.changed,
        "edits": league.edits,
        "message": league.message,
        "pinned": league.pinned,
        "notices": [(notice.kind.value, notice.season, notice.version) for notice in league.notices],
        "due": league.due,
    }


def _seat_rows(season: Season) -> Iterator[Values]:
    seats = ((index, seat) for index, division in enumerate(season.divisions) for seat in division.seats)
    for number, (index, seat) in enumerate(seats):
        yield {"season": season.id, "number": number, "division": index, "user": seat.user, "left": seat.left}


def _game_rows(season: Season) -> Iterator[Values]:
    games = ((index, game) for index, division in enumerate(season.divisions) for game in division.games)
    for number, (index, game) in enumerate(games):
        first, second = game.points or (None, None)
        yield {
            "season": season.id,
            "number": number,
            "division": index,
            "round": game.round,
            "first": game.first,
            "second": game.second,
            "begins": game.begins,
            "match": game.match,
            "first_points": first,
            "second_points": second,
            "taken": game.taken,
            "unplayed": game.unplayed,
        }


def _read_game(row: AnyRow) -> LeagueGame:
    points = None if row.first_points is None else (row.first_points, row.second_points)
    return LeagueGame(row.round, row.first, row.second, row.begins, row.match, points, row.taken, row.unplayed)
