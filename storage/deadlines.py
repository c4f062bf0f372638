"""Deadlines and reminders in SQL: columns of a match's row that follow from its events."""

from collections.abc import Collection, Sequence

from sqlalchemy import Integer, bindparam, exists, func, select, update

from play.clock.clock import ReminderStep
from play.ids import MatchId, Millis, UserId
from play.match.events import Notice
from play.match.match import Match
from storage import schema
from storage.match_rows import due_values
from storage.matches import update_match, update_matches
from storage.outbox import OutboxRepository
from storage.reminders import ALL_STEPS, done_steps, next_reminder, reminder_values
from storage.statements import Repository, Statements

_match = schema.match.c
_is_open = _match.ended.is_(None)
_has_reminder = _match.reminder.is_not(None)
_seat = schema.seat.c
_told = bindparam("told", type_=Integer)
_REMINDED = select(_match.reminded, _match.steps).where(_match.id == bindparam("match"))
_MARK_REMINDED = (
    update(schema.match)
    .where(_match.id == bindparam("of_match"), _match.version == bindparam("as_read"))
    .where(done_steps().bitwise_and(_told) == 0)  # no other process was first
    .values(reminder=next_reminder(done_steps(_told)), reminded=bindparam("since"), steps=done_steps(_told))
)
_NEXT_DEADLINE = select(func.min(_match.deadline)).where(_is_open)
_NEXT_REMINDER = select(func.min(_match.reminder)).where(_is_open, _has_reminder)
_REMINDERS_DUE = (
    select(_match.id)
    .where(_is_open, _has_reminder, _match.reminder <= bindparam("now"))
    .order_by(_match.reminder, _match.id)
    .limit(bindparam("limit"))
)


class DeadlineReader(Repository):
    """Deadlines and reminders, as reads see them."""

    __slots__ = ()

    async def next_deadline(self) -> Millis | None:
        """Returns the earliest deadline of all open matches."""
        deadline: Millis | None = await self._sql.value(_NEXT_DEADLINE)
        return deadline

    async def overdue(self, before: Millis, limit: int, among: Collection[MatchId] | None = None) -> list[MatchId]:
        """Returns the open matches, all or those `among` some, whose deadline is earlier than `before`, the earliest
        first."""
        overdue = select(_match.id).where(_is_open, _match.deadline < before)
        if among is not None:
            overdue = overdue.where(_match.id.in_(among))
        return [row.id for row in await self._sql.all(overdue.order_by(_match.deadline, _match.id).limit(limit))]

    async def next_reminder(self) -> Millis | None:
        """Returns when the next reminder is due."""
        reminder: Millis | None = await self._sql.value(_NEXT_REMINDER)
        return reminder

    async def reminded(self, match: Match) -> ReminderStep:
        """Returns the steps of this turn whose reminders are done."""
        row = await self._sql.first(_REMINDED, match=match.id)
        assert row is not None, "it is a stored match"
        if row.reminded != match.clock.since:
            return ReminderStep(0)
        return ReminderStep(ALL_STEPS if row.steps is None else row.steps)

    async def reminders_due(self, now: Millis, limit: int) -> list[MatchId]:
        """Returns the open matches in which a reminder is due, the longest due first."""
        return [row.id for row in await self._sql.all(_REMINDERS_DUE, now=now, limit=limit)]


class DeadlineRepository(DeadlineReader):
    """Deadlines and reminders, as a transaction writes them. `MatchRepository.save` sets them with each event."""

    __slots__ = ("_outbox",)

    def __init__(self, sql: Statements, outbox: OutboxRepository) -> None:
        super().__init__(sql)
        self._outbox = outbox

    async def reschedule(self, match: Match) -> None:
        """Updates the stored deadline and reminder of an unchanged match. Raises Stale if it has changed."""
        await update_match(self._sql, match, match.version, due_values(match))

    async def reschedule_all(self, matches: Sequence[Match]) -> None:
        """Updates them of several matches, which were read in this transaction."""
        await update_matches(self._sql, [(match, match.version, due_values(match)) for match in matches])

    async def hold(self, users: Collection[UserId], until: Millis) -> None:
        """Lets no deadline of turns that wait for these users be judged before `until`; their clocks stay as they are.

        It holds until the match is saved again.
        """
        waiting = exists().where(_seat.match == _match.id, _seat.seat == _match.to_act, _seat.user.in_(users))
        held = update(schema.match).where(_is_open, _match.deadline < until, waiting)
        await self._sql.execute(held.values(deadline=until))

    async def put_off(self, match: Match, lost: Millis) -> None:
        """Lets the deadline of an unchanged match be judged later by what its player could not use of the turn.

        It holds until the match is saved again.
        """
        deadline = match.clock.deadline
        assert deadline is not None, "it was due"
        await update_match(self._sql, match, match.version, {"deadline": deadline + lost})

    async def remind_anew(self, user: UserId, now: Millis) -> None:
        """Lets all turns that wait for `user` be judged by their changed steps, from `now` on."""
        waiting = exists().where(_seat.match == _match.id, _seat.seat == _match.to_act, _seat.user == user)
        own = select(_seat.match).where(_seat.user == user, _seat.ended.is_(None))
        anew = update(schema.match).where(_match.id.in_(own), waiting, _is_open, _match.deadline > now)
        await self._sql.execute(anew.values(reminder=now))

    async def mark_reminded(self, match: Match, steps: ReminderStep, notice: Notice | None) -> None:
        """Notes that these steps of the turn are done, and puts their notice, if any, in the outbox. Raises Stale if
        that is noted already."""
        told = {"told": int(steps), "of_match": match.id, "as_read": match.version}
        await self._sql.change(_MARK_REMINDED, **told, **reminder_values(match))
        if notice:
            await self._outbox.add_notice(notice)
