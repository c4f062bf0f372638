"""A worker process behind pipes, as its owner uses it: start, ask, end."""

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

from opponent.worker import HEADER_BYTES

WORKER_ERRORS = (TimeoutError, OSError, asyncio.IncompleteReadError)
"""The errors of a worker that hangs, cannot be started, or dies."""


class WorkerProcess:
    """A process of a module that calls `opponent.worker.serve`. The process that starts it ends it."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(
        cls, module: str, *arguments: str, within: float, environment: Mapping[str, str] | None = None
    ) -> Self:
        """Starts a worker and waits, at most `within` seconds, until it is ready. Raises WORKER_ERRORS."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", module, *arguments, stdin=PIPE, stdout=PIPE, env=environment
        )
        worker = cls(process)
        try:
            async with asyncio.timeout(within):
                await worker._answer()
        except BaseException:
            await worker.end()
            raise
        return worker

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def runs(self) -> bool:
        """False once the process is known to have ended."""
        return self._process.returncode is None

    async def ask(self, frame: bytes, within: float) -> bytes:
        """Sends a frame and returns the pickled answer, `within` so many seconds. Raises WORKER_ERRORS."""
        stdin = self._process.stdin
        assert stdin is not None, "the process has pipes"
        async with asyncio.timeout(within):
            stdin.write(frame)
            await stdin.drain()
            return await self._answer()

    async def end(self) -> None:
        """Kills the process and returns when it is gone."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def _answer(self) -> bytes:
        stdout = self._process.stdout
        assert stdout is not None, "the process has pipes"
        head = await stdout.readexactly(HEADER_BYTES)
        return await stdout.readexactly(int.from_bytes(head, "big"))


def load_answer(answer: bytes) -> Any:
    """Returns the value of a pickled answer."""
    return pickle.loads(answer)  # noqa: S301 - our own child wrote it
