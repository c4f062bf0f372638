"""A world on each chat platform."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import aiohttp
import pytest

from storage import Database
from tests.chat.driving import FakeDriver
from tests.chat.world import World
from tests.clock import StoppedClock
from tests.matrix.driver import MatrixDriver
from tests.matrix.synapse import Synapse
from tests.telegram import stand_in
from tests.telegram.driver import TelegramDriver
from use_cases import UseCases

PLATFORMS = ("memory", "telegram", "matrix")
"""The columns of the table: one platform in memory, and the stand-in of each real one."""


@asynccontextmanager
async def open_on_matrix(
    synapse: Synapse, store: Database, clock: StoppedClock, coach: Any = None
) -> AsyncIterator[World]:
    """Runs a world on a real homeserver."""
    async with aiohttp.ClientSession() as session:
        drivers: list[MatrixDriver] = []

        def make(use_cases: UseCases, clock: StoppedClock) -> MatrixDriver:
            drivers.append(MatrixDriver(use_cases, clock, synapse, session))
            return drivers[0]

        world = World(store, clock, make, coach)
        await world.open()
        yield world
        await drivers[0].close()


@asynccontextmanager
async def open_world(platform: str, store: Database, clock: StoppedClock, coach: Any = None) -> AsyncIterator[World]:
    """Runs a world on a platform."""
    if platform == "memory":
        world = World(store, clock, FakeDriver, coach)
        await world.open()
        yield world
        return
    async with stand_in.serve(clock) as telegram, aiohttp.ClientSession() as session:
        world = World(store, clock, partial(TelegramDriver, telegram=telegram, session=session), coach)
        await world.open()
        yield world


@pytest.fixture(params=PLATFORMS)
async def world(request: pytest.FixtureRequest, store: Database, clock: StoppedClock) -> AsyncIterator[World]:
    """A group with the bot, on each platform in turn."""
    if request.param == "matrix":
        opened = open_on_matrix(request.getfixturevalue("synapse"), store, clock)
    else:
        opened = open_world(request.param, store, clock)
    async with opened as world:
        yield world


@pytest.fixture
async def worlds(store: Database, clock: StoppedClock) -> AsyncIterator[tuple[World, World]]:
    """A platform in memory and Telegram's stand-in on one database."""
    async with AsyncExitStack() as stack:
        yield (
            await stack.enter_async_context(open_world("memory", store, clock)),
            await stack.enter_async_context(open_world("telegram", store, clock)),
        )
