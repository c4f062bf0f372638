"""Positions in the first moves of finished games, in SQL."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, delete, or_, select, update

from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.events import MOVE_KINDS, EventKind, OfferKind
from play.match.match import AwayPlace, Match
from play.records.openings import MAX_PLIES, openings_of
from rules.dots import Dots
from rules.game import AnyGame, Seat
from rules.registry import restore_game
from storage import schema
from storage.errors import Stale
from storage.lists import is_among
from storage.match_rows import read_away
from storage.statements import AnyRow, Repository, Statements, Values

_opening, _match, _seat = schema.opening.c, schema.match.c, schema.seat.c
_annulment, _server = schema.annulment.c, schema.server.c

_backlog, _event = schema.opening_backlog.c, schema.event.c

MAX_EVENTS = 4 * MAX_PLIES
"""Events of a game among which its first moves are looked for."""

_BACKLOG = select(_backlog.before).where(_backlog.before > 0)
_OLDER = (
    select(_match.id, _match.game, _match.options, _match.seed, _match.version, _match.ended)
    .where(_match.id < bindparam("before"))
    .order_by(_match.id.desc())
    .limit(bindparam("limit"))
)
_FIRST_MOVES = (
    select(_event.match, _event.seat, _event.text)
    .where(is_among(_event.match, "matches"), _event.seq <= MAX_EVENTS, _event.kind.in_(MOVE_KINDS))
    .order_by(_event.match, _event.seq)
)
_TAKEN_BACK = (
    select(_event.match)
    .where(
        is_among(_event.match, "matches"),
        or_(
            _event.kind == EventKind.TAKEBACK,
            and_(_event.kind == EventKind.AGREE, _event.text == OfferKind.TAKEBACK),
        ),
    )
    .distinct()
)
_GO_ON = update(schema.opening_backlog).where(_backlog.before == bindparam("former")).values(before=bindparam("later"))
_END = delete(schema.opening_backlog).where(_backlog.before == bindparam("former"))

_is_annulled = select(_annulment.match).where(_annulment.match == _match.id, _annulment.seat == 0).exists()


class OpenedGame(NamedTuple):
    """A game that had a position, where it was played, and the `place` of the dot that followed."""

    id: MatchId
    place: int | None
    winners: tuple[Seat, ...]
    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    away: AwayPlace | None
    players: tuple[UserId, ...]


class EndedGame(NamedTuple):
    """A finished game, and its first moves."""

    id: MatchId
    rules: AnyGame
    seed: int
    moves: Sequence[tuple[Seat, str]]

    @classmethod
    def of(cls, match: Match) -> EndedGame:
        return cls(match.id, match.game, match.seed, [(move.seat, move.text) for move in match.moves[:MAX_PLIES]])


class Backlog(NamedTuple):
    """The newest part of the games with numbers below `before` that ended before positions were stored. Those below
    `rest` come later; 0 if there are none. Of the games in `wound` the first moves take a replay: moves were taken
    back, or much else happened before them."""

    before: MatchId
    rest: MatchId
    games: Sequence[EndedGame]
    wound: Sequence[MatchId]


class OpeningReader(Repository):
    """Positions of finished games. Annulled games are left out."""

    __slots__ = ()

    async def own(self, user: UserId, position: int, limit: int) -> list[OpenedGame]:
        """Returns those of a player's latest games that had a position, the latest first."""
        own = select(_seat.match).where(_seat.user == user, _seat.ended.is_not(None))
        return await self._read(own.order_by(_seat.ended.desc(), _seat.match.desc()).limit(limit), position)

    async def of_guild(self, guild: GuildId, position: int, limit: int) -> list[OpenedGame]:
        """Returns those of a server's latest games that had a position, the latest first."""
        there = select(_match.id.label("match")).where(_match.guild == guild, _match.ended.is_not(None))
        return await self._read(there.order_by(_match.ended.desc()).limit(limit), position)

    async def public(self, position: int, limit: int) -> list[OpenedGame]:
        """Returns those of the newest games with a position that were played on servers with pages, the newest
        first."""
        newest = select(_opening.match).where(_opening.position == position)
        listed = select(_server.guild).where(_server.guild == _match.guild, _server.pages).exists()
        return await self._read(newest.order_by(_opening.match.desc()).limit(limit), position, listed)

    async def begin_of_backlog(self) -> MatchId | None:
        """Returns the number below which games are in the backlog; None if it is done."""
        row = await self._sql.first(_BACKLOG)
        return None if row is None else row.before

    async def backlog(self, before: MatchId, limit: int) -> Backlog:
        """Returns the games that come next in the backlog, among `limit` numbers below `before`."""
        rows = await self._sql.all(_OLDER, before=before, limit=limit)
        ended = {row.id: row for row in rows if row.ended is not None}
        wound = {row.match for row in await self._sql.all(_TAKEN_BACK, matches=[*ended])}
        moves: dict[MatchId, list[tuple[Seat, str]]] = {match: [] for match in ended}
        for row in await self._sql.all(_FIRST_MOVES, matches=[*ended]):
            moves[row.match].append((row.seat, row.text))
        wound |= {match for match, row in ended.items() if len(moves[match]) < MAX_PLIES and row.version > MAX_EVENTS}
        games = [
            EndedGame(row.id, restore_game(row.game, row.options), row.seed, moves[row.id][:MAX_PLIES])
            for row in ended.values()
            if row.id not in wound
        ]
        return Backlog(before, rows[-1].id if len(rows) == limit else MatchId(0), games, sorted(wound))

    async def _read(self, latest: Select[Any], position: int, *which: Any) -> list[OpenedGame]:
        games = latest.subquery()
        asked = (
            select(
                *(_match.id, _opening.next, _match.winners, _match.guild, _match.channel, _match.parent),
                *(_match.away_guild, _match.away_channel, _match.away_parent, _match.away_seat),
            )
            .join_from(games, schema.opening, (_opening.match == games.c.match) & (_opening.position == position))
            .join(schema.match, _match.id == _opening.match)
            .where(~_is_annulled, *which)
            .order_by(_match.id.desc())
        )
        rows = await self._sql.all(asked)
        players = await self._players([row.id for row in rows])
        return [
            OpenedGame(
                *(row.id, row.next, tuple(row.winners or ()), row.guild, row.channel, row.parent, read_away(row)),
                players[row.id],
            )
            for row in rows
        ]

    async def _players(self, matches: Collection[MatchId]) -> dict[MatchId, tuple[UserId, ...]]:
        asked = select(_seat.match, _seat.user).where(is_among(_seat.match, "matches"))
        found: dict[MatchId, tuple[UserId, ...]] = {}
        for row in await self._sql.all(asked.order_by(_seat.match, _seat.seat), matches=[*matches]):
            found[row.match] = (*found.get(row.match, ()), row.user)
        return found


