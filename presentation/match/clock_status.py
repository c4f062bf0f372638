"""Why a clock does not run, and until when."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from play.ids import Millis
from play.match.match import Match

_SATURDAY = 5


class ClockStop(NamedTuple):
    """A stop of the clock of the player to move. `why` is `pause`, `vacation`, `weekend`, `night` or `downtime`."""

    why: str
    until: Millis


def clock_stop(match: Match, now: Millis) -> ClockStop | None:
    """Returns why and until when the clock is stopped at `now`; None if it runs, or there is none."""
    clock = match.clock
    until = clock.stopped_until(now)
    if clock.running is None or clock.deadline is None or until is None:
        return None
    if pause := clock.current_pause(now):
        return ClockStop("pause", max(until, pause.end))
    if clock.current_absence(clock.running, now):
        return ClockStop("vacation", until)
    calendar = clock.schedules[clock.running]
    if not replace(calendar, spans=()).stopped_spans(now, Millis(now + 1)):
        return ClockStop("downtime", until)
    weekday = datetime.fromtimestamp(now / 1000, calendar.zone).weekday()
    return ClockStop("weekend" if calendar.weekends and weekday >= _SATURDAY else "night", until)
