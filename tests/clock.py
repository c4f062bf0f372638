"""A clock that moves only when a test moves it."""

from __future__ import annotations

from play.ids import Millis

NOON = Millis(1_750_000_000_000)
SECOND, MINUTE, HOUR, DAY = Millis(1000), Millis(60_000), Millis(3_600_000), Millis(86_400_000)


class StoppedClock:
    """A clock that stops at noon until a test moves it."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> Millis:
        return self.time

    def advance(self, duration: int) -> Millis:
        """Moves the clock on; returns its time."""
        self.time = Millis(self.time + duration)
        return self.time


class Machine:
    """A machine whose clock may be wrong by an `error`. Its uptime is always right."""

    def __init__(self, uptime: int = DAY) -> None:
        self.up, self.error = Millis(uptime), Millis(0)

    def uptime(self) -> Millis:
        return self.up

    def clock(self) -> Millis:
        return Millis(NOON + self.up - DAY + self.error)

    def pass_time(self, duration: int) -> None:
        """Lets time pass, whether a process runs or is frozen or the machine is suspended."""
        self.up = Millis(self.up + duration)

    def set_error(self, error: int) -> None:
        """Sets the clock so far ahead of the real time, or behind it."""
        self.error = Millis(error)
