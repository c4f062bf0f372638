"""aiosqlite with fewer calls in its thread: it makes four a statement, of 0.1 ms each; a statement takes 0.03 ms.

Only operations that may wait use the thread: BEGIN for a lock, COMMIT and ROLLBACK for the disk, and a statement with
many rows. Any other statement runs on the event loop, as in `storage.sqlite_reader`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Self, TypeVar

import aiosqlite

from storage.sqlite_reader import STATEMENTS_PER_YIELD

T = TypeVar("T")

FIRST_ROWS = 1000
"""Rows that the first trip brings. A cursor fetches the rest as it is asked for."""


class Cursor:
    """A cursor, as far as SQLAlchemy needs it."""

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
        def work(connection: sqlite3.Connection) -> None:
            self._take(connection.execute(statement, tuple(parameters)))

        await self._connection.run(work, waits=statement.startswith("BEGIN"))
        return self

    async def executemany(self, statement: str, parameters: Iterable[Iterable[Any]]) -> Self:
        def work(connection: sqlite3.Connection) -> None:
            self._take(connection.executemany(statement, map(tuple, parameters)))

        await self._connection.run(work, waits=True)
        return self

    async def fetchone(self) -> Any:
        rows = await self.fetchmany(1)
        return rows[0] if rows else None

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        wanted = size or self.arraysize
        if len(self._rows) < wanted and (rest := self._rest) is not None:
            self._rows += await self._connection.run(lambda _: rest.fetchmany(max(wanted, FIRST_ROWS)), waits=True)
        rows, self._rows = self._rows[:wanted], self._rows[wanted:]
        return rows

    async def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        if (rest := self._rest) is not None:
            rows += await self._connection.run(lambda _: rest.fetchall(), waits=True)
        return rows

    async def close(self) -> None:
        rest, self._rest = self._rest, None
        if rest is not None:
            await self._connection.run(lambda _: rest.close())

    def _take(self, cursor: sqlite3.Cursor) -> None:
        """Notes the first rows and the description of a statement that has run."""
        self.description, self.lastrowid = cursor.description, cursor.lastrowid
        self._rows = cursor.fetchmany(FIRST_ROWS) if cursor.description else []
        self.rowcount = cursor.rowcount
        if len(self._rows) == FIRST_ROWS:
            self._rest = cursor
        else:
            cursor.close()


class Connection(aiosqlite.Connection):
    """A connection made by `connect`, which is SQLAlchemy's `async_creator_fn`."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], verify: Callable[[], None]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._verify = verify
        self._asked = 0
        self._thread.daemon = True  # an unclosed connection does not keep the program from ending

    def stop(self) -> asyncio.Future[Any] | None:
        """Stops the thread. The event loop closes only after the thread has ended: a runner waits for its executor.

        Without that, the thread would answer a closed loop after a failed connect or a cancelled close.
        """
        stopped = super().stop()
        with suppress(RuntimeError):  # no loop runs
            asyncio.get_running_loop().run_in_executor(None, self._thread.join)
        return stopped

    def cursor(self) -> Cursor:  # type: ignore[override]
        return Cursor(self)

    async def commit(self) -> None:
        """Commits, and returns when the changes are on disk in the open file. Raises the errors of `verify`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.commit()
            self._verify()  # afterwards, so that no commit into a deleted file is reported

        await self.run(work, waits=True)

    async def run(self, work: Callable[[sqlite3.Connection], T], *, waits: bool = False) -> T:
        """Runs `work` at once; in the connection's thread if it `waits`, and now and then, so that a long transaction
        lets other tasks run."""
        self._asked += 1
        if not waits and self._asked % STATEMENTS_PER_YIELD:
            return work(self._conn)
        result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return result


def connect(database: str, *, verify: Callable[[], None], **options: Any) -> Connection:
    """Returns a connection, not yet open. The arguments are those of sqlite3.connect; every commit calls `verify`."""
    options["check_same_thread"] = False  # two threads use it, the one after the other
    return Connection(lambda: sqlite3.connect(database, **options), verify)
