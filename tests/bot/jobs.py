"""Pools of workers for the tests, and jobs that fail in ways of their own, which workers import by name."""

from __future__ import annotations

import asyncio
import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bot.services.job_pool import JobPool
from bot.services.job_worker import do
from bot.telemetry.metrics import Metrics
from opponent.worker import HEADER_BYTES, answer_to
from play.records.record import BadRecord
from presentation import records


class Inline:
    """A worker in this process, which takes and gives the same frames: to start a process takes longer than most jobs.

    It does its jobs in a thread and ends none, so jobs that hang, die or take too much need `process_pool`.
    """

    runs = True
    pid = os.getpid()

    async def ask(self, frame: bytes, within: float) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(_THREAD, self._answer, frame)

    async def end(self) -> None: ...

    def _answer(self, frame: bytes) -> bytes:
        _, _, job, arguments = pickle.loads(frame[HEADER_BYTES:])  # noqa: S301 - the bot wrote it
        return pickle.dumps(answer_to((job, arguments), do))


_THREAD = ThreadPoolExecutor(1)


async def _start_inline(_: int) -> Inline:
    return Inline()


def job_pool(metrics: Metrics) -> JobPool:
    """Returns a pool that does its jobs in this process."""
    return JobPool(metrics, start_worker=_start_inline)


def process_pool(metrics: Metrics) -> JobPool:
    """Returns a pool whose workers have the priority of the tests, since the machine may be busy with others."""
    return JobPool(metrics, film_niceness=0, picture_niceness=0, page_niceness=0)


def process(_: int = 0) -> int:
    """Returns the id of the process that runs it."""
    return os.getpid()


def die(*_: object) -> None:
    os._exit(1)


def hang(*_: object) -> None:
    """Takes longer than any test waits."""
    threading.Event().wait(15)


def hang_aloud(pipe: Path) -> None:
    """Hangs after it has written its process id to a named pipe."""
    pipe.write_text(str(os.getpid()), encoding="ascii")
    threading.Event().wait()


def spin() -> None:
    """Takes all of the processor."""
    while True:
        pass


def allocate() -> bytes:
    """Takes more memory than a worker has."""
    return bytes(4 << 30)


def refuse() -> None:
    raise BadRecord("no_dots", number=3)


def count_runs(folder: Path) -> int:
    """Returns how many times it has run."""
    with (folder / "done").open("a", encoding="ascii") as file:
        file.write("x")
    return len((folder / "done").read_text(encoding="ascii"))


def fill_cache(folder: Path, number: int) -> bytes:
    """Counts a run, and returns 1 MiB that differs for each number."""
    count_runs(folder)
    return bytes([number]) * (1 << 20)


def open_slowly(*arguments: Any) -> records.OpenedRecord:
    """Opens a record as `open_record` does, but any record takes too long."""
    return records.open_record(*arguments, max_seconds=-1.0)


def settings() -> list[str]:
    """Returns the bot's settings in the environment of the worker."""
    return [name for name in os.environ if name.startswith("KROPKA")]
