"""A database, opened: the Store that the use cases work on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol, Self

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoneLeft
from sqlalchemy.ext.asyncio import AsyncEngine

from play.ids import Millis
from play.store import Unavailable
from storage import postgres, sqlite, steady
from storage.breaker import Breaker
from storage.replays import Replays
from storage.statements import Connection
from storage.steady import SteadyClock
from storage.store import SqlReader, SqlTransaction


class ReadEngine(Protocol):
    """An AsyncEngine, as far as reading needs it."""

    def connect(self) -> AbstractAsyncContextManager[Connection]: ...


class Engine(Protocol):
    """What differs between databases."""

    async def migrate(self, url: URL) -> None: ...

    def engines(self, url: URL) -> AbstractAsyncContextManager[tuple[AsyncEngine, ReadEngine]]: ...

    async def now(self, connection: Connection) -> Millis: ...

    async def clock(self, url: URL) -> Millis: ...

    def meaning(self, error: DBAPIError) -> Exception | None: ...


ENGINES: dict[str, Engine] = {"sqlite+aiosqlite": sqlite, "postgresql+asyncpg": postgres}
_ALIASES = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}


def address(text: str) -> URL:
    """A database's address, also as hosting services write it (`postgres://...?sslmode=require`). Raises ValueError."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise ValueError(
            "it must be sqlite+aiosqlite:///PATH or postgresql+asyncpg://USER:PASSWORD@HOST/NAME"
        ) from None
    url = url.set(drivername=_ALIASES.get(url.drivername, url.drivername))
    if url.drivername not in ENGINES:
        raise ValueError(f"{url.drivername} is no database that Kropka knows: {', '.join(ENGINES)}")
    if url.drivername == "postgresql+asyncpg" and "sslmode" in url.query:
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})
    return url


def file_of(url: str) -> Path | None:
    """The file that a database is; None for a server's."""
    parsed = address(url)
    return sqlite.file_of(parsed) if ENGINES[parsed.drivername] is sqlite else None


async def migrate(url: str) -> None:
    """Brings the tables up to date. Raises InUse while a bot works on a file."""
    parsed = address(url)
    await ENGINES[parsed.drivername].migrate(parsed)


async def clock(url: str) -> Millis:
    """The time at a database, whose tables are not looked at. Raises Unavailable."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    return await engine.clock(parsed)


class Database:
    """A `play.store.Store`."""

    def __init__(
        self,
        engine: Engine,
        writer: AsyncEngine,
        reader: ReadEngine,
        clock: SteadyClock,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._reader = reader
        self._breaker = Breaker()
        self._replays = Replays()
        self._clock = clock
        self._beating = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        url: str,
        now: Callable[[], Millis] | None = None,
        uptime: Callable[[], Millis] | None = None,
        boot: str | None = None,
    ) -> AsyncIterator[Self]:
        """The database at `url`, its tables brought up to date, until the block ends.

        `now` takes the place of the database's own clock; it is checked against the `uptime` of a run of the machine
        that `boot` names, if they are given as well. Raises InUse and Unavailable.
        """
        parsed = address(url)
        engine = ENGINES[parsed.drivername]

        async def given(_: Connection) -> Millis:
            assert now is not None
            return now()

        clock = SteadyClock(given, uptime, boot) if now else SteadyClock(engine.now, steady.uptime, steady.boot())
        async with engine.engines(parsed) as (writer, reader):
            store = cls(engine, writer, reader, clock)
            async with store.read() as stored:
                origin = await stored.origin(clock.boot)
            if origin is not None:
                clock.trust(origin)
            yield store

    @asynccontextmanager
    async def read(self) -> AsyncIterator[SqlReader]:
        """Raises Unavailable."""
        with self._understood():
            async with self._reader.connect() as connection:  # its transaction begins with the first statement
                yield SqlReader(connection, self._replays, self._clock)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SqlTransaction]:
        """A process that may have been frozen notes first that it is at work, so that nothing in its transaction is
        decided by a time that was not credited. Raises Unavailable, and Stale where somebody else has just changed the
        same row."""
        with self._understood():
            async with self._in_turn():
                async with self._writer.begin() as connection:
                    transaction = SqlTransaction(connection, self._replays, self._clock)
                    if pulse := self._clock.overdue:
                        await transaction.beat(pulse.away)
                    yield transaction
                transaction.committed()

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        """Of those who write after a freeze one notes it; the others wait, so that none hears that it was late."""
        if self._clock.overdue is None:
            yield
            return
        async with self._beating:
            yield

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """What the database refuses, in the words of play.store."""
        with self._breaker.guards():
            try:
                yield
            except DBAPIError as error:
                if meant := self._engine.meaning(error):
                    raise meant from error
                raise
            except (NoneLeft, OSError) as error:
                raise Unavailable(str(error)) from error
