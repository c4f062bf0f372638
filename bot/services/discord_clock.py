"""Discord's clock beside that of the bot's database, as the ids of what Discord sends tell it.

A deadline is by the database's clock, and the time of a click by Discord's. On a machine whose clock is wrong, a click
is read by the difference: its time is then what the database's clock showed.
"""

import logging
from collections.abc import Callable
from typing import NamedTuple

from bot.request import time_of
from play.ids import Millis

MAX_SKEW_MILLIS = Millis(2000)
"""A difference up to this is left alone: Discord's own delay, and as long as a flag waits for a move made in time."""

SAMPLES = 9
"""Ids that are compared: those that were delayed least."""

MIN_SAMPLES = 3
"""Ids from which a clock ahead of Discord's can be told from an id that has come late."""

SAMPLE_SECONDS = 3600.0
"""Seconds for which an id counts: longer than any session that Discord resumes, after which old events come late."""

log = logging.getLogger(__name__)


class _Sample(NamedTuple):
    """An id: the moment by Discord's clock at which the uptime was 0, earlier by as long as the id was delayed; and the
    uptime at which it came."""

    origin: float
    at: float


class DiscordClock:
    """Compares the two clocks at each id that arrives.

    An id is made before it arrives, never after, so the least delayed ones tell the time best. One odd id counts
    little: of three or more, the second best decides. Of fewer, an id that seems to come from the future tells that the
    database's clock is behind; one that seems old may only be late.

    Args:
        uptime: seconds that nobody can set, so that a clock which is set right is known to be right at once.
        moment: the time by the database's clock; None while it is unknown.
    """

    def __init__(self, uptime: Callable[[], float], moment: Callable[[], Millis | None]) -> None:
        self._uptime = uptime
        self._moment = moment
        self._samples: dict[int, _Sample] = {}
        self._reported = Millis(0)

    def note(self, snowflake: int) -> None:
        """Notes an id that has just arrived; logs it if the database's clock turns out to be wrong, or right again."""
        now = self._uptime()
        sample, old = _Sample(time_of(snowflake) - now * 1000, now), now - SAMPLE_SECONDS
        kept = self._samples.values()
        if len(kept) < SAMPLES or any(each.origin < sample.origin or each.at <= old for each in kept):
            heard = {number: each for number, each in self._samples.items() if each.at > old}
            heard.setdefault(snowflake, sample)
            best = sorted(heard, key=lambda number: -heard[number].origin)[:SAMPLES]
            self._samples = {number: heard[number] for number in best}
        self._report()

    @property
    def skew(self) -> Millis:
        """By how much the database's clock is ahead of Discord's; 0 for a small difference, or while none is known."""
        return _rounded(self._difference())

    def read(self, snowflake: int) -> Millis:
        """Returns when Discord made an id, by the database's clock."""
        return Millis(time_of(snowflake) + self.skew)

    def _difference(self) -> float:
        moment = self._moment()
        if moment is None or not self._samples:
            return 0.0
        now = moment - self._uptime() * 1000
        skews = sorted(now - each.origin for each in self._samples.values())
        return skews[1] if len(skews) >= MIN_SAMPLES else min(0.0, max(skews))

    def _report(self) -> None:
        """Logs a difference that has changed; of one at the limit, that it is there, and not each time it is not."""
        difference = self._difference()
        skew = _rounded(difference)
        if not skew and abs(difference) > MAX_SKEW_MILLIS / 2:
            return
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


def _rounded(difference: float) -> Millis:
    """Returns a difference of the clocks in whole milliseconds; 0 for a small one."""
    return Millis(0) if abs(difference) <= MAX_SKEW_MILLIS else Millis(round(difference))
