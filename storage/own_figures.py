"""The games that the figures of a player are counted from, in SQL: with their events, ratings and reviews."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import and_, case, func, select

from play.clock.schedule import Span
from play.community.own_figures import Happened
from play.ids import MatchId, Millis, UserId
from play.match.events import MOVE_KINDS
from rules.game import Seat
from storage import schema
from storage.lists import is_among
from storage.statements import AnyRow, Repository

MATCHES_PER_YIELD = 50
"""Matches that are read in one go, which takes 3 ms; then others on the event loop have their turn."""

_match, _seat, _event = schema.match.c, schema.seat.c, schema.event.c
_change, _reviewed = schema.change.c, schema.reviewed.c
_annulment = schema.annulment.c


class FinishedGame(NamedTuple):
    """A finished match of a player as it is stored, looked at from their `seat`. `ratings` are those before it by seat,
    if it was rated. `is_even` says that nothing but moves has changed its clock. `users` and `captures` (the most dots
    taken with one turn) are by seat."""

    id: MatchId
    seat: Seat
    seats: int
    rules: str
    options: Mapping[str, str]
    seed: int
    control: str
    started: Millis
    ended: Millis
    winners: tuple[Seat, ...]
    ratings: Mapping[Seat, float]
    lost: float | None
    causes: Mapping[str, float] | None
    is_even: bool
    users: tuple[UserId, ...]
    captures: tuple[int, ...]


class OwnFigureReader(Repository):
    """The games of a player, as their figures need them."""

    __slots__ = ()

    async def games(self, user: UserId, limit: int, span: Span | None = None) -> list[FinishedGame]:
        """Returns the latest finished games of a player, or of those that ended within a span, the latest first;
        annulled ones have no winners."""
        found: dict[MatchId, FinishedGame] = {}
        for start in range(0, limit, MATCHES_PER_YIELD):
            part = await self._read(user, start, min(MATCHES_PER_YIELD, limit - start), span)
            found.update((each.id, each) for each in part)
            if len(part) < MATCHES_PER_YIELD:
                break
            await asyncio.sleep(0)
        return [*found.values()]

    async def has_before(self, user: UserId, moment: Millis) -> bool:
        """Returns whether a player has finished a game before a moment."""
        found = select(_seat.match).where(_seat.user == user, _seat.ended < moment).limit(1)
        return await self._sql.first(found) is not None

    async def _read(self, user: UserId, start: int, limit: int, span: Span | None) -> list[FinishedGame]:
        own = schema.seat.alias()
        page = select(own.c.match, own.c.ended, own.c.seat).where(own.c.user == user, own.c.ended.is_not(None))
        if span is not None:
            page = page.where(own.c.ended >= span.start, own.c.ended < span.end)
        latest = page.order_by(own.c.ended.desc(), own.c.match.desc()).offset(start).limit(limit).subquery()
        annulled = select(_annulment.by).where(_annulment.match == latest.c.match, _annulment.seat == 0)
        is_own = and_(_reviewed.user == user, _reviewed.match == _match.id)
        rows = await self._sql.all(
            select(
                *(_match.id, _match.game, _match.options, _match.seed, _match.control, _match.started),
                *(_match.ended, _match.winners, _match.known, _match.extra),
                *(_seat.seat, _seat.user, _seat.capture, _seat.zone, latest.c.seat.label("own"), _change.before_value),
                *(_reviewed.lost, _reviewed.causes, annulled.scalar_subquery().label("annulled")),
            )
            .join_from(latest, schema.match, _match.id == latest.c.match)
            .join(schema.seat, _seat.match == _match.id)
            .outerjoin(schema.change, and_(_change.match == _match.id, _change.seat == _seat.seat))
            .outerjoin(schema.reviewed, is_own)
            .order_by(latest.c.ended.desc(), latest.c.match.desc(), _seat.seat)
        )
        return [_game([*seats]) for _, seats in groupby(rows, key=lambda row: row.id)]

    async def beginnings(self, matches: Collection[MatchId], plies: int) -> dict[MatchId, list[Happened]]:
        """Returns the first events of matches."""
        return await self._events(matches, _event.seq <= plies)

    async def events(self, matches: Collection[MatchId]) -> dict[MatchId, list[Happened]]:
        """Returns all events of matches."""
        return await self._events(matches)

    async def count_moves(self, user: UserId, matches: Collection[MatchId]) -> dict[MatchId, int]:
        """Counts the moves that a player has made in matches, also those that were taken back."""
        own = and_(_seat.match == _event.match, _seat.seat == _event.seat, _seat.user == user)
        moved = func.sum(case((_event.kind.in_(MOVE_KINDS), 1), else_=0))
        asked = select(_event.match, moved.label("moves")).join(schema.seat, own)
        among = asked.where(is_among(_event.match, "matches")).group_by(_event.match)
        counted: dict[MatchId, int] = {}
        for part in _parts(matches):
            rows = await self._sql.all(among, matches=part)
            counted |= {row.match: int(row.moves) for row in rows}
            await asyncio.sleep(0)
        return counted

    async def _events(self, matches: Collection[MatchId], *which: Any) -> dict[MatchId, list[Happened]]:
        asked = select(_event.match, _event.kind, _event.seat, _event.text, _event.at, _event.lost)
        asked = asked.where(is_among(_event.match, "matches"), *which).order_by(_event.match, _event.seq)
        found: dict[MatchId, list[Happened]] = {}
        for part in _parts(matches):
            for row in await self._sql.all(asked, matches=part):
                event = Happened(row.kind, row.seat, row.text, row.at, row.lost or Millis(0))
                found.setdefault(row.match, []).append(event)
            await asyncio.sleep(0)
        return found


def _parts(matches: Collection[MatchId]) -> list[list[MatchId]]:
    ids = [*matches]
    return [ids[first : first + MATCHES_PER_YIELD] for first in range(0, len(ids), MATCHES_PER_YIELD)]


def _game(seats: Sequence[AnyRow]) -> FinishedGame:
    row = seats[0]
    return FinishedGame(
        row.id,
        row.own,
        len(seats),
        row.game,
        row.options,
        row.seed,
        row.control,
        row.started,
        row.ended,
        () if row.annulled is not None else tuple(row.winners or ()),
        {each.seat: each.before_value for each in seats if each.before_value is not None},
        row.lost,
        row.causes,
        row.known == row.started and not row.extra and not any(each.zone for each in seats),
        tuple(each.user for each in seats),
        tuple(each.capture or 0 for each in seats),
    )
