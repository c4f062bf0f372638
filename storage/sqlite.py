"""SQLite as a store that loses nothing: one writer, readers that can only read, and the file to itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from storage import migrations
from storage.lock import exclusive

READERS = 4

_READING = ("PRAGMA busy_timeout = 10000",)
# At synchronous NORMAL, power cuts lost 17 to 212 acknowledged moves; at FULL none (DESIGN section 4).
_MIGRATING = (*_READING, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
# Not while migrating: SQLite changes some columns only by building the table anew, and rows refer to the old one.
_WRITING = (*_MIGRATING, "PRAGMA foreign_keys = ON")


@asynccontextmanager
async def _engine(file: Path, mode: str, pragmas: tuple[str, ...], connections: int = 1) -> AsyncIterator[AsyncEngine]:
    url = URL.create("sqlite+aiosqlite", database=file.as_uri(), query={"mode": mode, "uri": "true"})
    engine = create_async_engine(url, pool_size=connections, max_overflow=0)
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


def _file(url: URL) -> Path:
    if url.database in (None, "", ":memory:") or url.query:
        raise ValueError("a SQLite database is a file: sqlite+aiosqlite:///PATH")
    return Path(str(url.database)).resolve()


async def migrate(url: URL) -> None:
    """Brings the tables up to date. Raises InUse."""
    file = _file(url)
    with exclusive(file):
        await _upgrade(file)


@asynccontextmanager
async def engines(url: URL) -> AsyncIterator[tuple[AsyncEngine, AsyncEngine]]:
    """The engine that writes and the one that reads, the tables up to date. Raises InUse.

    A pool of one connection is the queue of the writers. The readers close first, so that the writer, the last to
    leave, folds the log into the file.
    """
    file = _file(url)
    with exclusive(file):
        await _upgrade(file)
        async with _engine(file, "rw", _WRITING) as writer, _engine(file, "ro", _READING, READERS) as reader:
            yield writer, reader
