"""Of a move and a flag exactly one wins, on every engine; `tests.storage.races` runs as many races as one likes."""

from __future__ import annotations

import random
from contextlib import AsyncExitStack

from storage import Database
from tests.clock import StoppedClock
from tests.storage.races import PROCESSES, race

MATCHES = 50


async def test_of_a_move_and_a_flag_exactly_one_wins(url: str, clock: StoppedClock) -> None:
    processes = 1 if url.startswith("sqlite") else PROCESSES
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(Database.open(url, now=clock)) for _ in range(processes)]
        won = await race([*stores], clock, MATCHES, random.Random(1))
    assert won.total() == MATCHES
    assert min(won["move"], won["flag"]) > 0
