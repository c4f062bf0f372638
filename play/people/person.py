"""What a person has set for himself, wherever he plays."""

from __future__ import annotations

import re
import zoneinfo
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from zoneinfo import ZoneInfo

from play.challenge.terms import Terms
from play.ids import UserId
from play.refusal import Reason, Refused

_CONTINENTS = {
    *("africa", "america", "antarctica", "arctic", "asia"),
    *("atlantic", "australia", "europe", "indian", "pacific"),
}
_DAY = 24 * 60
_TIME = r"(\d{1,2})(?:[:.](\d{2}))?"
_NIGHT = re.compile(rf"{_TIME}\s*(?:-|–|—|\.\.\.?|…)\s*{_TIME}")


class Reminders(StrEnum):
    """Where a person is reminded that most of his time is gone."""

    OFF = "off"
    CHANNEL = "channel"
    DM = "dm"


@dataclass(frozen=True, slots=True)
class Night:
    """Quiet hours, in minutes after midnight on the person's own clock; they may go past midnight. Written
    `22:00-07:00`."""

    start: int
    end: int

    def __str__(self) -> str:
        return "-".join(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (self.start, self.end))


def parse_night(text: str) -> Night:
    """The quiet hours that `text` names: `22:00-07:00`, `22-7`. Raises Refused (`bad_night`)."""
    if match := _NIGHT.fullmatch(text.strip()):
        start, end = (int(match[hour]) * 60 + int(match[hour + 1] or 0) for hour in (1, 3))
        minutes_are_such = all(int(match[minute] or 0) < 60 for minute in (2, 4))
        # 24:00 is how some people write midnight.
        if minutes_are_such and start <= _DAY and end <= _DAY and start % _DAY != end % _DAY:
            return Night(start % _DAY, end % _DAY)
    raise Refused(Reason.BAD_NIGHT)


def parse_zone(text: str) -> ZoneInfo:
    """The time zone that `text` names, as the IANA data base does, or its city: `Europe/Warsaw`, `new york`, `UTC`.

    Raises Refused (`bad_zone`).
    """
    name = _zones().get(text.strip().casefold().replace(" ", "_"))
    if name is None:
        raise Refused(Reason.BAD_ZONE)
    return ZoneInfo(name)


@cache
def _zones() -> dict[str, str]:
    """The names of the zones that there are, by their whole name and by that of the city."""
    names = sorted(zoneinfo.available_timezones())
    parts = {name: name.casefold().split("/") for name in names}
    cities = {path[-1]: name for name, path in parts.items() if len(path) > 1 and path[0] in _CONTINENTS}
    return cities | {name.casefold(): name for name in names}


@dataclass(frozen=True, slots=True)
class Person:
    """The settings of `id`, with what holds until he changes them.

    `language` and `theme` are keys (None: what his Discord speaks); `confirm_live` and `confirm_days` say whether a
    move is asked for twice, by the speed of the clock; the night counts in `zone`, which everybody with a night has;
    `terms` are what his challenges offer unless he says otherwise. `version` counts the changes.
    """

    id: UserId
    language: str | None = None
    theme: str = "paper"
    confirm_live: bool = False
    confirm_days: bool = True
    reminders: Reminders = Reminders.CHANNEL
    night: Night | None = None
    zone: ZoneInfo | None = None
    terms: Terms | None = None
    version: int = 0

    def confirms(self, *, live: bool) -> bool:
        """Whether he wants to see a move before it counts."""
        return self.confirm_live if live else self.confirm_days
