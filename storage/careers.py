"""Finished matches by user in SQL, and those that a moderator annulled after their end."""

import asyncio
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, exists, func, select, true, update

from play.challenge.pool import Pool
from play.ids import GuildId, MatchId, Millis, UserId
from play.match.events import MOVE_KINDS
from play.match.match import Match
from play.people.career import EVERYTHING, Annulment, FinishedMatch, Visibility, biggest_captures, quitters
from play.ratings.settlement import DECIDED_WITHOUT_MOVE, MIN_MOVES
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.lists import is_among
from storage.match_rows import home_of
from storage.statements import AnyRow, Repository, Statements, Values

MATCHES_PER_YIELD = 50
"""Finished matches that are read in one go, which takes 2 ms; then others on the event loop have their turn."""

_match = schema.match.c
_seat = schema.seat.c
_event = schema.event.c
_challenge = schema.challenge.c
_change = schema.change.c
_annulment = schema.annulment.c

_FINISH = update(schema.seat).where(_seat.match == bindparam("of_match"), _seat.seat == bindparam("of_seat"))

_mover = schema.seat.alias().c
_TENTH_MOVE = (
    select(_event.seq)
    .where(_event.match == _mover.match, _event.seat == _mover.seat, _event.kind.in_(MOVE_KINDS))
    .order_by(_event.seq)
    .limit(1)
    .offset(MIN_MOVES - 1)
)
_LACKS_MOVES = exists().where(_mover.match == _match.id, ~_TENTH_MOVE.exists())
"""A player of a match has moved fewer than `MIN_MOVES` times. No more of a match is read than so many moves."""


def _home_guild(seat: ColumnElement[int]) -> ColumnElement[int]:
    """Returns the server on which a seat of a match is at home."""
    return case((_match.away_seat == seat, _match.away_guild), else_=_match.guild)


_QUITS = (
    select(func.count())
    .select_from(schema.seat)
    .where(_seat.user == bindparam("user"), _seat.ended > bindparam("after"), _seat.quit == true())
)
_QUITS_ON = _QUITS.join(schema.match, and_(_match.id == _seat.match, _home_guild(_seat.seat) == bindparam("on")))
_OPEN_TERMS = (
    select(_challenge.terms)
    .join_from(schema.seat, schema.challenge, _challenge.match == _seat.match)
    .where(_seat.user == bindparam("user"), _seat.ended.is_(None))
)


class CareerReader(Repository):
    """Finished matches, as reads see them."""

    __slots__ = ()

    async def finished(
        self,
        user: UserId,
        start: int,
        limit: int,
        *,
        opponent: UserId | None = None,
        sight: Visibility = EVERYTHING,
    ) -> list[FinishedMatch]:
        """Returns a page of a user's finished matches that are in `sight`, the latest first; with `opponent`, of those
        between the two."""
        found: dict[MatchId, FinishedMatch] = {}  # a match that ends meanwhile moves another one to the next read
        for first in range(start, start + limit, MATCHES_PER_YIELD):
            if first > start:
                await asyncio.sleep(0)
            most = min(MATCHES_PER_YIELD, start + limit - first)
            part = await self._read_finished(user, first, most, opponent, sight)
            found.update((match.id, match) for match in part)
            if len(part) < most:
                break
        return [*found.values()]

    async def _read_finished(
        self, user: UserId, start: int, limit: int, opponent: UserId | None, sight: Visibility
    ) -> list[FinishedMatch]:
        # By the games of the viewer, if they have to be in them: the bot's own account has played with all users.
        first = sight.beside or user
        own = schema.seat.alias()
        page = select(own.c.match, own.c.ended).where(own.c.user == first, own.c.ended.is_not(None))
        for other in (user, opponent):
            if other not in (None, first):
                theirs = schema.seat.alias()
                page = page.join(theirs, and_(theirs.c.match == own.c.match, theirs.c.user == other))
        if sight.guild is not None:
            there = _home_guild(own.c.seat) == sight.guild
            page = page.join(schema.match, and_(_match.id == own.c.match, there))
        latest = page.order_by(own.c.ended.desc(), own.c.match.desc()).offset(start).limit(limit).subquery()
        annulled = select(_annulment.by).where(_annulment.match == latest.c.match, _annulment.seat == 0)
        found = await self._sql.all(
            select(
                schema.match,
                _seat.user,
                _seat.score,
                _seat.capture,
                _change.before_value,
                _change.after_value,
                annulled.scalar_subquery().label("annulled"),
            )
            .join_from(latest, schema.match, _match.id == latest.c.match)
            .join(schema.seat, _seat.match == _match.id)
            .outerjoin(schema.change, and_(_change.match == _match.id, _change.user == user))
            .order_by(latest.c.ended.desc(), latest.c.match.desc(), _seat.seat)
        )
        return [_read_finished(user, list(seats)) for _, seats in groupby(found, key=lambda row: row.id)]

    async def count_quits(self, user: UserId, since: Millis, guild: GuildId | None = None) -> int:
        """Counts the matches that this user abandoned since then, everywhere or on one server."""
        if guild is None:
            return int(await self._sql.value(_QUITS, user=user, after=since))
        return int(await self._sql.value(_QUITS_ON, user=user, after=since, on=guild))

    async def count_completed(self, user: UserId) -> int:
        """Counts the matches that this user has finished: not those that were cancelled or annulled."""
        return int(await self._sql.value(_completed(user)))

    async def count_played(self, user: UserId) -> int:
        """Counts the matches of `count_completed` that were played out, or in which each player has moved `MIN_MOVES`
        times: also moves that were taken back."""
        is_short = and_(_match.reason.in_(DECIDED_WITHOUT_MOVE), _LACKS_MOVES)
        return int(await self._sql.value(_completed(user).where(~is_short)))

    async def has_played(self, user: UserId, presets: Collection[str]) -> bool:
        """Returns whether this user has finished a match by the rules of one of the presets."""
        played = select(_seat.match).join(schema.match, _match.id == _seat.match)
        ended = played.where(_seat.user == user, _seat.ended.is_not(None), _match.game.in_(presets))
        return await self._sql.first(ended.limit(1)) is not None

    async def count_on(self, guild: GuildId, users: Collection[UserId]) -> dict[UserId, int]:
        """Counts the matches that users have finished for a server; a user without one is left out."""
        found = select(_seat.user, func.count().label("played")).join_from(
            schema.seat, schema.match, and_(_match.id == _seat.match, _home_guild(_seat.seat) == guild)
        )
        mine = found.where(_seat.ended.is_not(None), is_among(_seat.user, "users")).group_by(_seat.user)
        return {row.user: row.played for row in await self._sql.all(mine, users=list(users))}

    async def count_open_rated(self, user: UserId) -> int:
        """Counts a user's open rated matches."""
        return sum(row.terms["rated"] for row in await self._sql.all(_OPEN_TERMS, user=user))

    async def count_favorable_decisions(self, user: UserId, since: Millis, *, by_rounds: bool = False) -> int:
        """Counts the rated matches that moderators decided in favor of this user since then, and with `by_rounds` those
        that a round of a tournament ended.

        These are the matches that they won or drew by a decision. A match that ended undecided counts for each player,
        as does one that was decided away from the server where it began: no player lost rating by it. An annulled loss
        counts as well.
        """
        last = and_(_event.match == _seat.match, _event.seq == _match.version)
        decided = (
            select(_seat.seat, _match.winners, _match.guild, _challenge.guild.label("home"), _challenge.terms)
            .join_from(schema.seat, schema.match, _match.id == _seat.match)
            .join(schema.event, last)
            .join(schema.challenge, _challenge.match == _seat.match)
            .where(_seat.user == user, _seat.ended > since, _match.reason.in_(("adjudged", "annulled")))
        )
        if not by_rounds:
            decided = decided.where(_event.source > 0)  # decisions by the program itself have a source below zero
        favors: int = sum(
            row.terms["rated"] and (not row.winners or row.seat in row.winners or row.guild != row.home)
            for row in await self._sql.all(decided)
        )
        annulled = select(func.count()).where(
            _annulment.user == user, _annulment.at > since, _annulment.before > _annulment.after
        )
        return favors + int(await self._sql.value(annulled))

    async def annulled_among(self, matches: Collection[MatchId]) -> list[MatchId]:
        """Returns those of some finished matches that were annulled, the oldest first."""
        found = select(_annulment.match).where(_annulment.match.in_(matches), _annulment.seat == 0)
        return [row.match for row in await self._sql.all(found.order_by(_annulment.match))]

    async def annulment_of(self, match: MatchId) -> Annulment | None:
        """Returns how a finished match was annulled, if it was."""
        rows = await self._sql.all(select(schema.annulment).where(_annulment.match == match).order_by(_annulment.seat))
        if not rows:
            return None
        rated = [row for row in rows if row.pool is not None]
        pool = Pool.parse(rated[0].pool) if rated else None
        ratings = {row.user: (row.before, row.after) for row in rated}
        return Annulment(match, rows[0].by, rows[0].at, pool, ratings)


