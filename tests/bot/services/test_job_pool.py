"""Jobs run in worker processes: one that dies, hangs or takes too much costs only the players who asked for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from bot.services.job_pool import IDLE_SECONDS, MAX_PER_PLAYER, JobQueue
from bot.telemetry.metrics import Metrics
from loopback import HANG_SECONDS
from opponent.process import WorkerProcess
from opponent.worker import encode_frame
from play.records.record import BadRecord
from play.refusal import Reason, Refused
from renderer.cache import Cache
from tests.bot import jobs
from tests.bot.jobs import process_pool
from tests.processes import end_of

pytestmark = pytest.mark.process

OLA, MAKSIM, KASIA = 1, 2, 3

Sleep = Callable[[float], Awaitable[None]]


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def a_queue(metrics: Metrics, cache: int = 1 << 20, sleep: Sleep = asyncio.sleep) -> JobQueue:
    return JobQueue(
        "films",
        metrics,
        Cache(cache),
        cpu=30.0,
        seconds=60.0,
        waiting=4,
        niceness=1,
        too_much=Reason.FILM_TOO_LONG,
        sleep=sleep,
    )


@pytest.fixture
async def queue(metrics: Metrics) -> AsyncIterator[JobQueue]:
    queue = a_queue(metrics)
    yield queue
    await queue.close()


async def test_work_is_done_in_another_process_behind_the_bot(queue: JobQueue) -> None:
    pid = await queue.make(OLA, jobs.process)
    assert pid != os.getpid()
    assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + 1
    assert os.getsid(pid) == os.getsid(0)  # niceness counts within a session
    assert os.getpgid(pid) == pid  # Ctrl-C is for the bot


async def test_a_worker_does_not_know_the_settings_of_the_bot(queue: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KROPKA_TOKEN", "a secret")
    assert await queue.make(OLA, jobs.settings) == []


async def test_one_worker_serves_one_request_after_the_other(queue: JobQueue) -> None:
    first, second = await asyncio.gather(queue.make(OLA, jobs.process, 1), queue.make(MAKSIM, jobs.process, 2))
    assert first == second


async def test_what_goes_wrong_is_told_and_the_worker_lives_on(queue: JobQueue) -> None:
    before = await queue.make(OLA, jobs.process, 1)
    with pytest.raises(BadRecord) as error:
        await queue.make(OLA, jobs.refuse)
    assert (error.value.key, error.value.details) == ("no_dots", {"number": 3})
    assert "jobs.py" in "".join(error.value.__notes__)
    assert await queue.make(OLA, jobs.process, 2) == before


async def test_a_worker_that_dies_costs_only_its_request(queue: JobQueue) -> None:
    before = await queue.make(OLA, jobs.process, 1)
    dying = asyncio.ensure_future(queue.make(OLA, jobs.die))
    await asyncio.sleep(0)
    after = await queue.make(MAKSIM, jobs.process, 2)
    with pytest.raises(Refused) as refused:
        await dying
    assert refused.value.key == "lane_failed"
    assert after != before


async def test_what_takes_too_long_is_ended_and_said(metrics: Metrics) -> None:
    queue = a_queue(metrics)
    before = await queue.make(OLA, jobs.process, 1)
    queue.seconds = 0.2
    with pytest.raises(Refused) as refused:
        await queue.make(OLA, jobs.hang)
    assert refused.value.key == "film_too_long"
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)
    queue.seconds = 60.0
    assert await queue.make(OLA, jobs.process, 2) != before
    await queue.close()


async def test_what_takes_too_much_of_the_processor_is_stopped_and_said(metrics: Metrics) -> None:
    queue = a_queue(metrics)
    before = await queue.make(OLA, jobs.process, 1)
    queue.cpu = 0.2
    with pytest.raises(Refused) as refused:
        await queue.make(OLA, jobs.spin)
    assert refused.value.key == "film_too_long"
    assert await queue.make(OLA, jobs.process, 2) == before
    await queue.close()


async def test_what_takes_too_much_memory_is_refused(queue: JobQueue) -> None:
    with pytest.raises(Refused) as refused:
        await queue.make(OLA, jobs.allocate)
    assert refused.value.key == "film_too_long"
    assert await queue.make(OLA, jobs.process)


async def test_the_same_thing_asked_for_by_several_at_once_is_made_once(queue: JobQueue, tmp_path: Path) -> None:
    made = await asyncio.gather(*(queue.make(user, jobs.count_runs, tmp_path) for user in (OLA, MAKSIM, KASIA)))
    assert made == [1, 1, 1]


async def test_what_was_made_before_is_kept(queue: JobQueue, tmp_path: Path) -> None:
    assert await queue.make(OLA, jobs.count_runs, tmp_path) == 1
    assert await queue.make(MAKSIM, jobs.count_runs, tmp_path) == 1


async def test_what_is_not_to_be_kept_is_made_anew(queue: JobQueue, tmp_path: Path) -> None:
    assert await queue.make(OLA, jobs.count_runs, tmp_path, keep=False) == 1
    assert await queue.make(OLA, jobs.count_runs, tmp_path, keep=False) == 2


async def test_no_more_bytes_are_kept_than_there_is_room_for(metrics: Metrics, tmp_path: Path) -> None:
    queue = a_queue(metrics, cache=4 << 20)
    for number in range(8):
        await queue.make(OLA, jobs.fill_cache, tmp_path, number)
    await queue.make(OLA, jobs.fill_cache, tmp_path, 7)
    assert (tmp_path / "done").stat().st_size == 8  # the last one was kept
    await queue.make(OLA, jobs.fill_cache, tmp_path, 0)
    assert (tmp_path / "done").stat().st_size == 9  # the first one was not
    await queue.close()


async def hang_worker(queue: JobQueue, pipe: Path) -> asyncio.Task[None]:
    """Returns a request of Ola, over which the worker hangs by now."""
    os.mkfifo(pipe)
    task = asyncio.ensure_future(queue.make(OLA, jobs.hang_aloud, pipe))
    await asyncio.to_thread(pipe.read_text)
    return task


async def test_a_person_has_only_so_many_requests_in_a_queue(queue: JobQueue, tmp_path: Path) -> None:
    requests = [asyncio.ensure_future(queue.make(OLA, jobs.process, 1)) for _ in range(MAX_PER_PLAYER)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await queue.make(OLA, jobs.process, 1)
    assert refused.value.key == "lane_yours"
    assert await queue.make(MAKSIM, jobs.process, 1) == (await asyncio.gather(*requests))[0]


async def test_a_player_who_comes_when_as_many_wait_as_may_is_turned_away(queue: JobQueue, tmp_path: Path) -> None:
    requests = [asyncio.ensure_future(queue.make(10 + user, jobs.process, user)) for user in range(4)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await queue.make(OLA, jobs.process, 9)
    assert refused.value.key == "lane_busy"
    await asyncio.gather(*requests)
    assert await queue.make(OLA, jobs.process, 9)


async def test_how_much_waits_is_measured(queue: JobQueue, metrics: Metrics) -> None:
    request = asyncio.ensure_future(queue.make(OLA, jobs.process))
    await asyncio.sleep(0)
    assert b'kropka_lane_waiting{line="films"} 1.0' in metrics.text()
    await request
    await asyncio.sleep(0)
    assert b'kropka_lane_waiting{line="films"} 0.0' in metrics.text()
    assert b'kropka_lane_seconds_count{work="process"} 1.0' in metrics.text()


async def test_a_player_who_stops_waiting_stops_nobody_else(queue: JobQueue, tmp_path: Path) -> None:
    gone = asyncio.ensure_future(queue.make(OLA, jobs.count_runs, tmp_path))
    other = asyncio.ensure_future(queue.make(MAKSIM, jobs.count_runs, tmp_path))
    await asyncio.sleep(0)
    gone.cancel()
    assert await other == 1
    with pytest.raises(asyncio.CancelledError):
        await gone


async def test_no_worker_outlives_the_queue_and_players_who_wait_are_told(queue: JobQueue, tmp_path: Path) -> None:
    waiting = await hang_worker(queue, tmp_path / "pipe")
    worker = queue.pid
    assert worker is not None
    await queue.close()
    with pytest.raises(Refused) as refused:
        await waiting
    assert refused.value.key == "closing"
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    with pytest.raises(Refused) as refused:
        await queue.make(OLA, jobs.process)
    assert refused.value.key == "closing"


async def test_a_picture_waits_for_no_film(metrics: Metrics, tmp_path: Path) -> None:
    pool = process_pool(metrics)
    film = await hang_worker(pool.films, tmp_path / "pipe")
    assert await pool.pictures.make(OLA, jobs.process)
    assert pool.waiting == 1
    await pool.close()
    with pytest.raises(Refused):
        await film


async def test_a_person_has_one_long_thing_made_at_a_time(metrics: Metrics) -> None:
    pool = process_pool(metrics)
    with pool.one_at_a_time(OLA):
        with pytest.raises(Refused) as refused, pool.one_at_a_time(OLA):
            pass
        with pool.one_at_a_time(MAKSIM):
            pass
    with pool.one_at_a_time(OLA):
        pass
    assert refused.value.key == "lane_yours"


class Pauses:
    """Sleeps until the test says that the time is over."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._over: list[asyncio.Event] = []

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self._over.append(asyncio.Event())
        await self._over[-1].wait()

    async def end(self) -> None:
        """Lets the last pause be over, and what waits for it begin."""
        await asyncio.sleep(0)  # the pause begins with the end of the job before
        self._over[-1].set()
        await asyncio.sleep(0)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
