"""Quiet hours, and how players write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from play.refusal import Reason, Refused

_DAY_MINUTES = 24 * 60
_TIME = r"(\d{1,2})(?:[:.](\d{2}))?"
_NIGHT = re.compile(rf"{_TIME}\s*(?:-|–|—|\.\.\.?|…)\s*{_TIME}")


@dataclass(frozen=True, slots=True)
class Night:
    """Quiet hours, in minutes after midnight in the player's time zone. They may include midnight.

    Written `22:00-07:00`.
    """

    start: int
    end: int

    def __str__(self) -> str:
        return "-".join(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (self.start, self.end))


def parse_night(text: str) -> Night:
    """Returns the quiet hours that `text` names: `22:00-07:00`, `22-7`. Raises Refused (`bad_night`)."""
    if match := _NIGHT.fullmatch(text.strip()):
        start, end = (int(match[hour]) * 60 + int(match[hour + 1] or 0) for hour in (1, 3))
        minutes_are_valid = all(int(match[minute] or 0) < 60 for minute in (2, 4))
        # Some players write midnight as 24:00.
        if minutes_are_valid and max(start, end) <= _DAY_MINUTES and start % _DAY_MINUTES != end % _DAY_MINUTES:
            return Night(start % _DAY_MINUTES, end % _DAY_MINUTES)
    raise Refused(Reason.BAD_NIGHT)
