"""An event loop whose time passes at once: it jumps to the next timer when nothing else is left to do.

Hours of polls, pauses and time limits take seconds, always in the same order. While something is computed, no time
passes.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from play.ids import Millis
from tests.clock import StoppedClock

T = TypeVar("T")

ARRIVAL_SECONDS = 0.001
"""Real seconds in which what was sent to a socket of this process arrives."""

WORK_SECONDS = 5.0
"""Real seconds after which work that says nothing is taken to wait for the time itself. On a busy machine a commit may
take a tenth of one."""


class _Selector(selectors.DefaultSelector):
    """A selector that lets the time of a loop jump instead of waiting for it."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        while not (ready := super().select(WORK_SECONDS if self.loop.works else ARRIVAL_SECONDS)):
            if timeout is None or self.loop.threads:
                continue
            self.loop.skip(timeout)
            break
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop. Work in threads of an executor holds the time; other work does so inside `working`."""

    def __init__(self) -> None:
        self._now = 0.0
        self.threads = self._working = 0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    @property
    def works(self) -> bool:
        """Whether something is on its way that no socket tells of."""
        return self.threads + self._working > 0

    def time(self) -> float:
        return self._now

    def skip(self, seconds: float) -> None:
        """Lets time pass."""
        self._now += seconds

    @contextmanager
    def working(self) -> Iterator[None]:
        """Lets the block end before the time jumps, unless it waits for that."""
        self._working += 1
        try:
            yield
        finally:
            self._working -= 1

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]
        future: asyncio.Future[T] = super().run_in_executor(executor, func, *args)
        self.threads += 1
        future.add_done_callback(self._note_done)
        return future

    def _note_done(self, _: object) -> None:
        self.threads -= 1


class VirtualClock(StoppedClock):
    """The clock of a loop: it begins at noon, and a test may move it on."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def __call__(self) -> Millis:
        return Millis(self.time + int(self._loop.time() * 1000))


def run_virtually(work: Coroutine[Any, Any, T]) -> T:
    """Runs `work` to its end on a loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