async def resting(metrics: Metrics, pauses: Pauses) -> AsyncIterator[JobQueue]:
    """A queue whose time without a job passes when the test says so."""
    queue = a_queue(metrics, sleep=pauses.sleep)
    yield queue
    await queue.close()


async def test_a_worker_without_jobs_ends_and_comes_back(resting: JobQueue, pauses: Pauses) -> None:
    before = await resting.make(OLA, jobs.process, 1)
    await asyncio.sleep(0)
    await pauses.end()
    await end_of(before)
    assert pauses.seconds == [IDLE_SECONDS]
    assert resting.pid is None
    assert await resting.make(OLA, jobs.process, 2) != before


async def test_a_job_that_comes_while_the_worker_ends_has_a_new_one(resting: JobQueue, pauses: Pauses) -> None:
    before = await resting.make(OLA, jobs.process, 1)
    await asyncio.sleep(0)
    await pauses.end()
    assert await resting.make(OLA, jobs.process, 2) != before


async def test_a_worker_that_has_a_job_does_not_end(resting: JobQueue, pauses: Pauses, tmp_path: Path) -> None:
    before = await resting.make(OLA, jobs.process, 1)
    await asyncio.sleep(0)
    working = asyncio.ensure_future(resting.make(MAKSIM, jobs.count_runs, tmp_path))
    await asyncio.sleep(0)
    await pauses.end()
    assert await working == 1
    assert await resting.make(OLA, jobs.process, 2) == before


async def test_an_idle_worker_that_was_killed_is_replaced(resting: JobQueue, pauses: Pauses) -> None:
    before = await resting.make(OLA, jobs.process, 1)
    os.kill(before, signal.SIGKILL)
    await end_of(before)
    await pauses.end()
    assert await resting.make(OLA, jobs.process, 2) != before


async def test_a_queue_that_is_never_used_has_no_worker(metrics: Metrics) -> None:
    pool = process_pool(metrics)
    assert pool.films.pid is pool.pictures.pid is None
    await pool.close()


async def test_a_worker_that_nobody_ends_ends_itself() -> None:
    worker = await WorkerProcess.start("bot.services.job_worker", "0", within=HANG_SECONDS)
    try:
        with pytest.raises(asyncio.IncompleteReadError):
            await worker.ask(encode_frame((30.0, 1, jobs.hang, ())), 10.0)
    finally:
        await worker.end()
