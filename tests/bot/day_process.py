"""A bot as a process of its own, by the clock of the test that kills it: `python -m tests.bot.day_process DATABASE
DISCORD CLOCK`.

It says when it runs. SIGUSR1 has its workers look at once, since its clock goes only when the test moves it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from mmap import mmap
from pathlib import Path
from typing import Any, Self

import discord

from bot.app import Bot, run, wait_for_failure
from bot.client import use_stand_in
from bot.features.match.delivery import old_boards
from bot.features.registry import offered_presets
from bot.parts import Patience, Setup
from bot.sharding import Cluster
from loopback import HANG_SECONDS, TOKEN
from play.ids import Millis
from storage import Database, file_of
from storage.advisory import Locks
from tests.bot.jobs import job_pool
from tests.bot.room import EAGER, SEED
from tests.clock import DAY, StoppedClock
from use_cases import clock_service

READY = b"ready\n"


class SharedClock(StoppedClock):
    """A clock that several processes read from a file of eight bytes, and hold while it may not go on.

    Its locks are of fcntl: they end with their process, however that ends.
    """

    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_RDWR)  # as long as the process: any close would end the locks
        self._shared = mmap(self._file, 8)
        self._holds = 0

    @classmethod
    def begin(cls, file: Path, time: Millis) -> Self:
        """Makes the file."""
        file.write_bytes(time.to_bytes(8, "little"))
        return cls(file)

    @property
    def time(self) -> Millis:
        return Millis(int.from_bytes(self._shared[:8], "little"))

    @time.setter
    def time(self, time: Millis) -> None:
        self._shared[:8] = time.to_bytes(8, "little")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Holds the clock."""
        if not self._holds:
            fcntl.lockf(self._file, fcntl.LOCK_SH)
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                fcntl.lockf(self._file, fcntl.LOCK_UN)

    @asynccontextmanager
    async def free(self) -> AsyncIterator[None]:
        """Waits until no other process holds the clock, and lets none do so in the block."""
        async with asyncio.timeout(HANG_SECONDS):
            await asyncio.to_thread(fcntl.lockf, self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)


def hold_during_requests(clock: SharedClock) -> None:
    """Holds the clock while a request of discord.py is on its way, which takes no day."""
    send = discord.http.HTTPClient.request

    async def request(*args: Any, **options: Any) -> Any:
        with clock.held():
            return await send(*args, **options)

    discord.http.HTTPClient.request = request  # type: ignore[method-assign]


def wake(bot: Bot) -> None:
    for worker in bot.workers.all:
        worker.wake()


async def main(url: str, address: str, clock: SharedClock) -> None:
    clock_service.MAX_HEARTBEAT_GAP_MILLIS = Millis(365 * DAY)  # the clock jumps, though no process was away
    old_boards.EDIT_SECONDS = 0.0  # a minute of the test is none here: more edits than there would be, and never fewer
    use_stand_in(address)
    hold_during_requests(clock)
    cluster = Cluster(Locks.open(url), shards=1) if file_of(url) is None else None
    setup = Setup(
        offered_presets(dot_dash=True),
        cluster=cluster,
        seeds=lambda: SEED,
        job_pool=job_pool,
        patience=Patience(thread_seconds=HANG_SECONDS),  # the machine may be busy with others
        clock=lambda: clock() / 1000,
        timing=replace(EAGER, clock=lambda: clock() / 1000 + time.monotonic()),
    )
    async with run(Database.open(url, now=clock), TOKEN, setup) as (bot, work):
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, wake, bot)
        sys.stdout.buffer.write(READY)
        sys.stdout.flush()
        await wait_for_failure(work)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], SharedClock(Path(sys.argv[3]))))
