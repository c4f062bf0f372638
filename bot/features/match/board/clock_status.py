"""Why a clock stands, and until when."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from play.ids import Millis
from play.match.match import Match

_SATURDAY = 5


class ClockStop(NamedTuple):
    """`why` is a key: `pause`, `vacation`, `weekend`, `night` or `downtime`; it is the clock of the player to move."""

    why: str
    until: Millis


def clock_stop(match: Match, now: Millis) -> ClockStop | None:
    """Why and until when the clock stands at `now`; None if it runs, or there is none."""
    clock = match.clock
    until = clock.stands_until(now)
    if clock.running is None or clock.deadline is None or until is None:
        return None
    if pause := clock.pause(now):
        return ClockStop("pause", max(until, pause.end))
    if clock.absence(clock.running, now):
        return ClockStop("vacation", until)
    calendar = clock.schedules[clock.running]
    if not replace(calendar, spans=()).standing(now, Millis(now + 1)):
        return ClockStop("downtime", until)
    weekday = datetime.fromtimestamp(now / 1000, calendar.zone).weekday()
    return ClockStop("weekend" if calendar.weekends and weekday >= _SATURDAY else "night", until)
