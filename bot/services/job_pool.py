"""Worker processes for films, pictures and files, so that no board waits for them.

Threads would not do: the event loop and the drawing of boards share the interpreter with them (docs/decisions).
"""

import asyncio
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

from bot.services.job_worker import Exhausted
from bot.settings import system_variables
from bot.telemetry.metrics import Metrics
from opponent.process import WORKER_ERRORS, WorkerProcess, load_answer
from opponent.worker import encode_frame
from play.refusal import Reason, Refused
from renderer.cache import Cache

log = logging.getLogger(__name__)

T = TypeVar("T")

START_SECONDS = 30.0
"""Seconds for a worker to be ready; it takes half a second on a quiet machine."""

IDLE_SECONDS = 600.0
"""Seconds without a job after which a worker ends. The next job starts another."""

GRACE_SECONDS = 5
"""Seconds after its limit in which a worker that was not ended ends itself."""

FILM_NICENESS, PICTURE_NICENESS, PAGE_NICENESS = 10, 3, 6
"""Niceness of the workers: films get a tenth of the bot's share of a busy core, public pages a quarter, and pictures
half of it."""

MAX_PER_PLAYER = 4
"""Requests of one player that a queue takes at once: a player who turns pages is often one click ahead."""

CACHE_BYTES = 48 * 1024 * 1024
"""Bytes of the cache of what was made lately: room for two files as large as Discord takes."""


class Worker(Protocol):
    """What does the jobs of a queue: a `WorkerProcess`, or in most tests the process of the bot itself."""

    @property
    def pid(self) -> int: ...

    @property
    def runs(self) -> bool: ...

    async def ask(self, frame: bytes, within: float) -> bytes: ...

    async def end(self) -> None: ...


StartWorker = Callable[[int], Awaitable[Worker]]
"""Starts a worker with a niceness. Raises WORKER_ERRORS."""


async def start_process(niceness: int) -> WorkerProcess:
    """Starts a worker process. Raises WORKER_ERRORS."""
    return await WorkerProcess.start(
        "bot.services.job_worker", str(niceness), within=START_SECONDS, environment=_environment()
    )


