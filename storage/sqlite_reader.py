"""SQLite read where it is asked, on the event loop: neither a thread nor a greenlet stands between.

In WAL mode a reader waits for nobody, every statement goes by an index, and the pages that are asked for again and
again are in memory: at 1,000,000 matches the slowest statement holds up the event loop for as long as a picture's
thread holds the interpreter (`python -m benchmarks.growth`), and a trip to a thread takes longer than most.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Connection, CursorResult, Engine, Executable

TURN = 20
"""After so many statements whatever else waits on the event loop is let by."""


class DirectEngine:
    """What our statements ask of an AsyncEngine that only reads."""

    def __init__(self, engine: Engine) -> None:
        self.sync_engine = engine
        self.asked = 0

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[DirectConnection]:
        with self.sync_engine.connect() as connection:
            yield DirectConnection(self, connection)


class DirectConnection:
    """What our statements ask of an AsyncConnection."""

    def __init__(self, engine: DirectEngine, connection: Connection) -> None:
        self._engine = engine
        self._connection = connection
        self.dialect = connection.dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        self._engine.asked += 1
        if self._engine.asked % TURN == 0:
            await asyncio.sleep(0)
        return self._connection.execute(statement, parameters)
