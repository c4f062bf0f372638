"""The functions that the event loop runs itself, by their names: what takes long belongs into a thread or a process."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def calls_on_loop() -> Iterator[Counter[str]]:
    """Counts the calls in the thread of the caller, by `function` or `Class.function`, until the block ends."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code.co_qualname] += 1

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def count_lines(work: Callable[..., Any], *arguments: Any) -> int:
    """Returns how many lines of Python a piece of work runs: its time, whatever else the machine does."""
    count = 0

    def note(_: FrameType, event: str, __: object) -> Any:
        nonlocal count
        count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        work(*arguments)
    finally:
        sys.settrace(before)
    return count


async def count_turns(work: Awaitable[T]) -> tuple[T, int]:
    """Returns what a piece of work returns, and how many turns another task had on the event loop meanwhile."""
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    other = asyncio.create_task(take_turns())
    await asyncio.sleep(0)
    try:
        return await work, turns
    finally:
        other.cancel()
