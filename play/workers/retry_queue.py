"""Errands: what the store says is to be done, done by a task, also after a restart, ever more seldom where it fails."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from play.match.match import Match
from play.workers.loop import Rounds

K = TypeVar("K", bound=Hashable)

log = logging.getLogger(__name__)

RESCAN = 15.0
"""Seconds between two looks, for what another process left behind and for what only time brings about."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 600.0
"""Seconds between two tries of one errand: twice as many after each."""

AT_ONCE = 50


class Unfinished(Exception):
    """An errand could not be done for a reason that is known; it is tried again like any other."""


class Errands(Rounds, Generic[K]):
    """A task that looks for errands, each named by a key, and does them; one that fails holds up no other.

    `clock` is in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._failed: dict[K, tuple[float, float]] = {}
        """The pause after the last try of what has failed, and when it is over."""

    async def found(self, limit: int) -> list[K]:
        """The errands that there are, so many at most."""
        raise NotImplementedError

    async def do(self, key: K) -> None:
        """Does one, after which it is found no more."""
        raise NotImplementedError

    def wake(self, match: Match | None = None) -> None:
        """There may be something to do, but not because of a match that goes on."""
        if match is None or match.outcome:
            self._woken.set()

    async def round(self) -> None:
        """Does what there is, but for what has failed and still has to wait."""
        limit = AT_ONCE + len(self._failed)
        found = await self.found(limit)
        self._failed = {key: self._failed[key] for key in found if key in self._failed}
        done = 0
        for key in found:
            pause, until = self._failed.get(key, (0.0, 0.0))
            if until > self._clock():
                continue
            try:
                await self.do(key)
            except Exception as error:
                known = isinstance(error, Unfinished)
                log.warning("%s, %s: %s", type(self).__name__, key, error, exc_info=None if known else error)
                pause = min(2 * pause or FIRST_PAUSE, LONGEST_PAUSE)
                self._failed[key] = pause, self._clock() + pause
            else:
                self._failed.pop(key, None)
                done += 1
        if done and len(found) == limit:
            self.wake()

    def pause(self) -> float:
        now = self._clock()
        return max(0.0, min((RESCAN, *(until - now for _, until in self._failed.values()))))
