"""Workers that die, hang and get too many requests."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from opponent.captures import oversight
from opponent.choice import Budget, Choice
from opponent.pool import AlreadyAsked, Busy, EngineFailed, Pool
from rules.registry import make_game
from tests.opponent.dots.unseen import last_position
from tests.processes import end_of

TROUBLE = "tests.opponent.trouble"


@asynccontextmanager
async def at_work(**settings: Any) -> AsyncIterator[Pool]:
    pool = Pool(worker=TROUBLE, **settings)
    work = asyncio.create_task(pool.run())
    try:
        yield pool
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


OLA, MAKSIM = 101, 102


def ask(pool: Pool, word: str, file: Path, asker: int | None = None) -> asyncio.Task[Choice]:
    position: Any = (word, file)
    return asyncio.ensure_future(pool.choose(position, Budget(nodes=1), seed=0, level=1, asker=asker))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "seen"


async def test_a_worker_answers_one_request_after_the_other(file: Path) -> None:
    async with at_work() as pool:
        assert (await ask(pool, "", file)) == (await ask(pool, "", file))


async def test_two_workers_think_at_once(file: Path) -> None:
    async with at_work(workers=2, limit=60.0) as pool:
        stuck = ask(pool, "hang", file)
        await ask(pool, "", file)
        assert not stuck.done()


async def test_a_request_that_killed_a_worker_is_asked_again(file: Path) -> None:
    async with at_work() as pool:
        before = await ask(pool, "", file)
        after = await ask(pool, "die", file)
        assert after.move != before.move


async def test_a_worker_that_hangs_is_replaced(file: Path) -> None:
    async with at_work(limit=0.2) as pool:
        before = await ask(pool, "", file)
        after = await ask(pool, "hang", file)
        assert after.move != before.move


async def test_a_worker_that_was_killed_while_it_had_nothing_to_do_is_replaced(file: Path) -> None:
    async with at_work() as pool:
        before = await ask(pool, "", file)
        os.kill(int(before.move), signal.SIGKILL)
        after = await ask(pool, "", file)
        assert after.move != before.move


async def test_a_request_that_kills_every_worker_is_given_up(file: Path) -> None:
    async with at_work() as pool:
        with pytest.raises(EngineFailed):
            await ask(pool, "die always", file)
        assert await ask(pool, "", file)


async def test_an_error_in_a_worker_is_raised_and_the_worker_lives_on(file: Path) -> None:
    async with at_work() as pool:
        before = await ask(pool, "", file)
        with pytest.raises(LookupError, match="no such move"):
            await ask(pool, "fail", file)
        assert await ask(pool, "", file) == before


async def test_a_request_beyond_the_queue_is_rejected(file: Path) -> None:
    pool = Pool(waiting=2, worker=TROUBLE)
    waiting = [ask(pool, "", file), ask(pool, "", file)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await ask(pool, "", file)
    for request in waiting:
        request.cancel()


async def test_a_move_does_not_wait_for_help(file: Path) -> None:
    async with at_work(limit=60.0) as pool:
        helped = [ask(pool, "hang", file, asker) for asker in range(1, 6)]
        assert await ask(pool, "", file)
        assert not any(each.done() for each in helped)


async def test_help_does_not_wait_for_moves(file: Path) -> None:
    async with at_work(limit=60.0) as pool:
        moves = [ask(pool, "hang", file), ask(pool, "", file)]
        assert await ask(pool, "", file, OLA)
        assert not any(each.done() for each in moves)


async def test_an_asker_has_one_request_at_a_time(file: Path) -> None:
    async with at_work() as pool:
        first = ask(pool, "", file, OLA)
        await asyncio.sleep(0)
        with pytest.raises(AlreadyAsked):
            await ask(pool, "", file, OLA)
        assert await ask(pool, "", file, MAKSIM)
        assert first.done()
        assert await ask(pool, "", file, OLA)


async def test_one_who_asks_and_gives_up_gains_no_place(file: Path) -> None:
    pool = Pool(worker=TROUBLE)
    given_up = ask(pool, "", file, OLA)
    await asyncio.sleep(0)
    given_up.cancel()
    with pytest.raises(AlreadyAsked):
        await ask(pool, "", file, OLA)


async def test_help_beyond_its_queue_is_rejected_and_moves_are_not(file: Path) -> None:
    pool = Pool(help_waiting=2, worker=TROUBLE)
    waiting = [ask(pool, "", file, asker) for asker in (OLA, MAKSIM)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await ask(pool, "", file, 103)
    waiting.append(ask(pool, "", file))
    await asyncio.sleep(0)
    assert not waiting[-1].done()
    for request in waiting:
        request.cancel()


@pytest.mark.parametrize("asker", [None, OLA])
async def test_a_worker_without_requests_ends_and_comes_back(file: Path, asker: int | None) -> None:
    async with at_work(idle=0.05) as pool:
        first = int((await ask(pool, "", file, asker)).move)
        await end_of(first)
        assert first not in pool.pids
        assert int((await ask(pool, "", file, asker)).move) != first


async def test_the_worker_for_help_starts_when_it_is_needed(file: Path) -> None:
    async with at_work() as pool:
        mover = int((await ask(pool, "", file)).move)
        assert pool.pids == {mover}
        helper = int((await ask(pool, "", file, OLA)).move)
        assert pool.pids == {mover, helper}


async def test_no_request_is_lost_however_often_workers_end(file: Path) -> None:
    """The workers end as soon as they have nothing to do, while the next requests come."""
    async with at_work(workers=2, idle=0.0) as pool:
        for _ in range(3):
            assert all(await asyncio.gather(*(ask(pool, "", file) for _ in range(3))))


async def test_the_worker_that_was_busy_last_thinks_again_while_the_others_rest(file: Path) -> None:
    async with at_work(workers=3) as pool:
        while len(pool.pids) < 3:  # one that has just started would be the last one, too
            await ask(pool, "", file)
        workers = {(await ask(pool, "", file)).move for _ in range(6)}
        assert len(workers) == 1


async def test_requests_wait_until_the_workers_run(file: Path) -> None:
    pool = Pool(worker=TROUBLE)
    request = ask(pool, "", file)
    await asyncio.sleep(0)
    work = asyncio.create_task(pool.run())
    assert await request
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_a_request_that_was_cancelled_while_it_waited_is_never_thought_about(file: Path) -> None:
    pool = Pool(worker=TROUBLE)
    cancelled, next_one = ask(pool, "die", file), ask(pool, "", file)
    await asyncio.sleep(0)
    cancelled.cancel()
    work = asyncio.create_task(pool.run())
    await next_one
    assert not file.exists()  # noqa: ASYNC240 - a test has time
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_a_request_that_is_cancelled_in_the_worker_stops_no_other(file: Path) -> None:
    os.mkfifo(file)
    async with at_work(limit=0.2) as pool:
        stuck = ask(pool, "hang aloud", file)
        await asyncio.to_thread(file.read_text)
        stuck.cancel()
        assert await ask(pool, "", file)


async def test_no_worker_outlives_the_pool(file: Path) -> None:
    async with at_work() as pool:
        worker = int((await ask(pool, "", file)).move)
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


async def test_no_worker_for_help_outlives_the_pool(file: Path) -> None:
    os.mkfifo(file)
    async with at_work(limit=60.0) as pool:
        await ask(pool, "", file)
        stuck = ask(pool, "hang aloud", file, OLA)
        await asyncio.to_thread(file.read_text)
        workers = set(pool.pids)
    stuck.cancel()
    assert len(workers) == 2
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


async def test_a_worker_that_cannot_be_started_is_tried_again_later(file: Path) -> None:
    pauses = []
    enough = asyncio.Event()

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            enough.set()

    pool = Pool(worker="tests.opponent.nowhere", sleep=sleep)
    work = asyncio.create_task(pool.run())
    await enough.wait()
    assert pauses == [1.0, 2.0, 4.0]
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


@pytest.mark.process
async def test_the_worker_of_the_bot_thinks_about_every_kind_of_game() -> None:
    pool = Pool()
    work = asyncio.create_task(pool.run())
    for preset in ("zagram", "paper", "two-squares", "dot-dash"):
        game = make_game(preset, {"size": "9x9"})
        position = game.start(0)
        for number in range(3):
            choice = await pool.choose(position, Budget(nodes=8), number, 1)
            position = position.play(game.parse(choice.move))
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


@pytest.mark.process
@pytest.mark.smoke
async def test_the_worker_of_the_bot_looks_for_captures() -> None:
    pool = Pool()
    work = asyncio.create_task(pool.run())
    position = last_position("capture-of-four")
    assert await pool.look(position, "A1", OLA) == oversight(position, "A1") is not None
    assert await pool.look(position, "K6", OLA) is None
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
