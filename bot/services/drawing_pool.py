"""Where pictures are drawn, away from the event loop: a few at once, and no more wait than can be drawn in time."""

from __future__ import annotations

import contextvars
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.telemetry.metrics import Meters

HANDS = max(2, os.cpu_count() or 1)

MOST = 200
"""Pictures that wait: some four seconds of work. Whoever asks for another one is told to try again; the boards of
matches wait in the outbox."""


class Studio(ThreadPoolExecutor):
    """The executor behind `asyncio.to_thread` while the bot runs, so that no picture goes round the queue."""

    def __init__(self, meters: Meters, most: int = MOST) -> None:
        super().__init__(HANDS, thread_name_prefix="studio")
        self._meters = meters
        self._most = most

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Raises Refused (`drawing_busy`) for what `asyncio.to_thread` brings when too much waits; what asyncio brings
        of its own, the look-up of addresses, has no picture to wait for."""
        context = getattr(getattr(work, "func", None), "__self__", None)
        if not isinstance(context, contextvars.Context):
            return super().submit(work, *args, **kwargs)
        waiting = self._work_queue.qsize()
        self._meters.drawing.set(waiting)
        if waiting >= self._most:
            raise Refused(Reason.DRAWING_BUSY)
        name = getattr(work.args[0], "__qualname__", "other")  # type: ignore[attr-defined]
        return super().submit(self._timed, name, work)

    def _timed(self, name: str, work: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        try:
            return work()
        finally:
            self._meters.drew(name, time.perf_counter() - began)