class JobQueue:
    """One worker process and the queue before it. The worker runs while it is needed, and `IDLE_SECONDS` longer.

    A job that takes more than `cpu` seconds of the processor, more than `seconds` in all, or too much memory, is
    refused with the reason `too_much`.
    """

    def __init__(
        self,
        name: str,
        metrics: Metrics,
        kept: Cache[bytes, Any],
        *,
        cpu: float,
        seconds: float,
        waiting: int,
        niceness: int,
        too_much: Reason,
        start_worker: StartWorker = start_process,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = name
        self._metrics = metrics
        self._kept = kept
        self.cpu = cpu
        self.seconds = seconds
        self._most_waiting = waiting
        self.niceness = niceness
        self._too_much = too_much
        self._start_worker = start_worker
        self._sleep = sleep
        self._worker: Worker | None = None
        self._resting: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._making: dict[bytes, asyncio.Task[Any]] = {}
        self._asking: Counter[int] = Counter()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many jobs are not done yet, the running one included; a job that several players ask for counts once."""
        return len(self._making)

    @property
    def pid(self) -> int | None:
        """The number of the worker process, if there is one."""
        return None if self._worker is None else self._worker.pid

    async def make(self, user: int, work: Callable[..., T], /, *arguments: Any, keep: bool = True) -> T:
        """Returns what `work` makes of its arguments, for `user`, from the cache where it was kept.

        Function and arguments pickle, and the same arguments give the same result. Raises Refused (`lane_yours`,
        `lane_busy`, `lane_failed`, the queue's `too_much`, `closing`) and what `work` raises.
        """
        if self._asking[user] >= MAX_PER_PLAYER:
            raise Refused(Reason.LANE_YOURS)
        frame = encode_frame((self.cpu, round(self.seconds) + GRACE_SECONDS, work, arguments))
        key = blake2b(frame).digest()
        if (kept := self._kept.get(key)) is not None:
            return kept  # type: ignore[no-any-return]
        task = self._making.get(key) or self._begin(key, frame, work.__qualname__, keep=keep)
        self._asking[user] += 1
        try:
            return await asyncio.shield(task)  # others may wait for it, too
        except asyncio.CancelledError:
            if self._closed:
                raise Refused(Reason.CLOSING) from None
            raise
        finally:
            self._asking[user] -= 1
            if not self._asking[user]:
                del self._asking[user]

    async def close(self) -> None:
        """Gives up the jobs, and ends the worker."""
        self._closed = True
        tasks = [*self._making.values(), *([self._resting] if self._resting else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._dismiss()

    def _begin(self, key: bytes, frame: bytes, name: str, *, keep: bool) -> asyncio.Task[Any]:
        if self._closed:
            raise Refused(Reason.CLOSING)
        if len(self._making) >= self._most_waiting:
            raise Refused(Reason.LANE_BUSY)
        task = self._making[key] = asyncio.create_task(self._run_job(key, frame, name, keep=keep))
        self._measure()
        task.add_done_callback(lambda done: self._end(key, done))
        return task

    def _end(self, key: bytes, task: asyncio.Task[Any]) -> None:
        del self._making[key]
        self._measure()
        if not task.cancelled():
            task.exception()  # its player may have gone: then nothing else looks at it
        if self._resting is not None:
            self._resting.cancel()
        self._resting = None if self._closed else asyncio.create_task(self._end_idle_worker())

    async def _end_idle_worker(self) -> None:
        """Ends the worker if no job comes for long. One that comes meanwhile waits until it has ended."""
        await self._sleep(IDLE_SECONDS)
        async with self._turn:
            if not self._making:
                await self._dismiss()

    def _measure(self) -> None:
        self._metrics.jobs.labels(self.name).set(len(self._making))

    async def _run_job(self, key: bytes, frame: bytes, name: str, *, keep: bool) -> Any:
        """Runs a job when it is its turn. Raises as `make`."""
        async with self._turn:
            began = time.perf_counter()
            answer = await self._ask_worker(frame, name)
            self._metrics.observe_job(name, time.perf_counter() - began)
        value = load_answer(answer)
        if isinstance(value, MemoryError | Exhausted):
            log.warning("%s takes too much: %s", name, type(value).__name__)
            raise Refused(self._too_much)
        if isinstance(value, Exception):
            raise value
        return self._kept.put(key, value, len(answer)) if keep else value

    async def _ask_worker(self, frame: bytes, name: str) -> bytes:
        """Returns the worker's answer. Where the worker dies, hangs or is given up, the next job gets a new one."""
        if self._worker is None or not self._worker.runs:
            try:
                self._worker = await self._start_worker(self.niceness)
            except WORKER_ERRORS as error:
                log.exception("no worker can be started")
                raise Refused(Reason.LANE_FAILED) from error
        try:
            return await self._worker.ask(frame, self.seconds)
        except BaseException as error:
            await self._dismiss()
            if isinstance(error, TimeoutError):
                log.warning("%s takes longer than %g s", name, self.seconds)
                raise Refused(self._too_much) from error
            if isinstance(error, WORKER_ERRORS):
                log.warning("the worker has died over %s: %r", name, error)
                raise Refused(Reason.LANE_FAILED) from error
            raise

    async def _dismiss(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.end()


class JobPool:
    """Three queues, so that a picture waits for no film, and no player for a stranger who reads public pages."""

    def __init__(
        self,
        metrics: Metrics,
        *,
        film_niceness: int = FILM_NICENESS,
        picture_niceness: int = PICTURE_NICENESS,
        page_niceness: int = PAGE_NICENESS,
        start_worker: StartWorker = start_process,
    ) -> None:
        self._kept: Cache[bytes, Any] = Cache(CACHE_BYTES)
        queue = partial(JobQueue, metrics=metrics, kept=self._kept, start_worker=start_worker)
        short = partial(queue, cpu=10.0, seconds=60.0, waiting=64, too_much=Reason.LANE_TOO_MUCH)
        self.films = queue(
            "films", cpu=30.0, seconds=120.0, waiting=16, too_much=Reason.FILM_TOO_LONG, niceness=film_niceness
        )
        """A full game on the largest field takes some 8 s."""
        self.pictures = short("pictures", niceness=picture_niceness)
        """Also reads and writes records. Most take milliseconds; a record that is made to take long, 6 s."""
        self.pages = short("pages", niceness=page_niceness)
        """Parts of public pages; web/pages/page.py lets a few in at once."""
        self._busy: set[int] = set()

    @property
    def _queues(self) -> tuple[JobQueue, ...]:
        return self.films, self.pictures, self.pages

    @property
    def waiting(self) -> int:
        """How many jobs are not done yet."""
        return sum(queue.waiting for queue in self._queues)

    @contextmanager
    def one_at_a_time(self, user: int) -> Iterator[None]:
        """Holds the player's only place for a long job during the block. Raises Refused (`lane_yours`) for a second."""
        if user in self._busy:
            raise Refused(Reason.LANE_YOURS)
        self._busy.add(user)
        try:
            yield
        finally:
            self._busy.discard(user)

    def clear_cache(self) -> None:
        """Drops what was made lately: there are names in it."""
        self._kept.clear()

    async def close(self) -> None:
        """Ends the workers. Players who wait for one are told that the bot is stopping."""
        await asyncio.gather(*(queue.close() for queue in self._queues))


def _environment() -> dict[str, str]:
    """Returns what a worker needs to find its modules, and nothing else: it has no use for the token."""
    return {"PYTHONPATH": os.pathsep.join(sys.path), **system_variables()}
