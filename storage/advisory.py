"""Locks that many processes see and that end with the process that holds them: PostgreSQL's advisory locks.

They keep two processes from doing the same work. Correctness never depends on them.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from storage.engines import address
from storage.errors import Unavailable

_ALIVE = {
    "application_name": "kropka locks",
    "statement_timeout": "5s",
    # The locks of a host that vanished end after 20 s.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}

Lock = tuple[int, int]
"""A kind of lock and a number, of 31 bits each."""


class Locks:
    """The locks of this process, all on one connection of their own: they end with it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._held: set[Lock] = set()

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str) -> AsyncIterator[Self]:
        """Yields locks on the server at `url`, until the block ends."""
        engine = create_async_engine(
            address(url),
            isolation_level="AUTOCOMMIT",
            poolclass=NullPool,
            connect_args={"server_settings": _ALIVE, "timeout": 5.0, "command_timeout": 10.0},
        )
        locks = cls(engine)
        try:
            yield locks
        finally:
            await locks._lose()
            await engine.dispose()

    @property
    def held(self) -> frozenset[Lock]:
        """Returns the locks that this process holds, as far as it knows."""
        return frozenset(self._held)

    async def take(self, lock: Lock) -> bool:
        """Takes a lock, unless a process holds it, this one included; returns whether it did. Raises Unavailable: then
        this process has lost all locks."""
        if lock in self._held:
            return False
        taken = bool(await self._ask("SELECT pg_try_advisory_lock(:kind, :number)", kind=lock[0], number=lock[1]))
        if taken:
            self._held.add(lock)
        return taken

    async def release(self, lock: Lock) -> None:
        """Gives a lock up. Raises Unavailable, as `take` does."""
        if lock in self._held:
            self._held.discard(lock)
            await self._ask("SELECT pg_advisory_unlock(:kind, :number)", kind=lock[0], number=lock[1])

    async def taken(self, kind: int) -> frozenset[int]:
        """Returns the numbers of the locks of a kind that any process holds. Raises Unavailable, as `take` does."""
        numbers = await self._ask(
            "SELECT coalesce(array_agg(CAST(objid AS bigint)), '{}') FROM pg_locks WHERE locktype = 'advisory'"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND CAST(classid AS bigint) = :kind AND objsubid = 2 AND granted",
            kind=kind,
        )
        return frozenset(numbers)  # type: ignore[call-overload, no-any-return]

    async def _ask(self, statement: str, **parameters: int) -> object:
        try:
            if self._connection is None:
                self._connection = await self._engine.connect()
            return (await self._connection.execute(text(statement), parameters)).scalar_one()
        except (DBAPIError, OSError) as error:
            await self._lose()
            raise Unavailable(str(error)) from error
        except BaseException:  # cancelled: the server may have done it
            await self._lose()
            raise

    async def _lose(self) -> None:
        self._held.clear()
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                await connection.invalidate()  # ends the session, and with it every lock on the server
            finally:
                await connection.close()
