"""Connections to a SQLite file. Their statements run on the event loop, without a thread or a greenlet in between.

Every statement goes by an index, and the pages that are often read are in memory. At 1,000,000 matches the slowest
statement blocks the event loop for as long as a drawing thread holds the interpreter (`python -m benchmarks.growth`).
Most statements take less time than a trip to a thread.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from sqlalchemy import Dialect, Executable, exc
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from storage.open_file import OpenFile
from storage.prepared import Call, Columns, Preparer
from storage.statements import FetchedRows

STATEMENTS_PER_YIELD = 20
"""After so many statements other tasks on the event loop have their turn."""

DRIVER_CACHE_SIZE = 300
"""Statements that the driver keeps parsed, of each connection."""

FIRST_ROWS = 1000
"""Rows that are fetched at once; the rest as they are read."""

_PREPARER = Preparer(sqlite.dialect())

Watcher = Callable[[sqlite3.Connection, str, Sequence[Any]], object]
"""Sees a statement before it runs, with its values or those of its first row."""


def connect(file: Path, mode: str, pragmas: Sequence[str]) -> sqlite3.Connection:
    """Opens a file that is there, to read (`ro`) or to write (`rw`). Any thread may use the connection, one at a time.

    The driver begins no transactions. Raises DBAPIError.
    """
    with translates_errors("open"):
        raw = sqlite3.connect(
            f"{file.as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=DRIVER_CACHE_SIZE,
        )
        try:
            for pragma in pragmas:
                raw.execute(pragma)
        except sqlite3.Error:
            raw.close()
            raise
    return raw


@contextmanager
def translates_errors(text: str) -> Iterator[None]:
    """Raises the errors of the driver as SQLAlchemy's."""
    try:
        yield
    except sqlite3.Error as error:
        raise _wrap(text, error) from error


def _wrap(text: str, error: sqlite3.Error) -> DBAPIError:
    """Returns an error as SQLAlchemy's of the same name, without values: users' texts do not belong in a log."""
    kind: type[DBAPIError] = getattr(exc, type(error).__name__, DBAPIError)
    return kind(text, None, error, hide_parameters=True)


class SqliteEngine:
    """The common part of connections that do the same.

    Attributes:
        asked: the number of statements so far.
        watchers: see each statement.
    """

    def __init__(self, opened: OpenFile, pragmas: Sequence[str]) -> None:
        self.asked = 0
        self.watchers: list[Watcher] = []
        self._opened = opened
        self._pragmas = pragmas

    def _connect(self, mode: str, *pragmas: str) -> sqlite3.Connection:
        """Opens a connection. Raises Gone and DBAPIError."""
        self._opened.verify()  # it would open any file that has the name now
        return connect(self._opened.file, mode, (*self._pragmas, *pragmas))


class SqliteConnection:
    """A connection in a transaction, which begins with its first statement if it has not begun."""

    __slots__ = ("_engine", "_raw")

    def __init__(self, raw: sqlite3.Connection, engine: SqliteEngine) -> None:
        self._raw = raw
        self._engine = engine

    @property
    def dialect(self) -> Dialect:
        return _PREPARER.dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> FetchedRows:
        """Runs a statement; with a list of parameters once for each. Raises DBAPIError."""
        self._engine.asked += 1
        if self._engine.asked % STATEMENTS_PER_YIELD == 0:
            await asyncio.sleep(0)
        call = _PREPARER.prepare(statement, parameters)
        for watcher in self._engine.watchers:
            watcher(self._raw, call.text, call.values)
        try:
            if not self._raw.in_transaction:
                self._raw.execute("BEGIN")
            if call.many:
                return _read(call, self._raw.executemany(call.text, call.rows))
            return _read(call, self._raw.execute(call.text, call.values))
        except sqlite3.Error as error:
            raise _wrap(call.text, error) from error


def _read(call: Call, cursor: sqlite3.Cursor) -> FetchedRows:
    """Returns what a statement has found and changed."""
    if not cursor.description:
        return FetchedRows(iter(()), cursor.rowcount)
    columns = call.columns or Columns(each[0] for each in cursor.description)
    rows: list[Any] = cursor.fetchmany(FIRST_ROWS)
    found = chain(rows, _fetch_rest(call.text, cursor)) if len(rows) == FIRST_ROWS else rows
    return FetchedRows(columns.read(found), cursor.rowcount)


def _fetch_rest(text: str, cursor: sqlite3.Cursor) -> Iterator[Any]:
    with translates_errors(text):
        yield from cursor