class OpeningRepository(OpeningReader):
    """Stores the positions of games that ended before there was a place for them."""

    __slots__ = ()

    async def catch_up(self, backlog: Backlog, rows: Sequence[Values]) -> None:
        """Stores the `rows` of a part of the backlog, but for games that have theirs. Raises Stale if another process
        has stored that part."""
        firsts: dict[int, list[MatchId]] = {}
        for match, found in groupby(rows, lambda row: row["match"]):
            firsts.setdefault(next(found)["position"], []).append(match)
        there = {row.match for first, matches in firsts.items() for row in await self._stored(first, matches)}
        if new := [row for row in rows if row["match"] not in there]:
            await self._sql.add(schema.opening, new)
        if backlog.rest:
            await self._sql.change(_GO_ON, former=backlog.before, later=backlog.rest)
        elif (await self._sql.execute(_END, {"former": backlog.before})).rowcount == 0:
            raise Stale

    async def _stored(self, position: int, matches: Sequence[MatchId]) -> list[AnyRow]:
        asked = select(_opening.match).where(_opening.position == position, is_among(_opening.match, "matches"))
        return await self._sql.all(asked, matches=matches)


async def add_openings(sql: Statements, *matches: Match) -> None:
    """Stores the positions in the first moves of finished games. Takes 1 ms for each."""
    rows = [row for match in matches for row in opening_rows(EndedGame.of(match))]
    if rows:
        await sql.add(schema.opening, rows)


def opening_rows(game: EndedGame) -> Sequence[Values]:
    """Returns the rows of a finished game: none for a game other than Dots, or without a move."""
    rules = game.rules
    if not isinstance(rules, Dots) or not game.moves:
        return []
    return [
        {"position": opening.key(rules.key), "match": game.id, "next": None if dot is None else opening.place_of(dot)}
        for opening, dot in openings_of(rules, game.seed, game.moves)
    ]
