"""A sleep for workers in which no time passes."""

from __future__ import annotations

import asyncio

from play.workers.match_worker import RESCAN


class Naps:
    """A sleep of no time. Between two looks at the store it waits until the test sets `rescan`."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.rescan = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        if seconds == RESCAN:
            await self.rescan.wait()
            self.rescan.clear()
        else:
            self.pauses.append(seconds)
