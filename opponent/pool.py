"""Worker processes that think for the bot: bounded queues, a time limit, and a new process for one that has died.

Moves of games and help for players are two lanes, with processes of their own: a move waits for moves alone.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from opponent.captures import Oversight
from opponent.choice import HARDEST, Budget, Choice
from opponent.process import WORKER_ERRORS, WorkerProcess, load_answer
from opponent.worker import encode_frame
from rules.game import AnyPosition

log = logging.getLogger(__name__)

MAX_WAITING, MAX_HELP_WAITING = 32, 16
"""Moves, and requests for help, that may wait; further ones are rejected."""

TIMEOUT_SECONDS = 20.0
"""For one request; a worker that takes longer hangs. Help gets HELP_PATIENCE times as long, since moves go first."""

HELP_PATIENCE = 3

HELP_NICENESS = 19
"""The priority of the worker for help: on a busy core the moves get seven times as much."""

IDLE_SECONDS = 600.0
"""Seconds without a request after which a worker ends. The next request starts another, which takes a second."""

START_SECONDS = 600.0
"""For a worker to be ready: without a cache on the disk it compiles first."""

MIN_BACKOFF_SECONDS, MAX_BACKOFF_SECONDS = 1.0, 60.0
"""Between two attempts to start a worker."""

MAX_ATTEMPTS = 2
"""Workers that a request is put to; the second one is new."""


class Busy(Exception):
    """The queue is full."""


class AlreadyAsked(Exception):
    """The last request of the same asker is not done yet."""


class EngineFailed(Exception):
    """Every worker that was asked died over the request, or hung."""


@dataclass(slots=True)
class _Job:
    request: tuple[Any, ...]
    answer: asyncio.Future[Any]
    asker: int | None


class _Lane:
    """Requests in their order, and how the workers that serve them are started: when they are first needed, or
    (`eager`) at once, so that what has to be compiled is compiled by then."""

    def __init__(self, waiting: int, limit: float, *arguments: str, eager: bool = False) -> None:
        self.limit = limit
        self.arguments = arguments
        self.eager = eager
        self.askers: set[int] = set()
        """Those with a request here. One who has given up on it has it until it is done, too."""
        self._most = waiting
        self._jobs: deque[_Job] = deque()
        self._free: list[asyncio.Future[None]] = []
        """The turns of those who wait for a request; the last one comes first."""

    async def ask(self, request: tuple[Any, ...], asker: int | None) -> Any:
        if asker in self.askers:
            raise AlreadyAsked
        if len(self._jobs) >= self._most:
            raise Busy
        job = _Job(request, asyncio.get_running_loop().create_future(), asker)
        self._jobs.append(job)
        self._wake()
        if asker is not None:
            self.askers.add(asker)
        return await job.answer

    async def next(self, *, ready: bool) -> _Job:
        """Waits for a request. Those who are `ready`, with a worker that runs, come before those who have to start one,
        and the one who was busy last before the others: their workers end."""
        while not self._jobs:
            turn = asyncio.get_running_loop().create_future()
            self._free.insert(len(self._free) if ready else 0, turn)
            try:
                await turn
            except BaseException:
                if turn in self._free:
                    self._free.remove(turn)
                elif self._jobs:
                    self._wake()  # the request that this turn was for
                raise
        return self._jobs.popleft()

    def _wake(self) -> None:
        if self._free:
            self._free.pop().set_result(None)


class Pool:
    """`workers` processes of the module `worker` for moves, each with so many `threads`, and one for help. Each ends
    after `idle` seconds without a request. `run` owns them; while it does not run, requests wait."""

    def __init__(
        self,
        workers: int = 1,
        threads: int = 1,
        *,
        waiting: int = MAX_WAITING,
        help_waiting: int = MAX_HELP_WAITING,
        limit: float = TIMEOUT_SECONDS,
        idle: float = IDLE_SECONDS,
        worker: str = "opponent.worker",
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._workers = workers
        self._worker = worker
        self._sleep = sleep
        self._idle = idle
        self._moves = _Lane(waiting, limit, str(threads), eager=True)
        self._help = _Lane(help_waiting, HELP_PATIENCE * limit, "1", str(HELP_NICENESS))
        self.pids: set[int] = set()
        """Process ids of the running workers."""

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        """Runs `opponent.choose.choose` in a worker: for a game, or as help for an `asker`, who has one request at a
        time, so that those who ask take turns.

        Raises Busy, AlreadyAsked, EngineFailed, and the errors of the choice. A request that is cancelled while it
        waits never reaches a worker.
        """
        lane = self._moves if asker is None else self._help
        choice: Choice = await lane.ask((position, budget, seed, level), asker)
        return choice

    async def look(self, position: AnyPosition, move: str, asker: int) -> Oversight | None:
        """Runs `opponent.captures.oversight` in the worker for help, as `choose` does."""
        found: Oversight | None = await self._help.ask((position, move), asker)
        return found

    @property
    def is_helping(self) -> bool:
        """Whether there are requests for help that are not done."""
        return bool(self._help.askers)

    async def run(self) -> None:
        """Keeps the workers running until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._workers):
                group.create_task(self._serve(self._moves))
            group.create_task(self._serve(self._help))

    async def _serve(self, lane: _Lane) -> None:
        """Runs one worker after another."""
        worker: WorkerProcess | None = None
        try:
            if lane.eager:
                worker = await self._start_worker(lane)
            while True:
                try:
                    async with asyncio.timeout(self._idle if worker else None):
                        job = await lane.next(ready=worker is not None)
                except TimeoutError:
                    await self._end_worker(worker)
                    worker = None
                    continue
                for _ in range(MAX_ATTEMPTS):
                    if job.answer.done():
                        break  # or the request was cancelled
                    worker = worker or await self._start_worker(lane)
                    try:
                        _resolve(job, load_answer(await worker.ask(encode_frame(job.request), lane.limit)))
                    except WORKER_ERRORS as error:
                        log.warning("replacing worker %d: %r", worker.pid, error)
                        await self._end_worker(worker)
                        worker = None
                if not job.answer.done():
                    job.answer.set_exception(EngineFailed())
                lane.askers.discard(job.asker or 0)
        finally:
            await self._end_worker(worker)

    async def _end_worker(self, worker: WorkerProcess | None) -> None:
        if worker is not None:
            self.pids.discard(worker.pid)
            await worker.end()

    async def _start_worker(self, lane: _Lane) -> WorkerProcess:
        """Returns a worker that is ready; retries a failed start with growing backoff."""
        backoff = MIN_BACKOFF_SECONDS
        while True:
            try:
                worker = await WorkerProcess.start(self._worker, *lane.arguments, within=START_SECONDS)
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
