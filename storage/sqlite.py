"""SQLite without loss: one writer, readers that can only read, and a file that no other process has open."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from play.ids import Millis
from play.store import Broken, CannotOpen, Unavailable
from storage import migrations, statements
from storage.backup import Unsound, check
from storage.file_lock import exclusive
from storage.open_file import OpenFile, make_private
from storage.sqlite_reader import DirectEngine
from storage.sqlite_writer import connect

READERS = 4
"""Connections that stay open for the next reader."""

_READING = ("PRAGMA busy_timeout = 10000",)
_EXAMINING = ("PRAGMA busy_timeout = 1000",)  # a health check waits for 2 s at most
# At synchronous NORMAL, power cuts lost 17 to 212 acknowledged moves; at FULL none.
_MIGRATING = (*_READING, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
# Not while migrating: SQLite changes some columns only by rebuilding the table, and rows refer to the old one.
_WRITING = (*_MIGRATING, "PRAGMA foreign_keys = ON")


_OURS = {
    "pool_reset_on_return": None,  # the block that begins a transaction ends it
    "hide_parameters": True,  # users' texts do not belong in a log
    "execution_options": {"compiled_cache": statements.COMPILED},
}
_ONE = {"pool_size": 1, "max_overflow": 0, "pool_timeout": 10.0}

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""Result codes of a damaged file, or one that SQLite never wrote."""

_CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
"""Result codes of a file that the operating system does not let SQLite write to."""


def _address(driver: str, file: Path, mode: str) -> URL:
    return URL.create(driver, database=file.as_uri(), query={"mode": mode, "uri": "true"})


def _set_up(engine: Engine, opened: OpenFile, pragmas: tuple[str, ...], begin: Callable[[Connection], object]) -> None:
    """Makes SQLAlchemy begin the transactions: the driver begins none for SELECT and DDL.

    See "Enabling Non-Legacy SQLite Transactional Modes" in the documentation of its dialect.
    """
    event.listen(engine, "begin", begin)
    event.listen(engine, "do_connect", lambda *_: opened.verify())  # it would open any file that has the name now

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()


@asynccontextmanager
async def _writing(opened: OpenFile, pragmas: tuple[str, ...], **pool: Any) -> AsyncIterator[AsyncEngine]:
    address = _address("sqlite+aiosqlite", opened.file, "rw")
    connecting = {"async_creator_fn": connect, "verify": opened.verify}
    engine = create_async_engine(address, connect_args=connecting, **_OURS, **pool)
    # A plain BEGIN becomes a writer only at its first write, and fails at once if there is another by then.
    _set_up(engine.sync_engine, opened, pragmas, lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        yield engine
    finally:
        await engine.dispose()


@asynccontextmanager
async def _writer(opened: OpenFile) -> AsyncIterator[AsyncEngine]:
    """Yields the writing engine; its pool of one connection is the queue of the writers."""
    async with _writing(opened, _WRITING, **_ONE) as engine:
        event.listen(engine.sync_engine, "connect", lambda *_: opened.note_log())
        event.listen(engine.sync_engine, "close", lambda *_: opened.forget_log())
        yield engine


@contextmanager
def _reader(opened: OpenFile) -> Iterator[DirectEngine]:
    """Yields the reading engine. It never blocks on its pool: blocking would stall the connection's holder."""
    address = _address("sqlite+pysqlite", opened.file, "ro")
    engine = create_engine(address, pool_size=READERS, max_overflow=-1, **_OURS)
    # Without SQLAlchemy, which would take a tenth of its time for it: BEGIN waits for nothing and cannot fail.
    _set_up(engine, opened, _READING, lambda connection: connection.connection.cursor().execute("BEGIN"))
    try:
        yield DirectEngine(engine)
    finally:
        engine.dispose()


@asynccontextmanager
async def _open_upgraded(file: Path) -> AsyncIterator[OpenFile]:
    """Yields the file, locked and with its tables up to date. Raises CannotOpen for the file of another program."""
    with exclusive(file):
        make_private(file)
        opened = OpenFile(file)
        async with _writing(opened, _MIGRATING, **_ONE) as engine, engine.begin() as connection:
            if await connection.run_sync(migrations.is_foreign):
                raise CannotOpen(f"{file} belongs to another program. Name another file.")
            await connection.run_sync(migrations.upgrade)
        yield opened


def file_of(url: URL) -> Path:
    """Returns the database's file, links resolved. Raises ValueError."""
    if url.database in (None, "", ":memory:") or url.query:
        raise ValueError("A SQLite database must be a file. Use sqlite:///PATH.")
    return Path(str(url.database)).resolve()


async def migrate(url: URL) -> None:
    """Brings the tables up to date. Raises InUse and Broken."""
    async with _open_upgraded(file_of(url)):
        pass


@asynccontextmanager
async def engines(url: URL) -> AsyncIterator[tuple[AsyncEngine, DirectEngine, AsyncEngine]]:
    """Yields the engines for writing, reading and examining, the tables up to date. Raises InUse and Broken.

    The one for examining has no pool: a new connection has no cache and has to read the file. The readers close first,
    so that the writer closes last and folds the log into the file.
    """
    async with (
        _open_upgraded(file_of(url)) as opened,
        _writer(opened) as writer,
        _writing(opened, _EXAMINING, poolclass=NullPool) as examiner,
    ):
        with _reader(opened) as reader:
            yield writer, reader, examiner


async def now(_: statements.Connection) -> Millis:
    """Returns the time by the clock of the one process that has the file."""
    return Millis(time.time_ns() // 1_000_000)


async def database_time(_: URL) -> Millis:
    """Returns the same."""
    return Millis(time.time_ns() // 1_000_000)


async def require_tables(url: URL) -> None:
    """Raises CannotOpen unless the file is a whole database of Kropka."""
    try:
        await asyncio.to_thread(check, file_of(url))
    except FileNotFoundError:
        raise CannotOpen(f"{file_of(url)} doesn't exist.") from None
    except Unsound as error:
        raise CannotOpen(f"{error}.") from error


def why_closed(url: URL, error: Exception) -> str | None:
    """Returns why the file cannot be used, and what to do; None if that may pass by itself."""
    file = file_of(url)
    if file.is_dir():
        return f"{file} is a folder. Name a file."
    if isinstance(error, OSError):
        return f"{file.parent} can't be written to ({error.strerror}). Choose another place, or let Kropka write there."
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGE:
        advice = "Put a copy in its place with `kropka restore`, or name another file."
        return f"{file} isn't a database, or is damaged. {advice}"
    if code in _CLOSED:
        return f"{file} can't be written to. Choose another place, or let Kropka write there."
    return None


def translate_error(url: URL, error: DBAPIError) -> Exception | None:
    """Returns the exception of play.store for an error of SQLite; None if it is a bug.

    A full disk or a lock may pass, damage does not.
    """
    if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
        advice = "Stop Kropka, and put a copy in its place with `kropka restore`."
        return Broken(f"{file_of(url)} is damaged or not a database ({error.orig}). {advice}")
    return Unavailable(str(error.orig)) if isinstance(error, OperationalError) else None
