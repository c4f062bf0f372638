"""The command line `kropka` as a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]

MAX_SECONDS = 300.0
"""Seconds that a command may run, on a machine that many share."""


@asynccontextmanager
async def kropka(folder: Path, *arguments: str, **settings: str) -> AsyncIterator[Process]:
    """Starts a command in `folder` with `settings` as its only environment.

    Kills it at the end of the block if it still runs, or after `MAX_SECONDS`, so that no test waits for it without end.
    By default the computer has no workers, which would compile all the while.
    """
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    settings = {"thinkers": "0", **settings}
    environment |= {f"KROPKA_{name.upper()}": value for name, value in settings.items()}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments, cwd=folder, env=environment, stdout=PIPE, stderr=PIPE
    )
    limit = asyncio.get_running_loop().call_later(MAX_SECONDS, process.kill)
    try:
        yield process
    finally:
        limit.cancel()
        if process.returncode is None:
            process.kill()
            await process.communicate()
