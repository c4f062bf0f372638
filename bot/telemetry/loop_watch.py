"""The watch over the event loop: a thread that notices when a piece of work holds it, and names the handler.

It looks at the loop's thread from outside, so it works with any loop. Names are those of functions in the code; nothing
that a user has typed is in them.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import FrameType
from typing import NamedTuple

from bot.telemetry.metrics import Metrics

log = logging.getLogger(__name__)

LIMIT_SECONDS = 0.1
"""Seconds for which nothing may hold the loop: a second of them is felt by everybody who plays."""

TICK_SECONDS, LOOK_SECONDS = 0.05, 0.025
"""Seconds between two signs of life of the loop, and between two looks of the thread."""

WAIT_SECONDS = 1.0
"""Seconds from which on a hold is told in the log that took little of the processor. Shorter ones may be the machine's,
which has other work: they are counted alone."""

LINE_SECONDS = 60.0
"""Seconds between two lines in the log about one handler."""

OWN = frozenset(
    {"bot", "telegram", "matrix", "chat", "web", "presentation", "use_cases"}
    | {"play", "storage", "opponent", "renderer", "rules"}
)
"""The packages whose functions are named."""

COROUTINE = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

UNKNOWN, SEVERAL = "unknown", "several"
"""Names for what was not seen, and for a crowd of handlers of which none held the loop for long."""


class Way(NamedTuple):
    """The functions of ours that run in a thread, from the outermost to the innermost."""

    handler: str
    """The innermost coroutine; where there is none, the innermost function."""
    functions: tuple[str, ...]

    @classmethod
    def of(cls, frame: FrameType | None) -> Way:
        """Returns the way to a frame."""
        handler, functions, innermost = "", list[str](), _name(frame)
        while frame is not None:
            if str(frame.f_globals.get("__name__", "")).partition(".")[0] in OWN:
                functions.append(_name(frame))
                if not handler and frame.f_code.co_flags & COROUTINE:
                    handler = _name(frame)
            frame = frame.f_back
        return cls(handler or next(iter(functions), innermost), tuple(reversed(functions)))


class Hold(NamedTuple):
    """A time for which the loop was held, the way on which it was, and the processor's time that it took."""

    way: Way
    seconds: float
    worked: float


def _name(frame: FrameType | None) -> str:
    return UNKNOWN if frame is None else f"{frame.f_globals.get('__name__', '')}:{frame.f_code.co_qualname}"


class LoopWatch:
    """Calls `report` on the loop for each hold. `clock` has seconds, `processor` those of the processor that the
    calling thread has had."""

    def __init__(
        self,
        report: Callable[[Hold], None],
        clock: Callable[[], float] = time.monotonic,
        processor: Callable[[], float] = time.thread_time,
        *,
        limit: float = LIMIT_SECONDS,
        tick: float = TICK_SECONDS,
        look: float = LOOK_SECONDS,
    ) -> None:
        self._report = report
        self._clock = clock
        self._processor = processor
        self._limit, self._tick, self._look = limit, tick, look
        self._ticked = clock()
        self._seen: Counter[Way] = Counter()
        self._stopping = threading.Event()

    async def run(self) -> None:
        """Watches the running loop until it is cancelled."""
        thread = threading.Thread(target=self._watch, args=[threading.get_ident()], name="loop watch", daemon=True)
        thread.start()
        try:
            while True:
                self._seen, self._ticked, worked = Counter(), self._clock(), self._processor()
                await asyncio.sleep(self._tick)
                late = self._clock() - self._ticked - self._tick
                if late > self._limit:
                    self._explain(late, self._processor() - worked)
        finally:
            self._stopping.set()

    def _watch(self, loop_thread: int) -> None:
        while not self._stopping.wait(self._look):
            seen = self._seen
            if self._clock() - self._ticked > self._tick + self._look:
                seen[Way.of(sys._current_frames().get(loop_thread))] += 1

    def _explain(self, late: float, worked: float) -> None:
        """Reports the handlers that held the loop for longer than the limit, each with its part of the looks."""
        seen = self._seen or Counter({Way(UNKNOWN, ()): 1})
        share = late / seen.total()
        by_handler: Counter[str] = Counter()
        for way, looks in seen.items():
            by_handler[way.handler] += looks
        held = {handler: looks * share for handler, looks in by_handler.items() if looks * share > self._limit}
        if not held:
            self._report(Hold(Way(SEVERAL, ()), late, worked))
        for way, _ in seen.most_common():
            if (seconds := held.pop(way.handler, None)) is not None:
                self._report(Hold(way, seconds, worked * seconds / late))


class HoldLog:
    """Holds as a metric, and as a line in the log, one a minute for each handler."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        self._metrics = metrics
        self._clock = clock
        self._told: dict[str, float] = {}

    def note(self, hold: Hold) -> None:
        """Counts a hold, and tells of it."""
        now, handler = self._clock(), hold.way.handler
        self._metrics.observe_hold(handler, hold.seconds)
        if hold.worked < LIMIT_SECONDS and hold.seconds < WAIT_SECONDS:
            return
        if now - self._told.get(handler, -LINE_SECONDS) >= LINE_SECONDS:
            self._told[handler] = now
            way = " > ".join(hold.way.functions) or handler
            log.warning("%s held the event loop for %.0f ms (%s)", handler, 1000 * hold.seconds, way)


@asynccontextmanager
async def watching_loop(metrics: Metrics) -> AsyncIterator[None]:
    """Watches the running loop within the block."""
    watch = asyncio.create_task(LoopWatch(HoldLog(metrics).note).run())
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
