"""SQLite as a store that loses nothing: one writer, readers that can only read, and the file to itself."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from play.ids import Millis
from play.store import Unavailable
from storage import migrations
from storage.lock import exclusive
from storage.trips import connect

READERS = 4

_READING = ("PRAGMA busy_timeout = 10000",)
# At synchronous NORMAL, power cuts lost 17 to 212 acknowledged moves; at FULL none (DESIGN section 4).
_MIGRATING = (*_READING, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
# Not while migrating: SQLite changes some columns only by building the table anew, and rows refer to the old one.
_WRITING = (*_MIGRATING, "PRAGMA foreign_keys = ON")


@asynccontextmanager
async def _engine(file: Path, mode: str, pragmas: tuple[str, ...], connections: int = 1) -> AsyncIterator[AsyncEngine]:
    url = URL.create("sqlite+aiosqlite", database=file.as_uri(), query={"mode": mode, "uri": "true"})
    engine = create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_reset_on_return=None,  # every transaction is ended by the block that began it
        hide_parameters=True,  # what people wrote does not belong in a log
        connect_args={"async_creator_fn": connect},
    )
    # A plain BEGIN becomes a writer only at its first write, and fails at once if there is another by then.
    begin = "BEGIN" if mode == "ro" else "BEGIN IMMEDIATE"

    # The driver begins no transaction for SELECT and DDL, so SQLAlchemy has to: "Enabling Non-Legacy SQLite
    # Transactional Modes" in the documentation of its dialect.
    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    try:
        yield engine
    finally:
        await engine.dispose()


async def _upgrade(file: Path) -> None:
    async with _engine(file, "rwc", _MIGRATING) as engine, engine.begin() as connection:
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
async def engines(url: URL) -> AsyncIterator[tuple[AsyncEngine, AsyncEngine]]:
    """The engine that writes and the one that reads, the tables up to date. Raises InUse.

    A pool of one connection is the queue of the writers. The readers close first, so that the writer, the last to
    leave, folds the log into the file.
    """
    file = file_of(url)
    with exclusive(file):
        await _upgrade(file)
        async with _engine(file, "rw", _WRITING) as writer, _engine(file, "ro", _READING, READERS) as reader:
            yield writer, reader


async def now(_: AsyncConnection) -> Millis:
    """The clock of the one process that the file belongs to."""
    return Millis(time.time_ns() // 1_000_000)


async def clock(_: URL) -> Millis:
    """The same."""
    return Millis(time.time_ns() // 1_000_000)


def meaning(error: DBAPIError) -> Exception | None:
    """What SQLite's refusal means to the use cases: a full disk or a lock may pass; anything else is our mistake."""
    return Unavailable(str(error.orig)) if isinstance(error, OperationalError) else None
