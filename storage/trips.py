"""aiosqlite with fewer trips to its threads: a move took 180 of them, of some 0.1 ms each, and a statement takes 0.03.

What writes makes one a statement, where aiosqlite makes four. What reads makes none: a reader never waits for a lock
in WAL mode, every statement goes by an index, and the pages that are asked for again and again are in memory. At
1,000,000 matches the slowest of them holds up the event loop for as long as a picture's thread holds the interpreter
(`python -m benchmarks.growth`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar

import aiosqlite

T = TypeVar("T")

AT_ONCE = 1000
"""Rows that come with the first trip; of more than these the rest is fetched as it is asked for."""


class Cursor:
    """What SQLAlchemy asks of a cursor."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self._rest: sqlite3.Cursor | None = None
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: Iterable[Any] = ()) -> Self:
        return await self._run(lambda connection: connection.execute(statement, tuple(parameters)))

    async def executemany(self, statement: str, parameters: Iterable[Iterable[Any]]) -> Self:
        return await self._run(lambda connection: connection.executemany(statement, map(tuple, parameters)))

    async def fetchone(self) -> Any:
        rows = await self.fetchmany(1)
        return rows[0] if rows else None

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        wanted = size or self.arraysize
        if len(self._rows) < wanted and (rest := self._rest) is not None:
            self._rows += await self._connection.trip(lambda _: rest.fetchmany(max(wanted, AT_ONCE)))
        rows, self._rows = self._rows[:wanted], self._rows[wanted:]
        return rows

    async def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        if (rest := self._rest) is not None:
            rows += await self._connection.trip(lambda _: rest.fetchall())
        return rows

    async def close(self) -> None:
        rest, self._rest = self._rest, None
        if rest is not None:
            await self._connection.trip(lambda _: rest.close())

    async def _run(self, work: Callable[[sqlite3.Connection], sqlite3.Cursor]) -> Self:
        def executed(connection: sqlite3.Connection) -> None:
            cursor = work(connection)
            self.description, self.lastrowid = cursor.description, cursor.lastrowid
            self._rows = cursor.fetchmany(AT_ONCE) if cursor.description else []
            self.rowcount = cursor.rowcount
            if len(self._rows) == AT_ONCE:
                self._rest = cursor
            else:
                cursor.close()

        await self._connection.trip(executed)
        return self


class Connection(aiosqlite.Connection):
    """Made by `connect`, which is SQLAlchemy's `async_creator_fn`."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # a connection that nobody closed does not keep the program from ending

    def cursor(self) -> Cursor:  # type: ignore[override]
        return Cursor(self)

    async def trip(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs in the connection's thread."""
        result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return result


class Reading(Connection):
    """Reads where it is asked to, without a trip."""

    async def _execute(self, fn: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        if self._connection is None:
            raise ValueError("Connection closed")  # as aiosqlite says
        return fn(*args, **kwargs)


def connect(database: str, **options: Any) -> Connection:
    """The arguments are those of sqlite3.connect. It reads only if its address says so (`mode=ro`)."""
    kind = Reading if "mode=ro" in database else Connection
    return kind(lambda: sqlite3.connect(database, **options))
