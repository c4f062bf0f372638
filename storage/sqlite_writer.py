"""Writes SQLite: one transaction after the other, each in its turn.

Statements run on the event loop. A thread does what waits: the commit, for the disk, and a beginning that finds the
file locked by another program.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from play.store import Unavailable
from storage.open_file import OpenFile
from storage.sqlite_connection import SqliteConnection, SqliteEngine, translates_errors

TURN_SECONDS = 10.0
"""Seconds that a transaction waits for those before it."""

T = TypeVar("T")


class SqliteWriter(SqliteEngine):
    """The turns of those who write.

    Attributes:
        busy_millis: how long a transaction waits for the lock of another program.
    """

    def __init__(self, opened: OpenFile, pragmas: Sequence[str], busy_millis: int = 10_000, *, keeps: bool) -> None:
        """`keeps` one connection open, whose log `opened` then knows; otherwise each transaction opens one."""
        super().__init__(opened, pragmas)
        self._keeps = keeps
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "sqlite")
        self._kept: sqlite3.Connection | None = None
        self.busy_millis = busy_millis

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[SqliteConnection]:
        """Yields a connection in a transaction, and commits: the changes are on disk, in the open file.

        Raises Gone, Unavailable and DBAPIError.
        """
        await self._take_turn()
        try:
            raw = await self._run(self._open) if self._kept is None else self._kept
            try:
                await self._begin(raw)
                yield SqliteConnection(raw, self)
                await self._run(lambda: self._commit(raw))
            finally:
                self._give_back(raw)
        finally:
            self._turn.release()

    async def aclose(self) -> None:
        """Closes the connection, and returns when the thread has ended."""
        if self._kept is not None:
            self._drop(self._kept)
        await asyncio.to_thread(self._thread.shutdown)

    async def _take_turn(self) -> None:
        if not self._turn.locked():
            await self._turn.acquire()
            return
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await self._turn.acquire()
        except TimeoutError:
            raise Unavailable("too many write at once") from None

    def _open(self) -> sqlite3.Connection:
        raw = self._connect("rw", "PRAGMA busy_timeout = 0")
        if self._keeps:
            self._opened.note_log()
            self._kept = raw
        return raw

    async def _begin(self, raw: sqlite3.Connection) -> None:
        # A plain BEGIN becomes a writer only at its first write, and fails at once if there is another by then.
        with translates_errors("BEGIN IMMEDIATE"):
            try:
                raw.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                await self._run(lambda: self._wait_to_begin(raw))

    def _wait_to_begin(self, raw: sqlite3.Connection) -> None:
        raw.execute(f"PRAGMA busy_timeout = {self.busy_millis}")
        try:
            raw.execute("BEGIN IMMEDIATE")
        finally:
            raw.execute("PRAGMA busy_timeout = 0")

    def _commit(self, raw: sqlite3.Connection) -> None:
        with translates_errors("COMMIT"):
            raw.commit()
        self._opened.verify()  # afterwards, so that no commit into a deleted file is reported

    def _give_back(self, raw: sqlite3.Connection) -> None:
        """Undoes what is not committed."""
        try:
            raw.rollback()
        except sqlite3.Error:
            self._drop(raw)
        else:
            if not self._keeps:
                raw.close()

    def _drop(self, raw: sqlite3.Connection) -> None:
        if self._keeps:
            self._opened.forget_log()  # SQLite may delete it
            self._kept = None
        raw.close()

    async def _run(self, work: Callable[[], T]) -> T:
        """Runs `work` in the thread. If the task is cancelled, the thread ends first: it uses the connection."""
        running = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise
