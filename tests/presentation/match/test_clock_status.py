"""The reason that a panel names for a stopped clock is the right one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.clock import Clock
from play.clock.schedule import UTC, ClockSchedule, Night, Span
from play.ids import Millis
from presentation.match.narration import ClockStop, clock_stop
from rules.game import Seat
from tests.clock import DAY, HOUR, NOON
from tests.matches import a_match

SPAN = Span(Millis(NOON - HOUR), Millis(NOON + HOUR))
NIGHT = ClockSchedule(UTC, Night(14 * 60, 18 * 60))
"""It is 15:06 on a Sunday."""

CLOCK = a_match(control="3d", at=Millis(NOON - DAY)).clock


def with_calendar(calendar: ClockSchedule) -> Clock:
    return replace(CLOCK, schedules=(calendar, ClockSchedule()))


@pytest.mark.parametrize(
    ("why", "clock"),
    [
        ("pause", CLOCK.pause(SPAN)),
        ("vacation", CLOCK.start_absence(Seat(0), SPAN)),
        ("weekend", with_calendar(ClockSchedule(weekends=True))),
        ("night", with_calendar(NIGHT)),
        ("downtime", replace(CLOCK, downtimes=(SPAN,))),
        ("downtime", replace(with_calendar(ClockSchedule(UTC, Night(23 * 60, 60))), downtimes=(SPAN,))),
        ("night", replace(with_calendar(NIGHT), downtimes=(Span(Millis(NOON - DAY), Millis(NOON - HOUR)),))),
    ],
)
def test_the_reason_is_that_of_the_stop(why: str, clock: Clock) -> None:
    found = clock_stop(replace(a_match(), clock=clock), NOON)
    assert found is not None
    assert found.why == why


def test_a_disproved_downtime_stops_nothing() -> None:
    clock = replace(CLOCK, downtimes=(Span(SPAN.start, NOON),), disproved=(Span(NOON, SPAN.end),))
    assert clock_stop(replace(a_match(), clock=clock), NOON) is None


def test_it_is_stopped_until_the_downtime_is_over() -> None:
    assert clock_stop(replace(a_match(), clock=replace(CLOCK, downtimes=(SPAN,))), NOON) == ClockStop(
        "downtime", SPAN.end
    )
