"""Pictures wait their turn; players for whom it would take too long are told so."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bot.services.drawing_pool import THREADS, DrawingPool
from bot.telemetry.metrics import Metrics
from loopback import HANG_SECONDS
from play.refusal import Refused


@pytest.fixture
async def metrics() -> Metrics:
    metrics = Metrics()
    asyncio.get_running_loop().set_default_executor(DrawingPool(metrics, most=2))
    return metrics


def paint() -> str:
    return "a board"


async def test_a_picture_is_drawn_elsewhere_and_timed(metrics: Metrics) -> None:
    assert await asyncio.to_thread(paint) == "a board"
    assert b'kropka_drawing_seconds_count{picture="paint"} 1.0' in metrics.text()


class BusyThreads:
    """All threads at work, and two pictures that wait, until the block ends."""

    def __init__(self) -> None:
        self._started, self._finish = threading.Semaphore(0), threading.Event()
        self._tasks: list[asyncio.Task[object]] = []

    def _work(self) -> None:
        self._started.release()
        self._finish.wait(timeout=HANG_SECONDS)

    async def __aenter__(self) -> BusyThreads:
        self._tasks += [asyncio.create_task(asyncio.to_thread(self._work)) for _ in range(THREADS)]
        await asyncio.sleep(0)
        assert all(self._started.acquire(timeout=HANG_SECONDS) for _ in range(THREADS))
        self._tasks += [asyncio.create_task(asyncio.to_thread(paint)) for _ in range(2)]
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._finish.set()
        await asyncio.gather(*self._tasks)


async def test_when_too_much_waits_a_further_picture_is_refused(metrics: Metrics) -> None:
    async with BusyThreads():
        with pytest.raises(Refused) as refused:
            await asyncio.to_thread(paint)
    assert refused.value.key == "drawing_busy"
    assert await asyncio.to_thread(paint) == "a board"


async def test_how_many_wait_is_measured(metrics: Metrics) -> None:
    async with BusyThreads():
        with pytest.raises(Refused):
            await asyncio.to_thread(paint)
        assert b"kropka_drawings_waiting 2.0" in metrics.text()


async def test_an_address_is_looked_up_however_much_waits(metrics: Metrics) -> None:
    async with BusyThreads():
        found = asyncio.get_running_loop().run_in_executor(None, paint)
    assert await found == "a board"
