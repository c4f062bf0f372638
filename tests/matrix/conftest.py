"""People on a Synapse, and the bot's account."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from storage import Database
from tests.matrix.hearing import Bot
from tests.matrix.people import Player
from tests.matrix.synapse import Synapse

Meet = Callable[[str], Awaitable[Player]]


@pytest.fixture
async def meet(synapse: Synapse) -> AsyncIterator[Meet]:
    """Registers a player of a name and returns them."""
    async with AsyncExitStack() as stack:

        async def register(name: str) -> Player:
            return await stack.enter_async_context(await asyncio.to_thread(Player, synapse, name))

        yield register


@pytest.fixture
async def store(url: str) -> AsyncIterator[Database]:
    async with Database.open(url) as store:
        yield store


@pytest.fixture
async def bot(synapse: Synapse, store: Database) -> AsyncIterator[Bot]:
    """The adapter, with a listener behind it that notes what is heard."""
    async with Bot(synapse, store) as bot:
        yield bot
