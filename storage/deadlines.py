"""What a match's life stores beside its events: plans, vacations, notices, reminders, and the bot's own heartbeat."""

from __future__ import annotations

import logging

from sqlalchemy import BigInteger, bindparam, case, cast, delete, func, insert, select, update

from play.clock.calendar import Span
from play.ids import MatchId, Millis, UserId
from play.match.conditional_moves import Answer, Plan
from play.match.match import Match
from play.match.notice import Notice, NoticeKind
from play.people.vacation import Vacation
from rules.game import Seat
from storage import match_rows as rows
from storage import schema
from storage.statements import AnyRow, Pulse, Statements

_match = schema.match.c
_plan = schema.plan.c
_vacation = schema.vacation.c
_notice = schema.notice.c
_downtime = schema.downtime.c
_heartbeat = schema.heartbeat.c
_is_open = _match.ended.is_(None)
_ENDED_SINCE = select(schema.downtime).where(_downtime.end > bindparam("since")).order_by(_downtime.end)
# A clock that was wrong has stored what is still to come. What it claimed stays known for the turns judged by it.
_FORGET = delete(schema.downtime).where(_downtime.end > bindparam("now"), _downtime.start >= bindparam("now"))
_CUT = (
    update(schema.downtime)
    .where(_downtime.end > bindparam("now"))
    .values(end=bindparam("now"), claimed=func.coalesce(_downtime.claimed, _downtime.end))
)
_NOTICE_OF = (
    select(schema.notice).where(_notice.match == bindparam("match")).order_by(_notice.version, _notice.user).limit(1)
)
_is_to_be_reminded = _match.reminder.is_not(None)
_TAKE_PLANS = delete(schema.plan).where(_plan.match == bindparam("match")).returning(*_plan)
_unless_reminded = case((_match.reminded == bindparam("since"), None), else_=bindparam("due", type_=BigInteger))
_AMEND = (
    update(schema.match)
    .where(_match.id == bindparam("of_match"), _match.version == bindparam("as_read"))
    .values(reminder=cast(_unless_reminded, BigInteger))  # PostgreSQL takes a choice of nothing for text
)

log = logging.getLogger(__name__)


class LifeReader(Statements):
    """A part of a `play.store.Reader`."""

    async def next_reminder(self) -> Millis | None:
        due = select(func.min(_match.reminder)).where(_is_open, _is_to_be_reminded)
        reminder: Millis | None = await self._value(due)
        return reminder

    async def to_remind(self, now: Millis, limit: int) -> list[MatchId]:
        due = select(_match.id).where(_is_open, _is_to_be_reminded, _match.reminder <= now)
        return [row.id for row in await self._all(due.order_by(_match.reminder, _match.id).limit(limit))]

    async def plan(self, match: MatchId, seat: Seat) -> Plan | None:
        row = await self._first(select(schema.plan).where(_plan.match == match, _plan.seat == seat))
        return None if row is None else _planned(row)

    async def vacations(self, user: UserId) -> list[Vacation]:
        own = select(schema.vacation).where(_vacation.user == user).order_by(_vacation.start)
        return [Vacation(row.user, row.start, row.end) for row in await self._all(own)]

    async def lost(self, match: MatchId) -> bool:
        return bool(await self._value(select(_match.lost).where(_match.id == match)))

    async def notice(self, match: MatchId) -> Notice | None:
        row = await self._first(_NOTICE_OF, match=match)
        return None if row is None else Notice(row.match, row.version, row.user, NoticeKind(row.kind))

    async def origin(self, boot: str | None) -> Millis | None:
        """When the run of a machine that `boot` names began, if that run has noted the last heartbeat."""
        noted = await self._first(select(_heartbeat.origin).where(_heartbeat.boot == boot))
        return None if noted is None else noted.origin

    async def _downtimes(self, since: Millis) -> tuple[Span, ...]:
        """Those that ended after `since`."""
        return (await self._away(since))[0]

    async def _away(self, since: Millis) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """The same, and what a wrong clock had claimed beyond them."""
        found = await self._all(_ENDED_SINCE, since=since)
        disproved = tuple(Span(row.end, row.claimed) for row in found if row.claimed is not None)
        return tuple(Span(row.start, row.end) for row in found), disproved


