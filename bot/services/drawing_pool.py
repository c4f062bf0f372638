"""Threads that draw pictures away from the event loop: a few at once, and no more wait than can be drawn in time."""

import contextvars
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from bot.telemetry.metrics import Metrics
from play.refusal import Reason, Refused

THREADS = max(2, os.cpu_count() or 1)
"""Pictures that are drawn at once."""

MAX_WAITING = 200
"""Pictures that wait: some four seconds of work. Above it players are told to try again; boards wait in the outbox."""


class DrawingPool(ThreadPoolExecutor):
    """The executor behind `asyncio.to_thread` while the bot runs, so that no picture goes round the queue."""

    def __init__(self, metrics: Metrics, most: int = MAX_WAITING) -> None:
        super().__init__(THREADS, thread_name_prefix="drawing")
        self._metrics = metrics
        self._most = most

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs `work` in a thread. Raises Refused (`drawing_busy`) for `asyncio.to_thread` where too much waits.

        What asyncio submits itself, the look-up of addresses, is never refused.
        """
        context = getattr(getattr(work, "func", None), "__self__", None)
        if not isinstance(context, contextvars.Context):
            return super().submit(work, *args, **kwargs)
        waiting = self._work_queue.qsize()
        self._metrics.drawing.set(waiting)
        if waiting >= self._most:
            raise Refused(Reason.DRAWING_BUSY)
        name = getattr(work.args[0], "__qualname__", "other")  # type: ignore[attr-defined]
        return super().submit(self._timed, name, work)

    def _timed(self, name: str, work: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        try:
            return work()
        finally:
            self._metrics.observe_drawing(name, time.perf_counter() - began)
