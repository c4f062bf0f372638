"""The ports of `play.store` in SQL: the same statements on every engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import Executable, Update, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from play.challenge import Challenge, ChallengeState
from play.ids import ChallengeId, ChannelId, MatchId, MessageId, Millis, UserId
from play.match import Match
from play.store import Announcement, ChannelTaken, Entry, Stale
from storage import rows, schema
from storage.replays import Replays
from storage.rows import AnyRow

_match = schema.match.c
_seat = schema.seat.c
_event = schema.event.c
_challenge = schema.challenge.c
_outbox = schema.outbox.c
_is_open = _match.ended.is_(None)


class SqlReader:
    """A `play.store.Reader` on a connection in a transaction."""

    def __init__(self, connection: AsyncConnection, replays: Replays, now: Callable[[], Millis]) -> None:
        self._connection = connection
        self._replays = replays
        self._now = now

    async def now(self) -> Millis:
        return self._now()

    async def challenge(self, challenge: ChallengeId) -> Challenge | None:
        row = await self._first(select(schema.challenge).where(_challenge.id == challenge))
        return None if row is None else rows.challenge(row)

    async def match(self, match: MatchId, version: int | None = None) -> Match | None:
        row = await self._first(select(schema.match).where(_match.id == match))
        if row is None or (version is not None and version > row.version):
            return None
        return await self._replayed(row, row.version if version is None else version)

    async def match_in(self, channel: ChannelId) -> Match | None:
        here = select(schema.match).where(_match.channel == channel)
        ended = here.where(~_is_open).order_by(_match.ended.desc(), _match.id.desc()).limit(1)
        row = await self._first(here.where(_is_open)) or await self._first(ended)
        return None if row is None else await self._replayed(row, row.version)

    async def open_matches(self, user: UserId) -> list[Entry]:
        own = schema.seat.alias()
        found = await self._all(
            select(schema.match, _seat.user)
            .join_from(own, schema.match, _match.id == own.c.match)
            .join(schema.seat, _seat.match == _match.id)
            .where(own.c.user == user, _is_open)
            .order_by(_match.to_act != own.c.seat, _match.deadline.nulls_last(), _match.id, _seat.seat)
        )
        return [rows.entry(list(seats)) for _, seats in groupby(found, key=lambda row: row.id)]

    async def next_deadline(self) -> Millis | None:
        deadline: Millis | None = await self._value(select(func.min(_match.deadline)).where(_is_open))
        return deadline

    async def overdue(self, before: Millis, limit: int) -> list[MatchId]:
        found = await self._all(
            select(_match.id)
            .where(_is_open, _match.deadline < before)
            .order_by(_match.deadline, _match.id)
            .limit(limit)
        )
        return [row.id for row in found]

    async def untold(self) -> list[MatchId]:
        return [row.match for row in await self._all(select(_outbox.match).distinct().order_by(_outbox.match))]

    async def unannounced(self, match: MatchId) -> Announcement | None:
        row = await self._first(
            select(_outbox.version, _match.board)
            .join_from(schema.outbox, schema.match)
            .where(_outbox.match == match)
            .order_by(_outbox.version)
            .limit(1)
        )
        return None if row is None else Announcement(match, row.version, row.board)

    async def _replayed(self, row: AnyRow, version: int) -> Match:
        match = self._replays.up_to(row.id, version)
        if match is None:
            players = await self._all(select(_seat.user).where(_seat.match == row.id).order_by(_seat.seat))
            match = rows.begun(row, (player.user for player in players))
        since = select(schema.event).where(_event.match == row.id, _event.seq > match.version, _event.seq <= version)
        match = replace(match, channel=row.channel, parent=row.parent)
        for event in await self._all(since.order_by(_event.seq)):
            match = match.after(rows.event(event))
        self._keep(match)
        return match

    def _keep(self, match: Match) -> None:
        self._replays.keep(match)

    async def _all(self, statement: Executable) -> list[AnyRow]:
        return list((await self._connection.execute(statement)).all())

    async def _first(self, statement: Executable) -> AnyRow | None:
        return (await self._connection.execute(statement)).one_or_none()

    async def _value(self, statement: Executable) -> Any:
        return (await self._connection.execute(statement)).scalar_one()


class SqlTransaction(SqlReader):
    """A `play.store.Transaction`. What the indexes refuse is an answer; no index is asked beforehand."""

    async def add_challenge(self, challenge: Challenge) -> Challenge:
        added = insert(schema.challenge).values(rows.of_challenge(challenge)).returning(_challenge.id)
        return replace(challenge, id=await self._value(added))

    async def save_challenge(self, challenge: Challenge) -> None:
        await self._change(
            update(schema.challenge)
            .where(_challenge.id == challenge.id, _challenge.state == ChallengeState.OPEN.value)
            .values(opponent=challenge.opponent, state=challenge.state.value, match=challenge.match)
        )

    async def add_match(self, match: Match) -> Match:
        try:
            added = await self._value(insert(schema.match).values(rows.of_match(match)).returning(_match.id))
        except IntegrityError as error:
            raise ChannelTaken from error
        match = replace(match, id=added)
        seats = [{"match": added, "seat": seat, "user": user} for seat, user in enumerate(match.players)]
        await self._connection.execute(insert(schema.seat), seats)
        await self._post(match)
        return match

    async def save(self, match: Match) -> None:
        try:  # first of all, so that nothing is written if this version, or this source, is there already
            await self._connection.execute(insert(schema.event).values(rows.of_event(match)))
        except IntegrityError as error:
            raise Stale from error
        await self._change(
            update(schema.match)
            .where(_match.id == match.id, _match.version == match.version - 1)
            .values(rows.standing(match))
        )
        await self._post(match)

    async def relocate(self, match: MatchId, channel: ChannelId) -> None:
        moved = update(schema.match).where(_match.id == match).values(channel=channel, parent=None)
        try:
            await self._connection.execute(moved)
        except IntegrityError as error:
            raise ChannelTaken from error

    async def announced(self, announcement: Announcement, message: MessageId | None) -> None:
        version = announcement.version
        await self._connection.execute(
            delete(schema.outbox).where(_outbox.match == announcement.match, _outbox.version == version)
        )
        if message is not None:
            await self._connection.execute(
                update(schema.match)
                .where(
                    _match.id == announcement.match,
                    or_(_match.board_version.is_(None), _match.board_version < version),
                )
                .values(board=message, board_version=version)
            )

    def _keep(self, match: Match) -> None:
        """What a transaction reads may be its own, and never be committed: the next reader keeps it."""

    async def _post(self, match: Match) -> None:
        await self._connection.execute(insert(schema.outbox).values(match=match.id, version=match.version))

    async def _change(self, change: Update) -> None:
        if (await self._connection.execute(change)).rowcount == 0:
            raise Stale
