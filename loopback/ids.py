"""Snowflakes: Discord's ids, which contain the time of their creation."""

from collections.abc import Callable
from datetime import UTC, datetime

EPOCH = 1_420_070_400  # the first second of 2015, from which snowflakes count milliseconds


class Snowflakes:
    """A source of strictly increasing ids, as close to the clock as that allows.

    Args:
        now: the time in seconds since 1970.
        last: the largest id in use.
    """

    def __init__(self, now: Callable[[], float], last: int = 0) -> None:
        if now() < EPOCH:
            raise ValueError("now() must give seconds since 1970, and be after 2015, where snowflakes begin")
        self._now = now
        self._last = last

    def next(self, age: float = 0.0) -> int:
        """Returns a new id; with an age in seconds, one that says it was made so long ago."""
        self._last = max(self._last + 1, int((self._now() - EPOCH) * 1000) << 22)
        return self._last - (int(age * 1000) << 22)


def made_at(snowflake: int) -> float:
    """Returns the creation time of a snowflake, in seconds since 1970."""
    return (snowflake >> 22) / 1000 + EPOCH


def iso(seconds: float) -> str:
    """Returns a time in Discord's format."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
