"""Worker processes that think for the bot: a bounded queue, a time limit, and a new process for one that has died."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from opponent.budget import Budget
from opponent.choice import Choice
from opponent.levels import HARDEST
from opponent.process import TROUBLE, WorkerProcess, loaded
from opponent.worker import framed
from rules.game import AnyPosition

log = logging.getLogger(__name__)

WAITING = 32
"""Requests that may wait; whoever comes then is turned away."""

LIMIT = 20.0
"""Seconds for one thought; what takes longer hangs."""

START = 600.0
"""Seconds for a worker to be ready: without a cache on the disk it compiles first."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two tries to start a worker."""

TRIES = 2
"""How often a request is put to a worker; the second time to a new one."""


class Busy(Exception):
    """As many requests wait already as may wait."""


class Unanswered(Exception):
    """Every worker that was asked died over it, or hung."""


@dataclass(slots=True)
class _Job:
    request: tuple[AnyPosition, Budget | None, int, int]
    answer: asyncio.Future[Choice]


class Pool:
    """`workers` processes of the module `worker`. `run` owns them; while it does not run, requests wait."""

    def __init__(
        self,
        workers: int = 1,
        *,
        waiting: int = WAITING,
        limit: float = LIMIT,
        worker: str = "opponent.worker",
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._workers = workers
        self._limit = limit
        self._worker = worker
        self._sleep = sleep
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue(waiting)
        self.pids: set[int] = set()
        """Of the processes that are at work."""

    async def choose(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        """`opponent.choose.choose`, thought out in a worker. Raises Busy, Unanswered, and what the choice raised.

        A request that is cancelled while it waits is never thought about.
        """
        job = _Job((position, budget, seed, level), asyncio.get_running_loop().create_future())
        try:
            self._jobs.put_nowait(job)
        except asyncio.QueueFull:
            raise Busy from None
        return await job.answer

    async def run(self) -> None:
        """Keeps the workers at work until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._workers):
                group.create_task(self._serve())

    async def _serve(self) -> None:
        """The life of one worker after another."""
        worker: WorkerProcess | None = None
        try:
            while True:
                if worker is None:
                    worker = await self._started()
                job = await self._jobs.get()
                for _ in range(TRIES):
                    if job.answer.done():
                        break  # nobody waits for it any more
                    try:
                        _settle(job, loaded(await worker.ask(framed(job.request), self._limit)))
                    except TROUBLE as error:
                        log.warning("worker %d is replaced: %r", worker.pid, error)
                        self.pids.discard(worker.pid)
                        await worker.end()
                        worker = None
                        worker = await self._started()
                if not job.answer.done():
                    job.answer.set_exception(Unanswered())
        finally:
            if worker is not None:
                self.pids.discard(worker.pid)
                await worker.end()

    async def _started(self) -> WorkerProcess:
        """A worker that is ready; one that fails to start is tried again, later and later."""
        pause = FIRST_PAUSE
        while True:
            try:
                worker = await WorkerProcess.start(self._worker, within=START)
            except TROUBLE:
                log.exception("no worker can be started")
                await self._sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                self.pids.add(worker.pid)
                return worker


def _settle(job: _Job, answer: Choice | Exception) -> None:
    if job.answer.done():
        return
    if isinstance(answer, Exception):
        job.answer.set_exception(answer)
    else:
        job.answer.set_result(answer)
