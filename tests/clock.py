"""A clock that stands until a test moves it."""

from __future__ import annotations

from play.ids import Millis

NOON = Millis(1_750_000_000_000)
SECOND, MINUTE, HOUR, DAY = Millis(1000), Millis(60_000), Millis(3_600_000), Millis(86_400_000)


class StoppedClock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> Millis:
        return self.time

    def move(self, duration: int) -> Millis:
        self.time = Millis(self.time + duration)
        return self.time
