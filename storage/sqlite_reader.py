"""Reads SQLite: in WAL mode a reader waits for no writer."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from storage.open_file import OpenFile
from storage.sqlite_connection import SqliteConnection, SqliteEngine

MAX_IDLE = 4
"""Connections that stay open for the next reader."""


class SqliteReader(SqliteEngine):
    """Connections that can only read."""

    def __init__(self, opened: OpenFile, pragmas: Sequence[str]) -> None:
        super().__init__(opened, pragmas)
        self._idle: list[sqlite3.Connection] = []

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[SqliteConnection]:
        """Yields a connection; all that it reads is of one moment. Raises Gone and DBAPIError."""
        raw = self._idle.pop() if self._idle else self._connect("ro")
        try:
            yield SqliteConnection(raw, self)
        finally:
            self._give_back(raw)

    def close(self) -> None:
        """Closes the connections that are idle."""
        while self._idle:
            self._idle.pop().close()

    def _give_back(self, raw: sqlite3.Connection) -> None:
        with suppress(sqlite3.Error):
            raw.rollback()
            if len(self._idle) < MAX_IDLE:
                self._idle.append(raw)
                return
        raw.close()