class LifeTransaction(LifeReader):
    """A part of a `Transaction`. `pulse` is its heartbeat, and `downtime` what that found, to be heard of
    when they are committed."""

    pulse: Pulse | None = None
    downtime: Span | None = None
    _moment: Millis | None = None

    async def beat(self, away: Millis, *, first: bool = False) -> Span | None:
        # The lock lets one of several processes find the gap, and the others find it closed.
        last = (await self._connection.execute(select(_heartbeat.at).with_for_update())).scalar_one_or_none()
        self.pulse = self._clock.pulse(away)
        now = await super().now()
        if last is not None and self._clock.is_borne_out(last, away):
            self._clock.believe()
            now = await super().now()
        self._moment, downtime = now, None
        alone = self._connection.dialect.name == "sqlite"  # whose file is locked against a second process
        if last is None:
            await self._connection.execute(insert(schema.heartbeat).values(id=1, **self._noted(now)))
        elif last - now > away:
            log.warning("the last heartbeat lies %d s in the future: the clock was wrong", (last - now) // 1000)
            await self._connection.execute(update(schema.heartbeat).values(self._noted(now)))
            await self._connection.execute(_FORGET, {"now": now})
            await self._connection.execute(_CUT, {"now": now})
        elif now > last:
            await self._connection.execute(update(schema.heartbeat).values(self._noted(now)))
            if now - last > (0 if first and alone else away):
                downtime = Span(last, now)
                await self._connection.execute(insert(schema.downtime).values(start=last, end=now))
        self.downtime = self.downtime or downtime
        return downtime

    async def now(self) -> Millis:
        """After a heartbeat the moment of that: a process frozen in between decides by a time that is accounted for."""
        return await super().now() if self._moment is None else self._moment

    def _noted(self, now: Millis) -> rows.Values:
        return {"at": now, "boot": self._clock.boot, "origin": self._clock.origin}

    async def reschedule(self, match: Match) -> None:
        await self._amend(match, match.version, rows.due(match))

    async def reminded(self, match: Match, notice: Notice | None) -> None:
        waiting = _match.id == match.id, _match.version == match.version, _is_to_be_reminded
        await self._change(update(schema.match).where(*waiting).values(reminder=None, reminded=match.clock.since))
        if notice:
            await self._notify(notice)

    async def notified(self, notice: Notice) -> None:
        told = _notice.match == notice.match, _notice.user == notice.user, _notice.kind == notice.kind.value
        await self._connection.execute(delete(schema.notice).where(*told))

    async def save_plan(self, plan: Plan) -> None:
        await self.drop_plan(plan.match, plan.seat)
        await self._connection.execute(
            insert(schema.plan).values(match=plan.match, seat=plan.seat, line=[list(answer) for answer in plan.line])
        )

    async def drop_plan(self, match: MatchId, seat: Seat) -> None:
        await self._connection.execute(delete(schema.plan).where(_plan.match == match, _plan.seat == seat))

    async def take_plans(self, match: MatchId) -> list[Plan]:
        return [_planned(row) for row in await self._all(_TAKE_PLANS, match=match)]

    async def add_vacation(self, vacation: Vacation) -> None:
        await self._connection.execute(
            insert(schema.vacation).values(user=vacation.user, start=vacation.start, end=vacation.end)
        )

    async def end_vacation(self, vacation: Vacation) -> None:
        begun = _vacation.user == vacation.user, _vacation.start == vacation.start
        await self._change(update(schema.vacation).where(*begun).values(end=vacation.end))

    async def _amend(self, match: Match, as_read: int, values: rows.Values) -> None:
        """Changes the row of a match that stood at the version `as_read`; a turn has one reminder. Raises Stale."""
        due = values.pop("reminder")
        await self._change(_AMEND, of_match=match.id, as_read=as_read, since=match.clock.since, due=due, **values)

    async def _lose(self, match: MatchId, version: int) -> None:
        """The players of a match that nothing can be posted of learn it, once."""
        lost = update(schema.match).where(_match.id == match, _is_open, ~_match.lost).values(lost=True)
        if (await self._connection.execute(lost)).rowcount:
            seats = select(schema.seat.c.user).where(schema.seat.c.match == match)
            for row in await self._all(seats):
                await self._notify(Notice(match, version, row.user, NoticeKind.LOST))

    async def _notify(self, notice: Notice) -> None:
        await self.notified(notice)  # an older one of the same kind says no more than this one
        await self._connection.execute(
            insert(schema.notice).values(
                match=notice.match, user=notice.user, kind=notice.kind.value, version=notice.version
            )
        )


def _planned(row: AnyRow) -> Plan:
    return Plan(row.match, row.seat, tuple(Answer(*answer) for answer in row.line))
