"""Processes that tests wait for."""

from __future__ import annotations

import asyncio
import os


async def end_of(process: int) -> None:
    """Waits until a process is gone."""
    ended, watched = asyncio.Event(), os.pidfd_open(process)
    asyncio.get_running_loop().add_reader(watched, ended.set)
    async with asyncio.timeout(30):
        await ended.wait()
    asyncio.get_running_loop().remove_reader(watched)
    os.close(watched)
