"""Transactions are all or nothing, one after the other; a reader's view does not change."""

from __future__ import annotations

import asyncio

import pytest

from play.ids import IdempotencyKey, MatchId
from storage import Database
from storage.errors import Stale
from tests.clock import StoppedClock
from tests.matches import a_match, add_match, load_match, play_turn, save_match
from tests.storage.test_matches import told
from use_cases import UseCases


async def test_what_ends_with_an_exception_is_not_written(store: Database) -> None:
    match = await add_match(store)

    async def fail() -> None:
        async with store.write() as tx:
            await tx.matches.save(play_turn(match))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert (await load_match(store, match.id)).version == 0


async def test_a_cancelled_transaction_is_not_written_and_blocks_no_other(store: Database) -> None:
    match = await add_match(store)
    written = asyncio.Event()

    async def hang() -> None:
        async with store.write() as tx:
            await tx.matches.save(play_turn(match))
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hang())
    await written.wait()
    task.cancel()
    await asyncio.wait([task])
    await save_match(store, play_turn(match))
    assert (await load_match(store, match.id)).version == 1


async def test_tasks_cancelled_at_any_moment_leave_a_store_that_works(store: Database) -> None:
    matches = [await add_match(store, a_match(channel)) for channel in range(1, 41)]
    tasks = [asyncio.create_task(save_match(store, play_turn(match))) for match in matches]
    for number, task in enumerate(tasks):
        for _ in range(number % 7):
            await asyncio.sleep(0)
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    match = await add_match(store, a_match(99))
    await save_match(store, play_turn(match))
    assert (await load_match(store, match.id)).version == 1


async def test_a_reader_sees_one_moment(store: Database) -> None:
    match = await add_match(store)
    async with store.read() as reader:
        before = await reader.matches.get(match.id)
        await save_match(store, play_turn(match))
        after = await reader.matches.get(match.id)
    assert before is not None
    assert after is not None
    assert (before.version, after.version) == (0, 0)


async def test_a_writer_sees_what_it_has_written(store: Database) -> None:
    match = await add_match(store)
    async with store.write() as tx:
        await tx.matches.save(play_turn(match))
        seen = await tx.matches.get(match.id)
    assert seen is not None
    assert seen.version == 1


async def test_the_store_has_the_time_of_its_clock(store: Database, clock: StoppedClock) -> None:
    clock.advance(5)
    async with store.read() as reader:
        assert await reader.clock.now() == clock()


@pytest.mark.parametrize("count", [20, pytest.param(300, marks=pytest.mark.contest)])
async def test_of_many_concurrent_moves_none_is_lost_and_none_fails(store: Database, count: int) -> None:
    matches = [await add_match(store, a_match(channel)) for channel in range(count)]
    use_cases = UseCases.over(store, seeds=lambda: 0)

    async def move(match: MatchId, user: int, text: str) -> None:
        stored = await load_match(store, match)
        await use_cases.matches.move(
            match, stored.players[user], text, stored.clock.since, IdempotencyKey(match * 10 + user)
        )

    await asyncio.gather(*(move(match.id, 0, "A1") for match in matches))
    await asyncio.gather(*(move(match.id, 1, "E5") for match in matches))
    assert [(await load_match(store, match.id)).version for match in matches] == [2] * count


async def test_of_concurrent_moves_in_one_match_exactly_one_is_first(store: Database) -> None:
    match = await add_match(store)
    rivals = [play_turn(match, "A1", source=source) for source in range(1, 101)]
    results = await asyncio.gather(*(save_match(store, rival) for rival in rivals), return_exceptions=True)
    assert sum(isinstance(result, Stale) for result in results) == 99
    assert (await load_match(store, match.id)).version == 1


async def test_of_concurrent_twins_with_one_source_exactly_one_counts(store: Database) -> None:
    matches = [await add_match(store, a_match(channel)) for channel in range(1, 21)]
    twins = [play_turn(match, source=5) for match in matches]
    await asyncio.gather(*(save_match(store, twin) for twin in twins), return_exceptions=True)
    assert sum([(await load_match(store, match.id)).version for match in matches]) == 1


async def test_of_concurrent_matches_in_one_channel_exactly_one_begins(store: Database) -> None:
    results = await asyncio.gather(*(add_match(store, a_match(1)) for _ in range(50)), return_exceptions=True)
    assert sum(not isinstance(result, BaseException) for result in results) == 1


@pytest.mark.smoke
async def test_a_whole_game_is_there_after_a_restart(url: str) -> None:
    async with Database.open(url) as store:
        match = await add_match(store)
        while not match.outcome:
            match = await save_match(store, play_turn(match))
    async with Database.open(url) as store:
        assert told(await load_match(store, match.id)) == told(match)
