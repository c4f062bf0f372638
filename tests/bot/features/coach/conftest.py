"""A channel whose bot has a quick engine for the computer."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from loopback import Discord
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.opponent.quick import Inside


@pytest.fixture
def engine() -> Inside:
    """Returns the computer's engine; a module with another one has its own fixture."""
    return Inside()


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, engine: Inside) -> AsyncIterator[Room]:
    room = Room(discord, url, clock)
    room.thinkers = lambda: engine
    await room.start()
    yield room
    await room.stop()
