"""Reads SQLite on the event loop itself, without a thread or a greenlet in between.

In WAL mode a reader waits for no writer, every statement goes by an index, and the pages that are often read are in
memory. At 1,000,000 matches the slowest statement blocks the event loop for as long as a drawing thread holds the
interpreter (`python -m benchmarks.growth`). Most statements take less time than a trip to a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Connection, CursorResult, Engine, Executable

STATEMENTS_PER_YIELD = 20
"""After so many statements other tasks on the event loop have their turn."""


class DirectEngine:
    """An AsyncEngine that only reads, as far as our statements need it."""

    def __init__(self, engine: Engine) -> None:
        self.sync_engine = engine
        self.asked = 0

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[DirectConnection]:
        with self.sync_engine.connect() as connection:
            yield DirectConnection(self, connection)


class DirectConnection:
    """An AsyncConnection, as far as our statements need it."""

    def __init__(self, engine: DirectEngine, connection: Connection) -> None:
        self._engine = engine
        self._connection = connection
        self.dialect = connection.dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        self._engine.asked += 1
        if self._engine.asked % STATEMENTS_PER_YIELD == 0:
            await asyncio.sleep(0)
        return self._connection.execute(statement, parameters)
