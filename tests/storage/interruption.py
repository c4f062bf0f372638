"""A process of the tests that is stopped at a chosen moment of its work: killed by SIGKILL or, by SIGSTOP, frozen until
it is woken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from storage import Database
from storage.unit_of_work import Transaction
from tests.same_database import SameDatabase

MAX_SECONDS = 120.0
"""Seconds that a process may run, on a machine that many share."""


class Interruption:
    """Stops this process by a signal at the moment of that `number`, from 1, of all that are of the same name.

    `prepare` is called before that.
    """

    def __init__(self, moment: str, number: int, name: str, prepare: Callable[[], None] = lambda: None) -> None:
        self._moment, self._left, self._signal = moment, number, signal.Signals[name]
        self._prepare = prepare

    def reach(self, moment: str) -> None:
        """Notes that the process has reached a moment of its work, and stops it there if that is the one."""
        if moment != self._moment:
            return
        self._left -= 1
        if self._left == 0:
            self._prepare()
            os.kill(os.getpid(), self._signal)


class InterruptedStore(SameDatabase):
    """A database that reaches the moment ``commit`` after each transaction."""

    def __init__(self, store: Database, interruption: Interruption) -> None:
        super().__init__(store)
        self._interruption = interruption

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        async with super().write() as tx:
            yield tx
        self._interruption.reach("commit")


def run_until_killed(module: str, *arguments: object) -> bool:
    """Runs a module of the tests; returns whether it was killed. Else it has reached its end."""
    ended = subprocess.run(_program(module, *arguments), check=False, timeout=MAX_SECONDS)  # noqa: S603 - of the tests
    assert ended.returncode in (0, -signal.SIGKILL)
    return ended.returncode != 0


@contextmanager
def frozen(module: str, *arguments: object, status: int = 0) -> Iterator[None]:
    """Runs a module of the tests until it freezes itself. After the block it goes on, and ends with that `status`."""
    process = subprocess.Popen(_program(module, *arguments))  # noqa: S603 - of the tests
    try:
        changed = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        assert changed is not None
        assert changed.si_status == signal.SIGSTOP, "it has ended before"
        yield
        process.send_signal(signal.SIGCONT)
        assert process.wait(MAX_SECONDS) == status
    finally:
        process.kill()
        process.wait()


def _program(module: str, *arguments: object) -> list[str]:
    return [sys.executable, "-m", module, *map(str, arguments)]
