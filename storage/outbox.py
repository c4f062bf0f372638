"""The outbox in SQL: versions of matches, and notices to players, that wait to be posted."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import bindparam, delete, insert, or_, select, union, update

from play.clock.reminder_step import ReminderStep
from play.ids import MatchId, MessageId, Millis
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.store.outbox import OutboxEntry
from storage import schema
from storage.statements import AnyRow, SqlRepository

_match = schema.match.c
_outbox = schema.outbox.c
_notice = schema.notice.c

_NEXT_ENTRY = (
    select(_outbox.version, _outbox.answer_until, _match.board, _match.version.label("newest"))
    .join_from(schema.outbox, schema.match)
    .where(_outbox.match == bindparam("match"))
    .order_by(_outbox.version)
    .limit(1)
)
_NEXT_NOTICE = (
    select(schema.notice).where(_notice.match == bindparam("match")).order_by(_notice.version, _notice.user).limit(1)
)
_ADD = insert(schema.outbox)
_REMOVE = delete(schema.outbox).where(
    _outbox.match == bindparam("match"), _outbox.version.between(bindparam("first"), bindparam("last"))
)
_SET_BOARD = update(schema.match).where(
    _match.id == bindparam("of_match"),
    or_(_match.board_version.is_(None), _match.board_version < bindparam("told")),
)


class SqlOutboxReader(SqlRepository):
    """A `play.store.outbox.OutboxReader`."""

    __slots__ = ()

    async def pending_matches(self) -> list[MatchId]:
        either = union(select(_outbox.match), select(_notice.match))
        return sorted(row.match for row in await self._sql.all(either))

    async def next_entry(self, match: MatchId) -> OutboxEntry | None:
        row = await self._sql.first(_NEXT_ENTRY, match=match)
        if row is None:
            return None
        return OutboxEntry(match, row.version, row.board, row.version == row.newest, row.answer_until)

    async def waiting(self, matches: Collection[MatchId]) -> set[MatchId]:
        held = select(_outbox.match).where(_outbox.match.in_(matches))
        return {row.match for row in await self._sql.all(held)} if matches else set()

    async def next_notice(self, match: MatchId) -> Notice | None:
        row = await self._sql.first(_NEXT_NOTICE, match=match)
        return None if row is None else _read_notice(row)


class SqlOutboxRepository(SqlOutboxReader):
    """A `play.store.outbox.OutboxRepository`."""

    __slots__ = ()

    async def mark_posted(self, entry: OutboxEntry, message: MessageId | None, reopen: Millis | None = None) -> None:
        match, version = entry.match, entry.version
        await self._sql.execute(_REMOVE, {"match": match, "first": entry.first, "last": version})
        if message is None:
            await self._mark_lost(match, version)
            return
        shown = {"board": message, "board_version": version, "lost": False, "reopen": reopen}
        await self._sql.execute(_SET_BOARD, {"of_match": match, "told": version, **shown})

    async def remove_notice(self, notice: Notice) -> None:
        told = _notice.match == notice.match, _notice.user == notice.user, _notice.kind == notice.kind.value
        await self._sql.execute(delete(schema.notice).where(*told))

    async def add(self, match: MatchId, version: int, answer_until: Millis | None = None) -> None:
        """Puts a version of a match in."""
        await self._sql.execute(_ADD, {"match": match, "version": version, "answer_until": answer_until})

    async def add_all(self, matches: Collection[Match]) -> None:
        """Puts the newest version of each match in."""
        rows = [{"match": match.id, "version": match.version, "answer_until": None} for match in matches]
        await self._sql.execute(_ADD, rows)

    async def replace_all(self, match: MatchId, version: int) -> None:
        """Puts a version of a match in, in place of all others."""
        await self._sql.execute(delete(schema.outbox).where(_outbox.match == match))
        await self._sql.execute(insert(schema.outbox).values(match=match, version=version))

    async def add_notice(self, notice: Notice) -> None:
        await self.remove_notice(notice)
        await self._sql.execute(
            insert(schema.notice).values(
                match=notice.match,
                user=notice.user,
                kind=notice.kind.value,
                version=notice.version,
                steps=notice.steps.value,
            )
        )

    async def _mark_lost(self, match: MatchId, version: int) -> None:
        """Records that no channel can receive the boards of a match, and notifies its players once."""
        await self._sql.execute(update(schema.match).where(_match.id == match).values(reopen=None))
        lost = update(schema.match).where(_match.id == match, _match.ended.is_(None), ~_match.lost).values(lost=True)
        if (await self._sql.execute(lost)).rowcount:
            seats = select(schema.seat.c.user).where(schema.seat.c.match == match)
            for row in await self._sql.all(seats):
                await self.add_notice(Notice(match, version, row.user, NoticeKind.LOST))


def _read_notice(row: AnyRow) -> Notice:
    return Notice(row.match, row.version, row.user, NoticeKind(row.kind), ReminderStep(row.steps or 0))
