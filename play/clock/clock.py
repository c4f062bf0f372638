"""A clock: what each seat has left, whose time runs since when, and when it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from play.clock import calendar
from play.clock.calendar import Calendar, Span
from play.clock.time_control import Reserve, TimeControl, Untimed
from play.ids import Millis
from rules.point import Seat

REMINDER = 0.8
"""The part of a turn's time after which its player is reminded."""

HORIZON = Millis(60 * 86_400_000)
"""How far it looks ahead for the moment at which it runs again."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left, and whose time has been running since when (nobody's: it stands).

    It charges the time that runs: what passes less what stands. Each seat's time stands by its own calendar;
    everybody's stands in `pauses`, and in the `downtimes` of the bot. `disproved` is what a wrong clock had claimed
    beyond downtimes: it stops no clock, and counts in the turns that ended after it, since they were judged by it.
    `countdown` is what is left of a time that is set for the seat that runs, whatever else it has.
    """

    control: TimeControl
    left: tuple[Millis, ...]
    running: Seat | None
    since: Millis
    calendars: tuple[Calendar, ...]
    pauses: tuple[Span, ...] = ()
    downtimes: tuple[Span, ...] = ()
    countdown: Millis | None = None
    disproved: tuple[Span, ...] = ()

    @classmethod
    def started(
        cls, control: TimeControl, seats: int, first: Seat, now: Millis, calendars: tuple[Calendar, ...] = ()
    ) -> Self:
        """A clock that nobody has used; without `calendars` it runs day and night."""
        return cls(control, (control.start,) * seats, first, now, calendars or (Calendar(),) * seats)

    @property
    def deadline(self) -> Millis | None:
        """When the running seat's time is up; None while the clock stands for good, and without time control."""
        return self._spent(1.0)

    @property
    def reminder(self) -> Millis | None:
        """When four fifths of the turn's time have run; None where there is no deadline."""
        return self._spent(REMINDER)

    def stands_until(self, now: Millis) -> Millis | None:
        """Until when the running seat's clock stands at `now`; None if it runs."""
        if self.running is None:
            return None
        standing = self._calendar(self.running, self.downtimes).standing(now, Millis(now + HORIZON))
        return standing[0].end if standing and standing[0].start == now else None

    def pressed(self, upcoming: Seat | None, now: Millis) -> Self:
        """The running seat has moved at `now`: its time is charged, and `upcoming`'s runs (None stops the clock).

        Discord's ids and our clock may differ by a moment, so a `now` before `since` counts as `since`.
        """
        return self._turned(upcoming, now, moved=True)

    def passed(self, upcoming: Seat, now: Millis) -> Self:
        """The turn goes to `upcoming` without a move: nothing is added to what is left, and no countdown goes on."""
        return replace(self._turned(upcoming, now, moved=False), countdown=None)

    def stopped(self, now: Millis) -> Self:
        """The match is over: the running seat's time is charged and nothing is added."""
        return replace(self._charged(now), running=None, since=max(now, self.since))

    def counting_down(self, time: Millis) -> Self:
        """The seat that runs has `time` until its turns are over, whatever else is left of its time."""
        return self if isinstance(self.control, Untimed) else replace(self, countdown=time)

    def given(self, seat: Seat, time: Millis) -> Self:
        """`seat` has `time` more for its turn, or for its next one."""
        if self.countdown is not None and seat == self.running:
            return replace(self, countdown=Millis(self.countdown + time))
        return replace(self, left=self._with(seat, Millis(self.left[seat] + time)))

    def paused(self, span: Span) -> Self:
        return replace(self, pauses=(*self.pauses, span))

    def resumed(self, now: Millis) -> Self:
        """The last pause ends at `now`."""
        return replace(self, pauses=calendar.cut(self.pauses, now))

    def pause(self, now: Millis) -> Span | None:
        """The pause that everybody agreed to and that goes on at `now`."""
        return calendar.at(self.pauses, now)

    def absent(self, seat: Seat, span: Span) -> Self:
        """A vacation of `seat`."""
        mine = self.calendars[seat]
        return self._planned(seat, replace(mine, spans=(*mine.spans, span)))

    def returned(self, seat: Seat, now: Millis) -> Self:
        """The last vacation of `seat` ends at `now`."""
        mine = self.calendars[seat]
        return self._planned(seat, replace(mine, spans=calendar.cut(mine.spans, now)))

    def absence(self, seat: Seat, now: Millis) -> Span | None:
        """The vacation of `seat` that goes on at `now`."""
        return calendar.at(self.calendars[seat].spans, now)

    def awake(self, at: Millis) -> Millis:
        """`at`, or the end of the downtime in which it lies: while the bot was away, no time passed."""
        downtime = calendar.at(self.downtimes, at)
        return downtime.end if downtime else at

    def _turned(self, upcoming: Seat | None, now: Millis, *, moved: bool) -> Self:
        seat, charged = self._seat, self._charged(now)
        if self.countdown is None:
            left = self.control.after_turn(charged.left[seat], moved=moved)
            charged = replace(charged, left=charged._with(seat, left))
        return replace(charged, running=upcoming, since=max(now, self.since))

    def _charged(self, now: Millis) -> Self:
        """A downtime counts in the turn in which it ended: a move made in the midst of it shows that it was charged
        before anybody knew."""
        known = tuple(downtime for downtime in (*self.downtimes, *self.disproved) if downtime.end <= now)
        spent = self._calendar(self._seat, known).running(self.since, max(now, self.since))
        if self.countdown is not None:
            return replace(self, countdown=Millis(max(0, self.countdown - spent)))
        beyond = max(0, spent - self._free)
        return replace(self, left=self._with(self._seat, Millis(max(0, self.left[self._seat] - beyond))))

    def _spent(self, part: float) -> Millis | None:
        """When this part of the running seat's time has run."""
        if self.running is None or isinstance(self.control, Untimed):
            return None
        time = self.left[self.running] + self._free if self.countdown is None else self.countdown
        return self._calendar(self.running, self.downtimes).after(self.since, Millis(int(time * part)))

    def _calendar(self, seat: Seat, downtimes: tuple[Span, ...]) -> Calendar:
        mine = self.calendars[seat]
        if not (self.pauses or downtimes):
            return mine
        return replace(mine, spans=(*mine.spans, *self.pauses, *downtimes))

    def _planned(self, seat: Seat, mine: Calendar) -> Self:
        return replace(self, calendars=(*self.calendars[:seat], mine, *self.calendars[seat + 1 :]))

    def _with(self, seat: Seat, left: Millis) -> tuple[Millis, ...]:
        return (*self.left[:seat], left, *self.left[seat + 1 :])

    @property
    def _seat(self) -> Seat:
        assert self.running is not None, "a standing clock is neither pressed nor stopped"
        return self.running

    @property
    def _free(self) -> Millis:
        return self.control.free if isinstance(self.control, Reserve) else Millis(0)
