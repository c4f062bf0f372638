"""A clock: what each seat has left, whose time has been running since when, when it is stopped, and when to remind."""

from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Self

from play.clock.schedule import ClockSchedule, Span, end_last_span, span_at
from play.clock.time_control import Reserve, TimeControl, Untimed
from play.ids import DAY, HOUR, Millis
from rules.game import Seat

MOST_FRACTION = 0.8
"""The part of a turn's time that is most of it."""

NOTHING_LOST = Millis(0)

MAX_LOOKAHEAD = Millis(60 * DAY)
"""How far the clock looks ahead for the moment at which it runs again."""


class ReminderStep(IntFlag):
    """A step, or a set of steps. `MOST`: most of the turn's time is over. The others: so much of it is left.

    The numbers are stored.
    """

    MOST = 1
    DAY = 2
    HALF_DAY = 4
    QUARTER_DAY = 8
    HOUR = 16

    def time_before(self, time: Millis) -> Millis:
        """Returns how much of a turn's `time` has run at this one step; 0 or less if the turn begins after it."""
        if self is ReminderStep.MOST:
            return Millis(int(time * MOST_FRACTION))
        return Millis(time - HOURS[self] * HOUR)


HOURS = {
    ReminderStep.DAY: 24,
    ReminderStep.HALF_DAY: 12,
    ReminderStep.QUARTER_DAY: 6,
    ReminderStep.HOUR: 1,
}
"""The hours that are left at the steps other than `MOST`."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left, and whose time has been `running` since when (None: the clock is stopped for good).

    The clock charges running time: the time that passes less the spans in which it is stopped. Each seat has a schedule
    of its own. `pauses` and the `downtimes` of the bot stop the time of all seats. `disproved` spans are what a wrong
    system clock claimed beyond downtimes. They stop no clock, but still count in turns that ended after them, because
    those turns were judged by them. `countdown` is the time left to the running seat where its turns have a limit of
    their own, whatever else it has left.
    """

    control: TimeControl
    remaining: tuple[Millis, ...]
    running: Seat | None
    since: Millis
    schedules: tuple[ClockSchedule, ...]
    pauses: tuple[Span, ...] = ()
    downtimes: tuple[Span, ...] = ()
    countdown: Millis | None = None
    disproved: tuple[Span, ...] = ()

    @classmethod
    def start(
        cls, control: TimeControl, seats: int, first: Seat, now: Millis, schedules: tuple[ClockSchedule, ...] = ()
    ) -> Self:
        """Returns an unused clock. Without `schedules` it runs day and night."""
        return cls(control, (control.start,) * seats, first, now, schedules or (ClockSchedule(),) * seats)

    @property
    def deadline(self) -> Millis | None:
        """When the running seat's time is over. None if the clock is stopped for good or there is no time control."""
        time = self._turn_time
        return None if time is None else self._after(time)

    @property
    def reminders(self) -> tuple[tuple[Millis, ReminderStep], ...]:
        """The steps of the turn at which its player may want a reminder, in order; none if there is no deadline.

        Steps that the turn begins after are left out.
        """
        time = self._turn_time
        run = {step: step.time_before(time) for step in ReminderStep} if time is not None else {}
        return tuple(sorted((self._after(passed), step) for step, passed in run.items() if passed > 0))

    def when_left(self, time: Millis) -> Millis | None:
        """Returns when the running seat has so much left of its turn: when that begins, at the earliest. None without a
        deadline."""
        turn = self._turn_time
        return None if turn is None else self._after(Millis(max(0, turn - time)))

    def moment_after(self, seat: Seat, start: Millis, time: Millis) -> Millis:
        """Returns when a seat's clock has run, or would have, for a `time` since `start`."""
        return self._schedule(seat, self.downtimes).deadline_after(start, time)

    def stopped_until(self, now: Millis) -> Millis | None:
        """Returns when the running seat's clock, which is stopped at `now`, runs again. None if it runs at `now`."""
        if self.running is None:
            return None
        spans = self._schedule(self.running, self.downtimes).stopped_spans(now, Millis(now + MAX_LOOKAHEAD))
        return spans[0].end if spans and spans[0].start == now else None

    def left(self, seat: Seat, now: Millis) -> Millis | None:
        """Returns what a seat has left at `now`, for its present turn or its next one. None without a time control."""
        if isinstance(self.control, Untimed):
            return None
        if seat != self.running:
            return Millis(self.remaining[seat] + self._free)
        time = self._turn_time
        assert time is not None, "the clock runs"
        spent = self._schedule(seat, self.downtimes).active_time(self.since, max(now, self.since))
        return Millis(max(0, time - spent))

    def press(self, upcoming: Seat | None, now: Millis, lost: Millis = NOTHING_LOST) -> Self:
        """Charges the running seat, which moved at `now`, and starts the time of `upcoming` (None: stops the clock).

        What the seat has `lost` before that is not charged.
        The chat's ids and our clock may differ by a moment, so a `now` before `since` counts as `since`.
        """
        return self._turned(upcoming, now, lost, moved=True)

    def pass_turn(self, upcoming: Seat, now: Millis) -> Self:
        """Gives the turn to `upcoming` without a move: adds no time, and ends a countdown."""
        return replace(self._turned(upcoming, now, NOTHING_LOST, moved=False), countdown=None)

    def stop(self, now: Millis) -> Self:
        """Charges the running seat at the end of the match, and adds no time."""
        return replace(self._charged(now), running=None, since=max(now, self.since))

    def start_countdown(self, time: Millis) -> Self:
        """Gives the running seat `time` for all its further turns, whatever else it has left."""
        return self if isinstance(self.control, Untimed) else replace(self, countdown=time)

    def add_time(self, seat: Seat, time: Millis) -> Self:
        """Adds `time` for the present or the next turn of `seat`."""
        if self.countdown is not None and seat == self.running:
            return replace(self, countdown=Millis(self.countdown + time))
        return replace(self, remaining=self._with(seat, Millis(self.remaining[seat] + time)))

    def pause(self, span: Span) -> Self:
        """Adds a pause, which stops the time of all seats."""
        return replace(self, pauses=(*self.pauses, span))

    def resume(self, now: Millis) -> Self:
        """Ends the last pause at `now`."""
        return replace(self, pauses=end_last_span(self.pauses, now))

    def current_pause(self, now: Millis) -> Span | None:
        """Returns the agreed pause that contains `now`."""
        return span_at(self.pauses, now)

    def with_schedule(self, seat: Seat, schedule: ClockSchedule) -> Self:
        """Returns the clock with another schedule of `seat`."""
        return replace(self, schedules=(*self.schedules[:seat], schedule, *self.schedules[seat + 1 :]))

    def start_absence(self, seat: Seat, span: Span) -> Self:
        """Adds a vacation of `seat`."""
        own = self.schedules[seat]
        return self.with_schedule(seat, replace(own, spans=(*own.spans, span)))

    def end_absence(self, seat: Seat, now: Millis) -> Self:
        """Ends the last vacation of `seat` at `now`."""
        own = self.schedules[seat]
        return self.with_schedule(seat, replace(own, spans=end_last_span(own.spans, now)))

    def current_absence(self, seat: Seat, now: Millis) -> Span | None:
        """Returns the vacation of `seat` that contains `now`."""
        return span_at(self.schedules[seat].spans, now)

    def after_downtime(self, at: Millis) -> Millis:
        """Returns `at`, or the end of the downtime that contains it: no time passes while the bot is down."""
        downtime = span_at(self.downtimes, at)
        return downtime.end if downtime else at

    def _turned(self, upcoming: Seat | None, now: Millis, lost: Millis, *, moved: bool) -> Self:
        seat, charged = self._seat, self._charged(Millis(now - lost))
        if self.countdown is None:
            left = self.control.after_turn(charged.remaining[seat], moved=moved)
            charged = replace(charged, remaining=charged._with(seat, left))
        return replace(charged, running=upcoming, since=max(now, self.since))

    def _charged(self, now: Millis) -> Self:
        """Charges the time that the running seat has spent by `now`.

        A downtime counts in the turn in which it ended. A move in the middle of it was charged before it was known.
        """
        known = tuple(downtime for downtime in (*self.downtimes, *self.disproved) if downtime.end <= now)
        spent = self._schedule(self._seat, known).active_time(self.since, max(now, self.since))
        if self.countdown is not None:
            return replace(self, countdown=Millis(max(0, self.countdown - spent)))
        beyond = max(0, spent - self._free)
        return replace(self, remaining=self._with(self._seat, Millis(max(0, self.remaining[self._seat] - beyond))))

    @property
    def _turn_time(self) -> Millis | None:
        """The time that the running seat had when its turn began. None without a deadline."""
        if self.running is None or isinstance(self.control, Untimed):
            return None
        return Millis(self.remaining[self.running] + self._free) if self.countdown is None else self.countdown

    def _after(self, time: Millis) -> Millis:
        """Returns when the running seat's clock has run for so much of the turn's time."""
        return self.moment_after(self._seat, self.since, time)

    def _schedule(self, seat: Seat, downtimes: tuple[Span, ...]) -> ClockSchedule:
        own = self.schedules[seat]
        if not (self.pauses or downtimes):
            return own
        return replace(own, spans=(*own.spans, *self.pauses, *downtimes))

    def _with(self, seat: Seat, left: Millis) -> tuple[Millis, ...]:
        return (*self.remaining[:seat], left, *self.remaining[seat + 1 :])

    @property
    def _seat(self) -> Seat:
        assert self.running is not None, "a stopped clock is neither pressed nor stopped"
        return self.running

    @property
    def _free(self) -> Millis:
        return self.control.free if isinstance(self.control, Reserve) else Millis(0)
