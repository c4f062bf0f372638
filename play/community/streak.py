"""The streak of a user: the days in a row on which they have solved anything, in UTC."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from play.ids import DAY, Millis, UserId
from play.people.vacation import Vacation

GRACE_DAYS = 1
"""Days in a row without anything solved that do not break a streak."""


class Streak(NamedTuple):
    """The `days` on which a user has solved an exercise or more, whichever, up to the day `last`, with GRACE_DAYS
    between two of them at most."""

    user: UserId
    days: int
    longest: int
    last: str

    def on(self, day: str, vacations: Iterable[Vacation]) -> int:
        """Returns the streak as it is on a day. GRACE_DAYS do not break it, nor do days on which its user
        was away for a moment."""
        away = [*vacations]
        missed = [each for each in _days_between(self.last, day) if not _was_away(each, away)]
        return self.days if len(missed) <= GRACE_DAYS else 0

    def next(self, day: str, vacations: Iterable[Vacation]) -> Streak:
        """Returns the streak after a day on which its user has solved something."""
        if day <= self.last:
            return self
        days = self.on(day, vacations) + 1
        return Streak(self.user, days, max(days, self.longest), day)


def _days_between(last: str, day: str) -> list[date]:
    first, count = date.fromisoformat(last), (date.fromisoformat(day) - date.fromisoformat(last)).days
    return [first + timedelta(days) for days in range(1, count)]


def _was_away(day: date, vacations: Iterable[Vacation]) -> bool:
    begin = day_start(day.isoformat())
    return any(each.start < begin + DAY and each.end > begin for each in vacations)


def day_start(day: str) -> Millis:
    """Returns when a day begins, in UTC."""
    return Millis(int(datetime.combine(date.fromisoformat(day), time(), UTC).timestamp()) * 1000)


def day_before(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(1)).isoformat()


def next_day(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(1)).isoformat()


def noon(day: str) -> Millis:
    """Returns noon of a day by UTC, which is on that day nearly everywhere."""
    return Millis(day_start(day) + DAY // 2)
