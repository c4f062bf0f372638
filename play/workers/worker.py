"""One task a match in which something waits to be done, so that one that is slow holds up no other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from play.ids import MatchId

log = logging.getLogger(__name__)

RESCAN = 15.0
"""Seconds between two looks at the store, for what another process left behind."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two tries in one match: twice as many after each."""


class Attending:
    """Attends to the matches that it is woken for, and to those that the store names."""

    def __init__(self, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._sleep = sleep
        self._group: asyncio.TaskGroup | None = None
        self._busy: set[MatchId] = set()
        self._woken: set[MatchId] = set()
        self._stopping = asyncio.Event()

    async def waiting(self) -> Sequence[MatchId]:
        """The matches in which there may be something to do."""
        raise NotImplementedError

    async def attend(self, match: MatchId) -> bool:
        """Does what is to be done next in a match; False if nothing more waits. What it raises is tried again."""
        raise NotImplementedError

    async def run(self) -> None:
        """Looks at the store, at once and from time to time, until it is told to stop."""
        async with asyncio.TaskGroup() as self._group:
            try:
                while not self._stopping.is_set():
                    try:
                        for match in await self.waiting():
                            self._start(match)
                    except Exception:
                        log.exception("%s could not look at the store", type(self).__name__)
                    await self._rest(RESCAN)
            finally:
                self._group = None

    def stop(self) -> None:
        """Ends `run` when what was woken is done, or has failed once more: then it waits in the store."""
        self._stopping.set()

    def _start(self, match: MatchId) -> None:
        """Attends to a match, again if it is being attended to. While nothing runs it waits in the store."""
        if self._group is None:
            return
        self._woken.add(match)
        if match not in self._busy:
            self._busy.add(match)
            self._group.create_task(self._attend(match))

    async def _attend(self, match: MatchId) -> None:
        pause = FIRST_PAUSE
        try:
            while match in self._woken:  # woken while it was at it, it looks again
                self._woken.remove(match)
                try:
                    while await self.attend(match):
                        pause = FIRST_PAUSE
                except Exception:
                    log.exception("%s failed in match %d", type(self).__name__, match)
                    if self._stopping.is_set():
                        break
                    self._woken.add(match)
                    await self._rest(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            self._busy.remove(match)

    async def _rest(self, seconds: float) -> None:
        """Sleeps, but not past the wish to stop."""
        resting = [asyncio.ensure_future(self._sleep(seconds)), asyncio.ensure_future(self._stopping.wait())]
        try:
            await asyncio.wait(resting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in resting:
                each.cancel()
