"""Which hours of the week are full: those in which many have met strangers to play live, week after week."""

from collections.abc import Sequence
from typing import Final

from play.ids import HOUR, Millis

WEEKS, MIN_WEEKS = 4, 3
"""The weeks that are looked at, and of how many of them the hour has to have been full: one may be a holiday."""

WEEK_HOURS = 7 * 24

MIN_MET: Final = 8
"""Players who met someone within the hour: twice as many as an arena needs to begin, since not all will join."""


def spans(hour: int) -> list[tuple[Millis, Millis]]:
    """Returns the same hour of the week in each of the last weeks, the latest first; hours count from 1970."""
    earlier = (hour - week * WEEK_HOURS for week in range(1, WEEKS + 1))
    return [(Millis(each * HOUR), Millis((each + 1) * HOUR)) for each in earlier]


def is_full(met: Sequence[int]) -> bool:
    """Returns whether an hour is full, by how many players met someone in it in each of those weeks."""
    return sum(count >= MIN_MET for count in met) >= MIN_WEEKS
