"""Vacations: days from a player's yearly bank, which stop their clock in all matches that agreed to vacations."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from play.ids import DAY, HOUR, Millis, UserId
from play.refusal import Reason, Refused

DAYS_PER_YEAR = 30
"""Vacation days of each player in a calendar year (UTC)."""

FREE_MILLIS = HOUR
"""The vacation in a year that costs no day: a player who comes back at once has lost nothing."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation from `start` up to `end`. It counts for the year in which it begins."""

    user: UserId
    start: Millis
    end: Millis

    def end_at(self, now: Millis) -> Self:
        """Returns the vacation, ended at `now` if it would have gone on."""
        return replace(self, end=Millis(max(self.start, min(self.end, now))))


def current_vacation(vacations: Iterable[Vacation], now: Millis) -> Vacation | None:
    """Returns the vacation that contains `now`."""
    return next((each for each in vacations if each.start <= now < each.end), None)


def days_left(vacations: Iterable[Vacation], now: Millis) -> int:
    """Returns the days left in the bank this year of a player with these vacations.

    Their times are added up. Every day begun counts, after the first `FREE_MILLIS` of the year.
    """
    away = sum(each.end - each.start for each in vacations if _year(each.start) == _year(now))
    return DAYS_PER_YEAR - max(0, -(-(away - FREE_MILLIS) // DAY))


def take_vacation(vacations: Iterable[Vacation], user: UserId, days: int, now: Millis) -> Vacation:
    """Returns a vacation of so many `days` from `now` on.

    Raises Refused (`away_already`, `bad_days`, `bank_empty` with `left`).
    """
    known = tuple(vacations)
    if current_vacation(known, now):
        raise Refused(Reason.AWAY_ALREADY)
    if days < 1:
        raise Refused(Reason.BAD_DAYS)
    left = days_left(known, now)
    if days > left:
        raise Refused(Reason.BANK_EMPTY, left=left)
    return Vacation(user, now, Millis(now + days * DAY))


def _year(at: Millis) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year
