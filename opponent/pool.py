"""Worker processes that think for the bot: a bounded queue, a time limit, and a new process for one that has died."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from opponent.budget import Budget
from opponent.captures import Oversight
from opponent.choice import Choice
from opponent.levels import HARDEST
from opponent.process import WORKER_ERRORS, WorkerProcess, load_answer
from opponent.worker import encode_frame
from rules.game import AnyPosition

log = logging.getLogger(__name__)

MAX_WAITING = 32
"""Requests that may wait; further ones are rejected."""

TIMEOUT_SECONDS = 20.0
"""For one request; a worker that takes longer hangs."""

START_SECONDS = 600.0
"""For a worker to be ready: without a cache on the disk it compiles first."""

MIN_BACKOFF_SECONDS, MAX_BACKOFF_SECONDS = 1.0, 60.0
"""Between two attempts to start a worker."""

MAX_ATTEMPTS = 2
"""Workers that a request is put to; the second one is new."""


class Busy(Exception):
    """The queue is full."""


class EngineFailed(Exception):
    """Every worker that was asked died over the request, or hung."""


@dataclass(slots=True)
class _Job:
    request: tuple[Any, ...]
    answer: asyncio.Future[Any]


class Pool:
    """`workers` processes of the module `worker`, each with so many `threads`. `run` owns them; while it does not
    run, requests wait."""

    def __init__(
        self,
        workers: int = 1,
        threads: int = 1,
        *,
        waiting: int = MAX_WAITING,
        limit: float = TIMEOUT_SECONDS,
        worker: str = "opponent.worker",
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._workers, self._threads = workers, threads
        self._limit = limit
        self._worker = worker
        self._sleep = sleep
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue(waiting)
        self.pids: set[int] = set()
        """Process ids of the running workers."""

    async def choose(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        """Runs `opponent.choose.choose` in a worker. Raises Busy, EngineFailed, and the errors of the choice. A
        request that is cancelled while it waits never reaches a worker."""
        choice: Choice = await self._ask(position, budget, seed, level)
        return choice

    async def look(self, position: AnyPosition, move: str) -> Oversight | None:
        """Runs `opponent.captures.oversight` in a worker, as `choose` does."""
        found: Oversight | None = await self._ask(position, move)
        return found

    async def _ask(self, *request: Any) -> Any:
        job = _Job(request, asyncio.get_running_loop().create_future())
        try:
            self._jobs.put_nowait(job)
        except asyncio.QueueFull:
            raise Busy from None
        return await job.answer

    async def run(self) -> None:
        """Keeps the workers running until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._workers):
                group.create_task(self._serve())

    async def _serve(self) -> None:
        """Runs one worker after another."""
        worker: WorkerProcess | None = None
        try:
            while True:
                if worker is None:
                    worker = await self._start_worker()
                job = await self._jobs.get()
                for _ in range(MAX_ATTEMPTS):
                    if job.answer.done():
                        break  # the request was cancelled
                    try:
                        _resolve(job, load_answer(await worker.ask(encode_frame(job.request), self._limit)))
                    except WORKER_ERRORS as error:
                        log.warning("replacing worker %d: %r", worker.pid, error)
                        self.pids.discard(worker.pid)
                        await worker.end()
                        worker = None
                        worker = await self._start_worker()
                if not job.answer.done():
                    job.answer.set_exception(EngineFailed())
        finally:
            if worker is not None:
                self.pids.discard(worker.pid)
                await worker.end()

    async def _start_worker(self) -> WorkerProcess:
        """Returns a worker that is ready; retries a failed start with growing backoff."""
        backoff = MIN_BACKOFF_SECONDS
        while True:
            try:
                worker = await WorkerProcess.start(self._worker, str(self._threads), within=START_SECONDS)
            except WORKER_ERRORS:
                log.exception("cannot start a worker")
                await self._sleep(backoff)
                backoff = min(2 * backoff, MAX_BACKOFF_SECONDS)
            else:
                self.pids.add(worker.pid)
                return worker


def _resolve(job: _Job, answer: object) -> None:
    if job.answer.done():
        return
    if isinstance(answer, Exception):
        job.answer.set_exception(answer)
    else:
        job.answer.set_result(answer)
