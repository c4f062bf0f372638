"""Turn clocks: frozen values; the time is always an argument."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from play.ids import Millis
from play.refused import Refused
from rules.game import Seat

_UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000}
_DURATION = r"(\d{1,4})([dhms])"
_PER_MOVE = re.compile(_DURATION)
_FISCHER = re.compile(rf"{_DURATION}\+{_DURATION}")

SHORTEST = Millis(10_000)
LONGEST = Millis(30 * 86_400_000)


def _text(duration: Millis) -> str:
    unit = next(unit for unit, size in _UNITS.items() if duration % size == 0)
    return f"{duration // _UNITS[unit]}{unit}"


@dataclass(frozen=True, slots=True)
class PerMove:
    """The same time for every move, nothing saved: days-per-move play. Written `3d`."""

    allowance: Millis

    @property
    def start(self) -> Millis:
        return self.allowance

    def after_move(self, left: Millis) -> Millis:
        return self.allowance

    def __str__(self) -> str:
        return _text(self.allowance)


@dataclass(frozen=True, slots=True)
class Fischer:
    """The clock runs from the first second, and each move adds `increment`. Written `10m+30s`."""

    initial: Millis
    increment: Millis

    @property
    def start(self) -> Millis:
        return self.initial

    def after_move(self, left: Millis) -> Millis:
        return Millis(left + self.increment)

    def __str__(self) -> str:
        return f"{_text(self.initial)}+{_text(self.increment)}"


TimeControl = PerMove | Fischer


def parse_control(text: str) -> TimeControl:
    """The time control that `text` names: `3d` a move, or `10m+30s` in all. Raises Refused (`bad_clock`)."""
    plain = text.strip().lower().replace(" ", "")
    if match := _FISCHER.fullmatch(plain):
        initial = Millis(int(match[1]) * _UNITS[match[2]])
        increment = Millis(int(match[3]) * _UNITS[match[4]])
        if SHORTEST <= initial <= LONGEST and increment <= LONGEST:
            return Fischer(initial, increment)
    elif match := _PER_MOVE.fullmatch(plain):
        allowance = Millis(int(match[1]) * _UNITS[match[2]])
        if SHORTEST <= allowance <= LONGEST:
            return PerMove(allowance)
    raise Refused("bad_clock")


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left, and whose time has been running since when (nobody's: it stands)."""

    control: TimeControl
    left: tuple[Millis, ...]
    running: Seat | None
    since: Millis

    @classmethod
    def started(cls, control: TimeControl, seats: int, first: Seat, now: Millis) -> Clock:
        return cls(control, (control.start,) * seats, first, now)

    @property
    def deadline(self) -> Millis | None:
        """When the running seat's time is up; None while the clock stands."""
        return None if self.running is None else Millis(self.since + self.left[self.running])

    def pressed(self, upcoming: Seat | None, now: Millis) -> Clock:
        """The running seat has moved at `now`: its time is charged, and `upcoming`'s runs (None stops the clock).

        Discord's ids and our clock may differ by a moment, so a `now` before `since` counts as `since`.
        """
        assert self.running is not None, "a standing clock is not pressed"
        now = max(now, self.since)
        spare = Millis(max(0, self.left[self.running] - (now - self.since)))
        left = list(self.left)
        left[self.running] = self.control.after_move(spare)
        return replace(self, left=tuple(left), running=upcoming, since=now)

    def stopped(self, now: Millis) -> Clock:
        """The match is over: the running seat's time is charged and nothing is added."""
        assert self.running is not None, "a standing clock is not stopped"
        now = max(now, self.since)
        left = list(self.left)
        left[self.running] = Millis(max(0, left[self.running] - (now - self.since)))
        return replace(self, left=tuple(left), running=None, since=now)
