"""SQLite as a store that loses nothing: one writer, readers that can only read, and the file to itself."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from play.ids import Millis
from play.store import Unavailable
from storage import migrations, statements
from storage.direct import DirectEngine
from storage.lock import exclusive
from storage.trips import connect

READERS = 4
"""Connections that stay open for the next reader."""

_READING = ("PRAGMA busy_timeout = 10000",)
# At synchronous NORMAL, power cuts lost 17 to 212 acknowledged moves; at FULL none (DESIGN section 4).
_MIGRATING = (*_READING, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
# Not while migrating: SQLite changes some columns only by building the table anew, and rows refer to the old one.
_WRITING = (*_MIGRATING, "PRAGMA foreign_keys = ON")


_OURS = {
    "pool_reset_on_return": None,  # every transaction is ended by the block that began it
    "hide_parameters": True,  # what people wrote does not belong in a log
    "pool_timeout": 10.0,
}


def _address(driver: str, file: Path, mode: str) -> URL:
    return URL.create(driver, database=file.as_uri(), query={"mode": mode, "uri": "true"})


def _set_up(engine: Engine, pragmas: tuple[str, ...], begin: Callable[[Connection], object]) -> None:
    """The driver begins no transaction for SELECT and DDL, so SQLAlchemy has to: "Enabling Non-Legacy SQLite
    Transactional Modes" in the documentation of its dialect."""
    event.listen(engine, "begin", begin)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()


@asynccontextmanager
async def _writer(file: Path, mode: str, pragmas: tuple[str, ...]) -> AsyncIterator[AsyncEngine]:
    """A pool of one connection is the queue of those who write."""
    address = _address("sqlite+aiosqlite", file, mode)
    connecting = {"async_creator_fn": connect}
    engine = create_async_engine(address, pool_size=1, max_overflow=0, connect_args=connecting, **_OURS)
    # A plain BEGIN becomes a writer only at its first write, and fails at once if there is another by then.
    _set_up(engine.sync_engine, pragmas, lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        yield engine
    finally:
        await engine.dispose()


@contextmanager
def _reader(file: Path) -> Iterator[DirectEngine]:
    """Nobody waits for a connection, since to wait for it would hold up whoever is to give one back."""
    engine = create_engine(_address("sqlite+pysqlite", file, "ro"), pool_size=READERS, max_overflow=-1, **_OURS)
    # Past SQLAlchemy, for which this would be a tenth of its work: it waits for nothing and cannot fail.
    _set_up(engine, _READING, lambda connection: connection.connection.cursor().execute("BEGIN"))
    try:
        yield DirectEngine(engine)
    finally:
        engine.dispose()


async def _upgrade(file: Path) -> None:
    async with _writer(file, "rwc", _MIGRATING) as engine, engine.begin() as connection:
        await connection.run_sync(migrations.upgrade)


def file_of(url: URL) -> Path:
    """The database's file, under its one true name. Raises ValueError."""
    if url.database in (None, "", ":memory:") or url.query:
        raise ValueError("a SQLite database is a file: sqlite+aiosqlite:///PATH")
    return Path(str(url.database)).resolve()


async def migrate(url: URL) -> None:
    """Brings the tables up to date. Raises InUse."""
    file = file_of(url)
    with exclusive(file):
        await _upgrade(file)


@asynccontextmanager
async def engines(url: URL) -> AsyncIterator[tuple[AsyncEngine, DirectEngine]]:
    """The engine that writes and the one that reads, the tables up to date. Raises InUse.

    The readers close first, so that the writer, the last to leave, folds the log into the file.
    """
    file = file_of(url)
    with exclusive(file):
        await _upgrade(file)
        async with _writer(file, "rw", _WRITING) as writer:
            with _reader(file) as reader:
                yield writer, reader


async def now(_: statements.Connection) -> Millis:
    """The clock of the one process that the file belongs to."""
    return Millis(time.time_ns() // 1_000_000)


async def clock(_: URL) -> Millis:
    """The same."""
    return Millis(time.time_ns() // 1_000_000)


def meaning(error: DBAPIError) -> Exception | None:
    """What SQLite's refusal means to the use cases: a full disk or a lock may pass; anything else is our mistake."""
    return Unavailable(str(error.orig)) if isinstance(error, OperationalError) else None
