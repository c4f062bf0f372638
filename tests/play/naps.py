"""Workers that run for a test, and their time, which passes only while they sleep."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Protocol

from loopback import HANG_SECONDS
from use_cases.worker import MAX_PLAY_BACKOFF_SECONDS, Backoff, Timing

POLL_SECONDS = 1_000_000.0
"""So long that no pause is cut short by it."""


class Runnable(Protocol):
    """A worker."""

    def run(self) -> Coroutine[Any, Any, None]: ...


@asynccontextmanager
async def running(worker: Runnable) -> AsyncIterator[None]:
    """Lets a worker run for the block. Raises TimeoutError."""
    task = asyncio.create_task(worker.run())
    try:
        async with asyncio.timeout(HANG_SECONDS):
            yield
    finally:
        task.cancel()
        await asyncio.wait([task])


class Naps:
    """Sleeps no time. Between two polls it waits until the test says `rescan`."""

    def __init__(self) -> None:
        self.time = 0.0
        self.pauses: list[float] = []
        self.rescan = asyncio.Event()

    @property
    def timing(self) -> Timing:
        backoff = Backoff(max_seconds=MAX_PLAY_BACKOFF_SECONDS)
        return Timing(POLL_SECONDS, backoff, clock=lambda: self.time, sleep=self.sleep)

    async def sleep(self, seconds: float) -> None:
        if seconds > POLL_SECONDS / 2:
            await self.rescan.wait()
            self.rescan.clear()
        else:
            self.pauses.append(seconds)
        self.time += seconds
