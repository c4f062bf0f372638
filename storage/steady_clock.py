"""The database's clock, checked against the uptime of this machine, which cannot be set and which counts during a
suspension as well.

A jump of the clock is not believed at once. Until it has lasted, time goes on by the uptime. So a clock that is wrong
for some seconds decides nothing and stores nothing.
"""

import logging
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from play.ids import MINUTE, Millis
from storage.statements import Connection

MAX_STEP_MILLIS = Millis(2000)
"""The clock may be set by so much at once, as NTP does; a flag falls no earlier than that after its time."""

DOUBT_MILLIS = MINUTE
"""A jump has to last so long before it is believed. A jump back needs to last no longer than the time before it was
known: a clock that was not set yet at the start may be ahead, and flags fall by it."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")

log = logging.getLogger(__name__)

Ask = Callable[[Connection], Awaitable[Millis]]


class Pulse(NamedTuple):
    """A heartbeat of this process by its `uptime`; a gap of more than `away` after it may be a downtime."""

    uptime: Millis
    away: Millis


def uptime() -> Millis:
    """Returns how long this machine has been running, suspended or not."""
    if sys.platform == "win32":
        return Millis(time.monotonic_ns() // 1_000_000)
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # on Linux the latter stops in a suspended machine
    return Millis(time.clock_gettime_ns(clock) // 1_000_000)


def boot() -> str | None:
    """Returns an id of the present run of this machine; None where it has none."""
    try:
        return _BOOT.read_text(encoding="ascii").strip() or None
    except OSError:
        return None


class SteadyClock:
    """The clock of one process, asked by `ask`. `boot` names the run of the machine in which the `uptime` counts;
    without an `uptime` every answer is believed, and `peek` has the same time at once."""

    def __init__(
        self,
        ask: Ask,
        uptime: Callable[[], Millis] | None,
        boot: str | None = None,
        peek: Callable[[], Millis] | None = None,
    ) -> None:
        self.boot = boot
        self._peek = peek
        self._ask = ask
        self._uptime = uptime
        self._origin: Millis | None = None
        """The moment at which the uptime was 0, and the uptime since which that is known."""
        self._known = Millis(0)
        self._doubted: tuple[Millis, Millis] | None = None
        """The same by a jump that is not believed yet."""
        self._beaten: Pulse | None = None

    @property
    def origin(self) -> Millis | None:
        """Returns the moment at which this machine's uptime was 0, if it is known."""
        return self._origin

    def moment(self) -> Millis | None:
        """Returns the time by the uptime; None while its beginning is unknown."""
        if self._uptime is None:
            return self._peek() if self._peek else None
        return None if self._origin is None else Millis(self._origin + self._uptime())

    def trust(self, origin: Millis) -> None:
        """Takes over the `origin` that an earlier process in the same run of the machine has known for long."""
        if self._uptime is not None:
            self._origin, self._known = origin, Millis(self._uptime() - DOUBT_MILLIS)

    async def now(self, connection: Connection) -> Millis:
        """Returns the time at the database; while that is in doubt, the time by the uptime."""
        if self._uptime is None:
            return await self._ask(connection)
        before = self._uptime()
        asked = await self._ask(connection)
        after = self._uptime()
        if self._origin is None:
            self._origin, self._known = Millis(asked - after), after
        # The process may have waited for the answer, or have been frozen: it was given at any time in between.
        error = asked - min(max(asked, self._origin + before), self._origin + after)
        if abs(error) <= MAX_STEP_MILLIS:
            self._origin, self._doubted = Millis(self._origin + error), None
            return asked
        jumped = Millis(self._origin + error)
        if self._doubted is None or abs(jumped - self._doubted[0]) > MAX_STEP_MILLIS:
            self._doubted = jumped, after
            log.warning("the database's clock has jumped by %d s, which is not believed yet", error // 1000)
        since = self._doubted[1]
        if after - since < (DOUBT_MILLIS if error > 0 else min(DOUBT_MILLIS, since - self._known)):
            return Millis(self._origin + after)
        self.believe()
        return asked

    def believe(self) -> None:
        """Makes the jump that is in doubt count from now on."""
        assert self._doubted is not None, "it is in doubt"
        self._origin, self._known = self._doubted
        self._doubted = None
        log.warning("the database's clock is believed again")

    def is_borne_out(self, moment: Millis, within: Millis) -> bool:
        """Returns whether `moment`, the present of another process just now, fits a jump that is in doubt and not the
        time by the uptime."""
        if self._uptime is None or self._doubted is None or self._origin is None:
            return False
        jumped, ours = self._doubted[0] + self._uptime(), self._origin + self._uptime()
        return abs(jumped - moment) <= within < abs(ours - moment)

    def pulse(self, away: Millis) -> Pulse | None:
        """Returns the argument of `beaten`, to be called once a heartbeat that begins now is committed."""
        return None if self._uptime is None else Pulse(self._uptime(), away)

    def beaten(self, pulse: Pulse) -> None:
        """Counts a committed heartbeat."""
        self._beaten = pulse

    @property
    def overdue(self) -> Pulse | None:
        """Returns the last heartbeat of this process, if it is so old that a downtime may have passed unnoticed."""
        if self._uptime is None or self._beaten is None:
            return None
        return self._beaten if self._uptime() - self._beaten.uptime > self._beaten.away else None
