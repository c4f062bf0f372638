"""A crowd: all places of an intake are taken, and one more waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from bot.services.gate import Intake, IntakeLimits
from loopback import HANG_SECONDS
from play.ids import UserId

PLACES = 4

FEW_PLACES = IntakeLimits(
    least_at_work=PLACES,
    most_at_work=PLACES,
    work_seconds=HANG_SECONDS,
    max_wait_seconds=0.0,
    late_seconds=HANG_SECONDS,
    least_waiting=1,
)
"""The limits of an intake in which nobody gives up a place, and one may wait."""


@asynccontextmanager
async def crowd(intake: Intake) -> AsyncIterator[None]:
    """Takes all places of an intake with FEW_PLACES, so that it turns away what comes until the block ends."""

    async def wait() -> None:
        async with intake.place(UserId(PLACES)):
            pass

    async with AsyncExitStack() as stack:
        for number in range(PLACES):
            await stack.enter_async_context(intake.place(UserId(number)))
        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        try:
            yield
        finally:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
