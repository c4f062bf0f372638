"""PostgreSQL, for many processes at once: every write says which version it follows."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, BigInteger, NullPool, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from play.ids import Millis
from storage import migrations
from storage.errors import Broken, CannotOpen, OutOfRange, Stale, Unavailable
from storage.statements import Connection

if TYPE_CHECKING:
    from storage.postgres_connection import PostgresEngine

MAX_WRITERS, MAX_READERS = 8, 4
"""Pool sizes of one process."""

_TIMEOUTS = {
    "jit": "off",  # our statements take less time than compiling them
    "lock_timeout": "5s",
    "statement_timeout": "20s",
    # A process that stops in mid-transaction must not block the others.
    "idle_in_transaction_session_timeout": "10s",
}
_NOW = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now").columns(now=BigInteger)

_MIGRATING = 0x4B726F706B61  # "Kropka" in ASCII

_CONFLICTS = {"23505", "40001", "40P01"}
"""Another transaction was first: unique_violation, serialization_failure and deadlock_detected."""

_DAMAGE = {"XX001", "XX002"}
"""data_corrupted and index_corrupted."""

OPTIONS = frozenset({"host", "port", "user", "password", "database", "passfile", "ssl", "direct_tls"})
"""Options that an address may have after its question mark. Source: asyncpg.connect"""

DEFAULT_PORT = 5432

CONNECT_SECONDS = 10.0
"""Seconds that a server gets to take a connection."""

_STARTING = ("53", "57")
"""Failures at the start that pass by themselves: no free connection; the server is starting or stopping."""

_PASSING = ("08", "25P03", "25P04", "25006", "53", "55P03", "57", "58")
"""Failures that may pass: connections, limits of time, standbys, resources, locks, operators and the system.
https://www.postgresql.org/docs/current/errcodes-appendix.html"""


_OPTIONS = {"server_settings": {"application_name": "kropka", **_TIMEOUTS}, "timeout": CONNECT_SECONDS}
"""Of each connection."""


@asynccontextmanager
async def _engine(url: URL, **options: Any) -> AsyncIterator[AsyncEngine]:
    """Yields SQLAlchemy's own, for what is asked once."""
    engine = create_async_engine(
        url,
        poolclass=NullPool,
        hide_parameters=True,  # users' texts do not belong in a log
        connect_args=_OPTIONS,
        **options,
    )
    try:
        yield engine
    finally:
        await engine.dispose()


async def migrate(url: URL) -> None:
    """Brings the tables up to date, one process after the other."""
    # READ COMMITTED: a process that has waited for the lock has to see the steps of the one before.
    async with _engine(url, isolation_level="READ COMMITTED") as engine, engine.begin() as connection:
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
        await connection.run_sync(migrations.upgrade)


@asynccontextmanager
async def engines(url: URL) -> AsyncIterator[tuple[PostgresEngine, PostgresEngine, PostgresEngine]]:
    """Yields the engines for writing, reading and examining, the tables up to date. Raises Broken.

    Each transaction sees one moment (REPEATABLE READ): of two that change one row, the later one fails as Stale.
    """
    from storage.postgres_connection import PostgresEngine  # whose driver is an extra

    await migrate(url)
    async with (
        PostgresEngine.open(url, "BEGIN ISOLATION LEVEL REPEATABLE READ", MAX_WRITERS, **_OPTIONS) as writer,
        PostgresEngine.open(url, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", MAX_READERS, **_OPTIONS) as reader,
    ):
        yield writer, reader, writer


async def now(connection: Connection) -> Millis:
    """Returns the time by the server's clock, which all processes share."""
    return Millis((await connection.execute(_NOW)).scalar_one())


async def database_time(url: URL) -> Millis:
    """Returns the same, over a connection of its own."""
    async with _engine(url) as engine, engine.connect() as connection:
        return await now(connection)


async def require_tables(url: URL) -> None:
    """Raises CannotOpen unless the database has tables of Kropka."""
    if not await steps(url):
        raise CannotOpen(f"The database {url.database} has no tables of Kropka.")


async def steps(url: URL) -> list[str]:
    """Returns the last steps that the tables have; none if there are no tables."""
    async with _engine(url) as engine, engine.connect() as connection:
        found = (await connection.execute(text("SELECT to_regclass('alembic_version')"))).scalar_one()
        if found is None:
            return []
        return list((await connection.execute(text("SELECT version_num FROM alembic_version"))).scalars())


_TOO_LARGE = "out of int64 range"
"""asyncpg's message for a number of more than 64 bits, which it never sends to the server."""


def translate_error(_: URL, error: DBAPIError) -> Exception | None:
    """Returns the exception of storage for an error of the server; None if it is a bug."""
    code = getattr(error.orig, "sqlstate", None)
    if code in _CONFLICTS:
        return Stale()
    if _TOO_LARGE in str(error.orig):
        return OutOfRange(str(error.orig))
    if code in _DAMAGE:
        return Broken(f"The database is damaged ({error.orig}). Stop Kropka, and restore a copy.")
    if error.connection_invalidated or code is None or code.startswith(_PASSING):
        return Unavailable(str(error.orig))
    return None


def why_closed(url: URL, error: Exception) -> str | None:
    """Returns why the server lets nobody in, and what to do; None if that may pass by itself."""
    host = url.host or url.query.get("host", "localhost")
    server = f"The PostgreSQL server at {host}:{url.port or url.query.get('port', DEFAULT_PORT)}"
    for cause in _causes(error):
        match cause:
            case socket.gaierror():
                return f"The host {host} is unknown. Check its name, or the connection to the net."
            case FileNotFoundError():
                return f"There's no PostgreSQL server at the socket in {host}. Start it, or correct the address."
            case ConnectionRefusedError():
                return f"{server} refuses the connection. Start it, or correct the address."
            case TimeoutError():
                return f"{server} hasn't answered for {CONNECT_SECONDS:.0f} s. Start it, or correct the address."
            case OSError():
                return f"{server} can't be reached ({cause}). Start it, or correct the address."
    code = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    if code.startswith(_STARTING):
        return None
    if code.startswith("28"):
        return f"{server} refuses the user {url.username} or their password. Correct them in the address."
    if code == "3D000":
        return f"{server} has no database {url.database}. Create it with `createdb`, or correct the address."
    return f"{server} can't be used ({getattr(error, 'orig', error)}). Correct that, or the address."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
