"""Seats and arenas that all readers of the site share, while they are read and changed at once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from web.world import World


async def test_what_was_read_before_a_change_is_told_to_nobody_after_it() -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()
    seats = ["taken meanwhile"]

    async def read() -> Any:
        found = [*seats]
        asked.set()
        await go_on.wait()
        return found

    of: Any = SimpleNamespace(everywhere=read)
    world: Any = World(of, of, of, clock=lambda: 0.0)
    early = asyncio.create_task(world.seats())
    await asked.wait()
    seats.clear()
    world.forget()
    go_on.set()
    assert await world.seats() == []
    assert await early == ["taken meanwhile"]
