"""SQLite without loss: one writer, readers that can only read, and a file that no other process has open."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, closing
from pathlib import Path

from sqlalchemy import URL, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError

from play.ids import Millis
from storage import backup, migrations, statements
from storage.backup import Unsound, check
from storage.errors import Broken, CannotOpen, Unavailable
from storage.file_lock import exclusive
from storage.open_file import OpenFile, make_private, not_writable
from storage.sqlite_connection import connect, translates_errors
from storage.sqlite_reader import SqliteReader
from storage.sqlite_writer import SqliteWriter

MAX_LOG_BYTES = 8 * 1024 * 1024
"""Room on the disk that the log keeps of what it took beside a long reader. SQLite folds it in at half of that."""

_WAITING = ("PRAGMA busy_timeout = 10000",)
# At synchronous NORMAL, power cuts lost 17 to 212 acknowledged moves; at FULL none.
_MIGRATING = (*_WAITING, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
# Not while migrating: SQLite changes some columns only by rebuilding the table, and rows refer to the old one.
_WRITING = (*_MIGRATING, "PRAGMA foreign_keys = ON", f"PRAGMA journal_size_limit = {MAX_LOG_BYTES}")

EXAMINER_BUSY_MILLIS = 1000
"""How long a health check, which waits for 2 s at most, waits for the file."""

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""Result codes of a damaged file, or one that SQLite never wrote."""

_CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
"""Result codes of a file that the operating system does not let SQLite write to."""


def _is_current(opened: OpenFile) -> bool:
    """Returns whether the tables are up to date: without SQLAlchemy, which takes as long as all else of opening a file.

    Raises DBAPIError also if the file cannot be written to.
    """
    with closing(connect(opened.file, "rw", _MIGRATING)) as raw, translates_errors("begin"):
        raw.execute("BEGIN IMMEDIATE")  # which only reads, if the file cannot be written to
        named = raw.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'alembic_version'").fetchone()
        done = [step for (step,) in raw.execute("SELECT version_num FROM alembic_version")] if named else []
        if named:
            raw.execute("DELETE FROM alembic_version WHERE 0")  # a change of no row is refused there all the same
        raw.execute("ROLLBACK")
    return migrations.are_all(done)


def _upgrade(opened: OpenFile) -> None:
    """Brings the tables up to date. Raises CannotOpen for the file of another program."""
    if _is_current(opened):
        opened.verify()
        return
    engine = create_engine(
        "sqlite://",
        creator=lambda: connect(opened.file, "rw", _MIGRATING),
        poolclass=NullPool,
        hide_parameters=True,  # users' texts do not belong in a log
    )
    # The driver begins no transaction for DDL. A plain BEGIN becomes a writer only at its first write.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with engine.begin() as connection:
        if migrations.is_foreign(connection):
            raise CannotOpen(f"{opened.file} belongs to another program. Name another file.")
        migrations.upgrade(connection)
    opened.verify()


@asynccontextmanager
async def _open_upgraded(file: Path) -> AsyncIterator[OpenFile]:
    """Yields the file, locked and with its tables up to date. Raises CannotOpen for the file of another program."""
    with exclusive(file):
        make_private(file)
        opened = OpenFile(file)
        await asyncio.to_thread(_upgrade, opened)
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
async def engines(url: URL) -> AsyncIterator[tuple[SqliteWriter, SqliteReader, SqliteWriter]]:
    """Yields the engines for writing, reading and examining, the tables up to date. Raises InUse and Broken.

    The one for examining keeps no connection: a new one has no cache and has to read the file. The readers close
    first, so that the writer closes last and folds the log into the file.
    """
    async with (
        _open_upgraded(file_of(url)) as opened,
        aclosing(SqliteWriter(opened, _WRITING, keeps=True)) as writer,
        aclosing(SqliteWriter(opened, (), EXAMINER_BUSY_MILLIS, keeps=False)) as examiner,
    ):
        with closing(SqliteReader(opened, _WAITING)) as reader:
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


async def steps(url: URL) -> list[str]:
    """Returns the last steps that the tables of a whole database have."""
    return await asyncio.to_thread(backup.steps, file_of(url))


def why_closed(url: URL, error: Exception) -> str | None:
    """Returns why the file cannot be used, and what to do; None if that may pass by itself."""
    file = file_of(url)
    if file.is_dir():
        return f"{file} is a folder. Name a file."
    if isinstance(error, OSError):
        place = not_writable(file) or file.parent
        return f"{place} can't be written to ({error.strerror}). Choose another place, or let Kropka write there."
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGE:
        advice = "Put a copy in its place with `kropka restore`, or name another file."
        return f"{file} isn't a database, or is damaged. {advice}"
    if code in _CLOSED:
        return f"{not_writable(file) or file} can't be written to. Choose another place, or let Kropka write there."
    return None


def translate_error(url: URL, error: DBAPIError) -> Exception | None:
    """Returns the exception of storage for an error of SQLite; None if it is a bug.

    A full disk or a lock may pass, damage does not.
    """
    if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
        advice = "Stop Kropka, and put a copy in its place with `kropka restore`."
        return Broken(f"{file_of(url)} is damaged or not a database ({error.orig}). {advice}")
    return Unavailable(str(error.orig)) if isinstance(error, OperationalError) else None
