"""The race between an answer and the acknowledgement that Discord wants within three seconds."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

ANSWER_SECONDS = 1.2
"""Seconds that an answer may take before the click is acknowledged, which takes twice the work. Discord waits for 3 s,
and as many seconds may have passed before the click was let in."""

Defer = Callable[[], Coroutine[Any, Any, None]]
"""A way to acknowledge an interaction."""


class Deferral:
    """Acknowledges an interaction by `defer` after so many `seconds`, unless its answer is ready before.

    Of an acknowledgement and an answer Discord takes only the one that comes first.
    """

    def __init__(self, defer: Defer, seconds: float) -> None:
        self._defer = defer
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(seconds, self._start)

    def extend(self, seconds: float) -> None:
        """Gives the answer so many more seconds, unless the interaction is acknowledged already."""
        if self._task is None:
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_at(self._timer.when() + seconds, self._start)

    async def acknowledge(self) -> None:
        """Acknowledges at once, if that is still to be done. Raises NotFound if it is too late."""
        self._timer.cancel()
        if self._task is None:
            self._start()
        assert self._task is not None, "it has just begun"
        await self._task

    async def take_over(self) -> bool:
        """Returns whether the caller has to give the first answer: from here on nothing else gives it."""
        self._timer.cancel()
        if self._task is not None:
            await self._task
        return self._task is None

    def _start(self) -> None:
        self._task = asyncio.create_task(self._defer())


@asynccontextmanager
async def deferring(defer: Defer, seconds: float) -> AsyncIterator[Deferral]:
    """Gives the block so many seconds for the interaction's first answer, then acknowledges it by `defer`."""
    deferral = Deferral(defer, seconds)
    try:
        yield deferral
    finally:
        await deferral.take_over()
