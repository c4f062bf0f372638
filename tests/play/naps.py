"""A sleep for tasks that attend to matches, in which no time passes."""

from __future__ import annotations

import asyncio

from play.workers.worker import RESCAN


class Naps:
    """Sleeps no time. Between two looks at the store it waits until the test says `rescan`."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.rescan = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        if seconds == RESCAN:
            await self.rescan.wait()
            self.rescan.clear()
        else:
            self.pauses.append(seconds)
