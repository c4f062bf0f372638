"""Writes SQLite: one transaction after the other, each in its turn.

Statements run on the event loop. A thread does what waits: the commit, for the disk, and a beginning that finds the
file locked by another program.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple, TypeVar

import aiosqlite

from storage.errors import Unavailable
from storage.open_file import OpenFile
from storage.sqlite_connection import SqliteConnection, SqliteEngine, translates_errors

TURN_SECONDS = 10.0
"""Seconds that a transaction waits for those before it."""

T = TypeVar("T")


class _Connected(NamedTuple):
    """A connection, and the same as its thread has it."""

    raw: sqlite3.Connection
    in_thread: aiosqlite.Connection


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
        self._connected: _Connected | None = None
        self.busy_millis = busy_millis

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[SqliteConnection]:
        """Yields a connection in a transaction, and commits: the changes are on disk, in the open file.

        Raises Gone, Unavailable and DBAPIError.
        """
        await self._take_turn()
        try:
            connected = await _finish(self._connect_thread()) if self._connected is None else self._connected
            await self._begin(connected)
            yield SqliteConnection(connected.raw, self)
            await self._commit(connected)
        finally:
            try:
                await self._undo()
            finally:
                self._turn.release()

    async def aclose(self) -> None:
        """Closes the connection, and returns when its thread has ended."""
        connected, self._connected = self._connected, None
        if connected is None:
            return
        if self._keeps:
            self._opened.forget_log()  # SQLite may delete it
        await _finish(connected.in_thread.close())

    async def _take_turn(self) -> None:
        if not self._turn.locked():
            await self._turn.acquire()
            return
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await self._turn.acquire()
        except TimeoutError:
            raise Unavailable("too many write at once") from None

    async def _connect_thread(self) -> _Connected:
        raw = await asyncio.to_thread(self._connect, "rw", "PRAGMA busy_timeout = 0")
        in_thread = aiosqlite.Connection(lambda: raw, iter_chunk_size=64)
        in_thread._thread.daemon = (
            True  # as SQLAlchemy does: one that nobody closes doesn't keep the program from ending
        )
        self._connected = _Connected(raw, await in_thread)
        if self._keeps:
            self._opened.note_log()
        return self._connected

    async def _begin(self, connected: _Connected) -> None:
        # A plain BEGIN becomes a writer only at its first write, and fails at once if there is another by then.
        with translates_errors("BEGIN IMMEDIATE"):
            try:
                connected.raw.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                await self._wait_to_begin(connected)

    async def _wait_to_begin(self, connected: _Connected) -> None:
        connected.raw.execute(f"PRAGMA busy_timeout = {self.busy_millis}")
        try:
            await _finish(connected.in_thread.execute_fetchall("BEGIN IMMEDIATE"))
        finally:
            connected.raw.execute("PRAGMA busy_timeout = 0")

    async def _commit(self, connected: _Connected) -> None:
        with translates_errors("COMMIT"):
            await _finish(connected.in_thread.commit())
        self._opened.verify()  # afterwards, so that no commit into a deleted file is reported

    async def _undo(self) -> None:
        """Undoes what is not committed. Closes a connection that is not kept, or that fails."""
        if self._connected is None:
            return
        try:
            self._connected.raw.rollback()
        except sqlite3.Error:
            await self.aclose()
        else:
            if not self._keeps:
                await self.aclose()


async def _finish(work: Coroutine[object, object, T]) -> T:
    """Awaits what a thread does. If the task is cancelled, that ends first: the thread uses the connection."""
    working = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        raise
