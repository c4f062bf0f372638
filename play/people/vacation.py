"""Days off from a yearly bank, for all matches of a person whose sides agreed to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from play.ids import Millis, UserId
from play.refusal import Reason, Refused

DAYS_A_YEAR = 30
"""For each person and calendar year (UTC)."""

_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Vacation:
    """From `start` up to `end`; it counts to the year in which it began."""

    user: UserId
    start: Millis
    end: Millis

    @property
    def days(self) -> int:
        """Every day begun is spent."""
        return -(-(self.end - self.start) // _DAY)

    def ended(self, now: Millis) -> Self:
        return replace(self, end=Millis(max(self.start, min(self.end, now))))


def current(vacations: Iterable[Vacation], now: Millis) -> Vacation | None:
    """The one that goes on."""
    return next((each for each in vacations if each.start <= now < each.end), None)


def days_left(vacations: Iterable[Vacation], now: Millis) -> int:
    """What is left in the bank for this year, of a person with these vacations."""
    return DAYS_A_YEAR - sum(each.days for each in vacations if _year(each.start) == _year(now))


def taken(vacations: Iterable[Vacation], user: UserId, days: int, now: Millis) -> Vacation:
    """So many days from now on. Raises Refused (`away_already`, `bad_days`, `bank_empty` with `left`)."""
    known = tuple(vacations)
    if current(known, now):
        raise Refused(Reason.AWAY_ALREADY)
    if days < 1:
        raise Refused(Reason.BAD_DAYS)
    left = days_left(known, now)
    if days > left:
        raise Refused(Reason.BANK_EMPTY, left=left)
    return Vacation(user, now, Millis(now + days * _DAY))


def _year(at: Millis) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year
