"""A database that notifies a test of each commit, so that the test looks again only then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from storage import Database
from storage.unit_of_work import Transaction
from tests.virtual_time import VirtualLoop


class NotifyingDatabase(Database):
    """A database of the process that the test runs in. `changed` is set, and replaced, at each commit."""

    changed = asyncio.Event()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        loop = asyncio.get_running_loop()
        with loop.working() if isinstance(loop, VirtualLoop) else nullcontext():  # a thread commits
            async with super().write() as tx:
                yield tx
        self.changed.set()
        self.changed = asyncio.Event()