class CareerRepository(CareerReader):
    """Finished matches, as a transaction writes them. `MatchRepository.save` enters a match when it ends."""

    __slots__ = ()

    async def annul(self, annulled: Annulment, players: Sequence[UserId]) -> None:
        """Notes that a finished match was annulled. Raises Stale if it was already."""
        rows = []
        for seat, user in enumerate(players):
            before, after = annulled.ratings.get(user, (None, None))
            pool = None if before is None else str(annulled.pool)
            row = {"match": annulled.match, "seat": seat, "user": user, "by": annulled.by, "at": annulled.at}
            rows.append(row | {"pool": pool, "before": before, "after": after})
        with raises_on_conflict(Stale):
            await self._sql.add(schema.annulment, rows)


async def finish_seats(sql: Statements, *matches: Match) -> None:
    """Stores in the seats of finished matches the values that histories show."""
    rows: list[Values] = []
    for match in matches:
        most, quitting = biggest_captures(match), quitters(match)
        rows += [
            {
                "of_match": match.id,
                "of_seat": seat,
                "score": match.score[seat],
                "capture": most[seat],
                "quit": seat in quitting,
                "ended": match.clock.since,
            }
            for seat in match.seats
        ]
    await sql.execute(_FINISH, rows)


def _completed(user: UserId) -> Select[Any]:
    """Counts the matches that a user has finished: not those that were cancelled or annulled."""
    annulled = exists().where(_annulment.match == _seat.match, _annulment.user == user)
    counted = func.json_array_length(_match.winners) > 0, ~annulled
    played = select(func.count()).join_from(schema.seat, schema.match, _match.id == _seat.match)
    return played.where(_seat.user == user, _seat.ended.is_not(None), *counted)


def _read_finished(user: UserId, seats: Sequence[AnyRow]) -> FinishedMatch:
    """Returns a match where `user` was at home, from one row a seat in their order."""
    row, players = seats[0], tuple(seat.user for seat in seats)
    place = home_of(row, user, players)
    return FinishedMatch(
        row.id,
        place.guild,
        place.channel,
        place.board,
        row.game,
        players,
        tuple(row.winners or ()),
        row.reason,
        row.ended,
        tuple(seat.score for seat in seats),
        tuple(seat.capture for seat in seats),
        row.annulled is not None,
        None if row.before_value is None else (row.before_value, row.after_value),
        row.rule_set,
        place.parent,
        place.other,
    )
