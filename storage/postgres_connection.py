"""Connections to PostgreSQL. Their statements go to the driver without SQLAlchemy's connections or a greenlet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Self

import asyncpg
from sqlalchemy import URL, Dialect, Executable, Float, TextClause
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.exc import DBAPIError, IntegrityError

from storage.prepared import Columns, Preparer
from storage.statements import FetchedRows

STATEMENTS_KEPT = 300
"""Statements that the server keeps prepared, of each connection."""

POOL_SECONDS = 10.0
"""Seconds that a transaction waits for a connection."""

TRANSACTION_SECONDS = 30
"""Seconds that a transaction may take, more than one statement gets."""

CLOSE_SECONDS = 5.0
"""Seconds that connections get to say goodbye."""

_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)

Watcher = Callable[[Any, str, Sequence[Any]], object]
"""Sees a statement before it runs, with its values or those of its first row."""


class _Number(Float[float]):
    """A number that is a float in Python, whether the server counts in floats or in decimals."""

    render_bind_cast = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], float | None]:
        return lambda value: None if value is None else float(value)


class _Dialect(PGDialect_asyncpg):
    """SQLAlchemy's dialect where the driver gives what the server sends: JSON as text, and no types of columns."""

    supports_statement_cache = True
    supports_native_json_deserialization = False
    colspecs = {**PGDialect_asyncpg.colspecs, Float: _Number}  # noqa: RUF012 - as there


_PREPARER = Preparer(_Dialect())  # type: ignore[no-untyped-call]


async def _limit_transactions(raw: Any) -> None:
    """Lets the server end a transaction that takes too long, whatever its client is at.

    A process that is frozen between the messages of one statement is neither idle nor at work for the server: of its
    limits only this one ends that. Before PostgreSQL 17 there is none.
    """
    if raw.get_server_version() >= (17,):
        await raw.execute(f"SET transaction_timeout = '{TRANSACTION_SECONDS}s'")


async def _reset(_: object) -> None:
    """Resets nothing, for which the driver would ask the server: our transactions leave no state in a session."""


@contextmanager
def _translates_errors(text: str) -> Iterator[None]:
    """Raises the errors of the driver as SQLAlchemy's, without values: users' texts do not belong in a log."""
    try:
        yield
    except _FAILURES as error:
        raise _wrap(text, error) from error


def _wrap(text: str, error: Any) -> DBAPIError:
    error.detail = None  # it quotes values
    kind = IntegrityError if isinstance(error, asyncpg.IntegrityConstraintViolationError) else DBAPIError
    return kind(text, None, error, hide_parameters=True)


class PostgresEngine:
    """Transactions that begin alike, on connections of a pool.

    Attributes:
        start: the statement that begins a transaction.
        watchers: see each statement.
    """

    def __init__(self, pool: Any, start: str) -> None:
        self.watchers: list[Watcher] = []
        self.start = start
        self._pool = pool

    @classmethod
    @asynccontextmanager
    async def open(cls, url: URL, start: str, connections: int, **options: Any) -> AsyncIterator[Self]:
        """Yields an engine with so many connections at most, whose transactions `start` with a statement.

        `options` are those of the driver's connections. None is opened before it is needed.
        """
        _, place = _PREPARER.dialect.create_connect_args(url)
        pool = await asyncpg.create_pool(
            min_size=0,
            max_size=connections,
            max_inactive_connection_lifetime=0,
            init=_limit_transactions,
            reset=_reset,
            statement_cache_size=STATEMENTS_KEPT,
            max_cached_statement_lifetime=0,
            **place,
            **options,
        )
        try:
            yield cls(pool, start)
        finally:
            with suppress(TimeoutError):  # the pool has broken its connections off then
                async with asyncio.timeout(CLOSE_SECONDS):
                    await pool.close()

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[PostgresConnection]:
        """Yields a connection; all that it reads is of one moment. Raises DBAPIError and OSError."""
        with _translates_errors("connect"):
            raw = await self._pool.acquire(timeout=POOL_SECONDS)
        connection = PostgresConnection(raw, self)
        try:
            yield connection
        finally:
            with suppress(*_FAILURES, OSError):  # the pool closes a connection that fails
                try:
                    await connection.undo()
                finally:
                    await self._pool.release(raw)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[PostgresConnection]:
        """Yields a connection, and commits. Raises DBAPIError and OSError."""
        async with self.connect() as connection:
            yield connection
            await connection.commit()


class PostgresConnection:
    """A connection in a transaction, which begins with its first statement."""

    __slots__ = ("_begun", "_engine", "raw")

    def __init__(self, raw: Any, engine: PostgresEngine) -> None:
        self.raw = raw
        self._engine = engine
        self._begun = False

    @property
    def dialect(self) -> Dialect:
        return _PREPARER.dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> FetchedRows:
        """Runs a statement; with a list of parameters once for each. Raises DBAPIError."""
        call = _PREPARER.prepare(statement, parameters)
        for watcher in self._engine.watchers:
            watcher(self.raw, call.text, call.values)
        try:
            if not self._begun:
                await self.raw.execute(self._engine.start)
                self._begun = True
            if call.many:
                await self.raw.executemany(call.text, call.rows)
                return FetchedRows(iter(()), -1)
            if isinstance(statement, TextClause):
                return await self._ask(call.text, call.values)
            if call.columns is None:
                return FetchedRows(iter(()), _count(await self.raw.execute(call.text, *call.values)))
            found = await self.raw.fetch(call.text, *call.values)
            return FetchedRows(call.columns.read(found), len(found))
        except _FAILURES as error:
            raise _wrap(call.text, error) from error

    async def _ask(self, text: str, values: Sequence[Any]) -> FetchedRows:
        """Runs a text, of which only the server knows whether it has columns."""
        prepared = await self.raw.prepare(text)
        found = await prepared.fetch(*values)
        columns = Columns(each.name for each in prepared.get_attributes())
        return FetchedRows(columns.read(found), _count(prepared.get_statusmsg()))

    async def commit(self) -> None:
        """Makes what the transaction has changed last. Raises DBAPIError."""
        if self._begun:
            with _translates_errors("COMMIT"):
                await self.raw.execute("COMMIT")

    async def undo(self) -> None:
        """Ends a transaction that was not committed."""
        if not self.raw.is_closed() and self.raw.is_in_transaction():
            await self.raw.execute("ROLLBACK")


def _count(status: str) -> int:
    """Returns how many rows a statement has changed, by the server's word on it (`UPDATE 3`)."""
    number = status.rpartition(" ")[2]
    return int(number) if number.isdecimal() else -1
