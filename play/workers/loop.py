"""A task that makes rounds: when it is woken, and from time to time."""

from __future__ import annotations

import asyncio
import logging

log = logging.getLogger(__name__)


class Rounds:
    """Runs until it is told to stop; a round that fails is logged, and made again after the pause."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._stopping = False

    async def round(self) -> None:
        """Does what there is to do."""
        raise NotImplementedError

    def pause(self) -> float:
        """Seconds until there may be something to do again without anybody waking it."""
        raise NotImplementedError

    def stop(self) -> None:
        """Lets the round that may be running be the last."""
        self._stopping = True
        self._woken.set()

    async def run(self) -> None:
        """Makes rounds until it is told to stop."""
        while not self._stopping:
            self._woken.clear()
            try:
                await self.round()
            except Exception:
                log.exception("%s failed in a round", type(self).__name__)
            try:
                async with asyncio.timeout(self.pause()):
                    await self._woken.wait()
            except TimeoutError:
                pass
