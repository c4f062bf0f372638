"""Discord's clock beside that of the bot's database, as the ids of what Discord sends tell it.

A deadline is by the database's clock, and the time of a click by Discord's. On a machine whose clock is wrong, a click
is read by the difference: its time is then what the database's clock showed.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from bot.request import time_of
from play.ids import Millis

MAX_SKEW_MILLIS = Millis(2000)
"""A difference up to this is left alone: Discord's own delay, and as long as a flag waits for a move made in time."""

SAMPLES = 9
"""Ids that are compared, the newest ones."""

log = logging.getLogger(__name__)


class DiscordClock:
    """Compares the two clocks at each id that arrives.

    An id is made before it arrives, never after, so the least delayed ones tell the time best. One odd id counts
    little: of three or more, the second best decides; of two, the one that says less of a difference.

    Args:
        uptime: seconds that nobody can set, so that a clock which is set right is known to be right at once.
        moment: the time by the database's clock; None while it is unknown.
    """

    def __init__(self, uptime: Callable[[], float], moment: Callable[[], Millis | None]) -> None:
        self._uptime = uptime
        self._moment = moment
        self._origins: deque[float] = deque(maxlen=SAMPLES)
        """The moments by Discord's clock at which the uptime was 0, each later by no more than its id was delayed."""
        self._reported = Millis(0)

    def note(self, snowflake: int) -> None:
        """Notes an id that has just arrived; logs it if the database's clock turns out to be wrong, or right again."""
        self._origins.append(time_of(snowflake) - self._uptime() * 1000)
        skew = self.skew
        if abs(skew - self._reported) <= MAX_SKEW_MILLIS:
            return
        self._reported = skew
        if skew:
            side = "ahead of" if skew > 0 else "behind"
            log.warning(
                "the clock is %.0f s %s Discord's; moves count all the same; let NTP set it", abs(skew) / 1000, side
            )
        else:
            log.warning("the clock agrees with Discord's again")

    @property
    def skew(self) -> Millis:
        """By how much the database's clock is ahead of Discord's; 0 for a small difference, or while none is known."""
        moment = self._moment()
        if moment is None or not self._origins:
            return Millis(0)
        now = moment - self._uptime() * 1000
        skews = sorted(now - origin for origin in self._origins)
        skew = skews[1] if len(skews) > 2 else min(skews, key=abs)
        return Millis(0) if abs(skew) <= MAX_SKEW_MILLIS else Millis(round(skew))

    def read(self, snowflake: int) -> Millis:
        """Returns when Discord made an id, by the database's clock."""
        return Millis(time_of(snowflake) + self.skew)
