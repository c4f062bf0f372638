"""Workers of several processes, which process the same keys side by side."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TypeVar

from use_cases.worker import RetryLater, Worker

K = TypeVar("K")


async def process_side_by_side(key: K, *workers: Worker[K]) -> None:
    """Has each worker process a key, all at once. One that has to try again later gives up, as in its rounds."""
    await asyncio.gather(*(_attempt(worker, key) for worker in workers))


async def _attempt(worker: Worker[K], key: K) -> None:
    with suppress(RetryLater):
        await worker.process(key)
