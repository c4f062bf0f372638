"""Deadlines and reminders in SQL: columns of a match's row that follow from its events."""

from __future__ import annotations

from sqlalchemy import func, select, update

from play.ids import MatchId, Millis
from play.match.events import Notice
from play.match.match import Match
from storage import schema
from storage.match_rows import due_values
from storage.matches import update_match
from storage.outbox import SqlOutboxRepository
from storage.statements import SqlRepository, Statements

_match = schema.match.c
_is_open = _match.ended.is_(None)
_has_reminder = _match.reminder.is_not(None)


class SqlDeadlineReader(SqlRepository):
    """A `play.store.deadlines.DeadlineReader`."""

    __slots__ = ()

    async def next_deadline(self) -> Millis | None:
        deadline: Millis | None = await self._sql.value(select(func.min(_match.deadline)).where(_is_open))
        return deadline

    async def overdue(self, before: Millis, limit: int) -> list[MatchId]:
        overdue = select(_match.id).where(_is_open, _match.deadline < before)
        return [row.id for row in await self._sql.all(overdue.order_by(_match.deadline, _match.id).limit(limit))]

    async def next_reminder(self) -> Millis | None:
        due = select(func.min(_match.reminder)).where(_is_open, _has_reminder)
        reminder: Millis | None = await self._sql.value(due)
        return reminder

    async def reminders_due(self, now: Millis, limit: int) -> list[MatchId]:
        due = select(_match.id).where(_is_open, _has_reminder, _match.reminder <= now)
        return [row.id for row in await self._sql.all(due.order_by(_match.reminder, _match.id).limit(limit))]


class SqlDeadlineRepository(SqlDeadlineReader):
    """A `play.store.deadlines.DeadlineRepository`."""

    __slots__ = ("_outbox",)

    def __init__(self, sql: Statements, outbox: SqlOutboxRepository) -> None:
        super().__init__(sql)
        self._outbox = outbox

    async def reschedule(self, match: Match) -> None:
        await update_match(self._sql, match, match.version, due_values(match))

    async def mark_reminded(self, match: Match, notice: Notice | None) -> None:
        waiting = _match.id == match.id, _match.version == match.version, _has_reminder
        await self._sql.change(update(schema.match).where(*waiting).values(reminder=None, reminded=match.clock.since))
        if notice:
            await self._outbox.add_notice(notice)
