"""Counts of the queries that an answer of the bot costs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.bot.room import Room

TRIES = 5
"""Tries of which the cheapest counts."""


@contextmanager
def statements(room: Room, *, written: bool = False) -> Iterator[list[str]]:
    """Yields the statements with which the bot reads the database in the block, and those of its transactions if what
    is `written` counts as well."""
    sent: list[str] = []

    def note(_: Any, statement: str, __: Any) -> None:
        sent.append(statement)

    store: Any = room.services.store
    engines = (store._reader, store._writer) if written else (store._reader,)
    for engine in engines:
        engine.watchers.append(note)
    try:
        yield sent
    finally:
        for engine in engines:
            engine.watchers.remove(note)


async def cost(room: Room, act: Callable[[], Awaitable[Any]]) -> int:
    """Returns how many queries something takes: the fewest of some tries, since the bot works beside it."""
    counts = []
    for _ in range(TRIES):
        with statements(room) as sent:
            await act()
        counts.append(len(sent))
    return min(counts)
