"""Locks between processes, which end with their holder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from loopback import HANG_SECONDS
from storage.advisory import Locks
from storage.errors import Unavailable
from tests.postgres import Postgres

LOCK = (7, 3)


@pytest.fixture
async def pair(postgres_url: str) -> AsyncIterator[tuple[Locks, Locks]]:
    """Two processes."""
    async with Locks.open(postgres_url) as one, Locks.open(postgres_url) as other:
        yield one, other


async def test_a_lock_is_one_processs_at_a_time(pair: tuple[Locks, Locks]) -> None:
    assert [await pair[0].take(LOCK), await pair[1].take(LOCK)] == [True, False]


async def test_a_process_does_not_take_a_lock_twice(pair: tuple[Locks, Locks]) -> None:
    assert [await pair[0].take(LOCK), await pair[0].take(LOCK)] == [True, False]


async def test_a_released_lock_is_free(pair: tuple[Locks, Locks]) -> None:
    await pair[0].take(LOCK)
    await pair[0].release(LOCK)
    assert await pair[1].take(LOCK)


async def test_every_process_sees_which_locks_are_taken(pair: tuple[Locks, Locks]) -> None:
    await pair[0].take((7, 3))
    await pair[1].take((7, 5))
    await pair[1].take((8, 9))
    assert await pair[0].taken(7) == {3, 5}


async def test_the_locks_of_another_database_are_others(pair: tuple[Locks, Locks], bare_url: str) -> None:
    await pair[0].take(LOCK)
    async with Locks.open(bare_url) as elsewhere:
        assert await elsewhere.taken(7) == frozenset()
        assert await elsewhere.take(LOCK)


async def test_the_locks_of_a_process_that_ends_are_free(postgres_url: str, pair: tuple[Locks, Locks]) -> None:
    async with Locks.open(postgres_url) as ending:
        await ending.take(LOCK)
    async with asyncio.timeout(HANG_SECONDS):
        while not await pair[0].take(LOCK):  # the server notices the end a moment later
            pass


@pytest.mark.postgres
async def test_a_lost_connection_loses_the_locks_and_says_so(server: Postgres) -> None:
    async with Locks.open(await server.create("kropka")) as locks:
        await locks.take(LOCK)
        server.stop()
        with pytest.raises(Unavailable):
            await locks.taken(7)
        assert locks.held == frozenset()


@pytest.mark.postgres
async def test_after_the_database_is_back_locks_can_be_taken_again(server: Postgres) -> None:
    async with Locks.open(await server.create("kropka")) as locks:
        await locks.take(LOCK)
        server.stop()
        with pytest.raises(Unavailable):
            await locks.take((7, 4))
        server.start()
        assert await locks.take(LOCK)
