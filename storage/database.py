"""A database, opened: the Store that the use cases work on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol, Self

from sqlalchemy import URL, make_url, select, update
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from play.ids import Millis
from play.store import Broken, Gone, OutOfRange, Unavailable
from storage import postgres, sqlite
from storage import steady_clock as steady
from storage.breaker import Breaker
from storage.match_cache import MatchCache
from storage.schema import metadata, outbox
from storage.statements import Connection
from storage.steady_clock import SteadyClock
from storage.unit_of_work import SqlReader, SqlTransaction


class ReadEngine(Protocol):
    """An AsyncEngine, as far as reading needs it."""

    def connect(self) -> AbstractAsyncContextManager[Connection]: ...


class Engine(Protocol):
    """What differs between databases."""

    async def migrate(self, url: URL) -> None: ...

    def engines(self, url: URL) -> AbstractAsyncContextManager[tuple[AsyncEngine, ReadEngine, AsyncEngine]]: ...

    async def now(self, connection: Connection) -> Millis: ...

    async def clock(self, url: URL) -> Millis: ...

    def translate_error(self, url: URL, error: DBAPIError) -> Exception | None: ...


log = logging.getLogger(__name__)

_NEWEST = [
    select(table).order_by(*(column.desc() for column in table.primary_key.columns)).limit(1)
    for table in metadata.sorted_tables
]
"""Of each table the row with the highest key, which is found from the root of its tree down to a leaf."""

_CHANGE_NOTHING = update(outbox).where(outbox.c.match == -1).values(version=0)
"""A database that cannot be written refuses it all the same."""

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
    """Brings the tables up to date. Raises InUse while a bot works on a file, Broken and Unavailable."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    with _opening(engine, parsed):
        await engine.migrate(parsed)


async def clock(url: str) -> Millis:
    """The time at a database, whose tables are not looked at. Raises Unavailable."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    return await engine.clock(parsed)


@contextmanager
def _opening(engine: Engine, url: URL) -> Iterator[None]:
    """Raises the exceptions of play.store where a database cannot be opened."""
    try:
        yield
    except DBAPIError as error:
        broken = Broken(f"The database cannot be used: {error.orig}. Check KROPKA_DATABASE.")
        raise engine.translate_error(url, error) or broken from error
    except OSError as error:
        raise Unavailable(str(error) or type(error).__name__) from error


class Database:
    """A `play.store.WatchedStore`."""

    def __init__(
        self,
        engine: Engine,
        url: URL,
        writer: AsyncEngine,
        reader: ReadEngine,
        examiner: AsyncEngine,
        clock: SteadyClock,
    ) -> None:
        self._engine = engine
        self._url = url
        self._writer = writer
        self._reader = reader
        self._examiner = examiner
        self._breaker = Breaker()
        self._broken: Broken | None = None
        self._gone = asyncio.Event()
        self._cache = MatchCache()
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
        that `boot` names, if they are given as well. Raises InUse, Broken and Unavailable.
        """
        parsed = address(url)
        engine = ENGINES[parsed.drivername]

        async def given(_: Connection) -> Millis:
            assert now is not None
            return now()

        clock = SteadyClock(given, uptime, boot) if now else SteadyClock(engine.now, steady.uptime, steady.boot())
        async with AsyncExitStack() as stack:
            with _opening(engine, parsed):
                engines = await stack.enter_async_context(engine.engines(parsed))
            store = cls(engine, parsed, *engines, clock)
            async with store.read() as reader:
                origin = await reader.clock.origin(clock.boot)
            if origin is not None:
                clock.trust(origin)
            yield store

    @asynccontextmanager
    async def read(self) -> AsyncIterator[SqlReader]:
        """Raises Unavailable, and OutOfRange for a number that no row can have."""
        with self._guarded():
            async with self._reader.connect() as connection:  # its transaction begins with the first statement
                yield SqlReader(connection, self._cache, self._clock)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SqlTransaction]:
        """A process that may have been frozen notes first that it is at work, so that nothing in its transaction is
        decided by a time that was not credited. Raises Unavailable, OutOfRange for a number that no row can have, and
        Stale where somebody else has just changed the same row."""
        with self._guarded():
            async with self._in_turn():
                async with self._writer.begin() as connection:
                    tx = SqlTransaction(connection, self._cache, self._clock)
                    if pulse := self._clock.overdue:
                        await tx.clock.record_heartbeat(pulse.away)
                    yield tx
                tx.committed()

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        """Of those who write after a freeze one notes it; the others wait, so that none hears that it was late."""
        if self._clock.overdue is None:
            yield
            return
        async with self._beating:
            yield

    async def examine(self) -> None:
        """Reads the newest row of every table, in a transaction that may write.

        Raises Unavailable; Broken once damage has been seen, since that does not heal.
        """
        with self._noticed():
            if self._broken:
                raise _again(self._broken)
            with self._understood():
                async with self._examiner.begin() as connection:
                    await connection.execute(_CHANGE_NOTHING)
                    for newest in _NEWEST:
                        await connection.execute(newest)

    async def watch(self) -> None:
        """Waits for as long as the database is there. Raises Gone."""
        await self._gone.wait()
        assert self._broken is not None, "it is gone"
        raise _again(self._broken)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """What the use cases do on the database. Raises Unavailable, without a try where that would be in vain."""
        with self._noticed():
            if self._broken and self._gone.is_set():
                raise _again(self._broken)
            with self._breaker.guards(), self._understood():
                yield

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        """Remembers what does not pass, and makes one answer of all that the database does not take."""
        try:
            yield
        except Broken as broken:
            self._broken = broken
            if isinstance(broken, Gone):
                self._gone.set()
            raise
        except (SQLAlchemyError, OverflowError, UnicodeEncodeError) as error:
            log.exception("the database does not take a statement")  # a mistake of ours, or an id of a forged button
            raise Unavailable(f"a statement failed: {type(error).__name__}") from error

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """What the database refuses, in the words of play.store."""
        try:
            yield
        except DBAPIError as error:
            if meant := self._engine.translate_error(self._url, error):
                raise meant from error
            raise
        except OverflowError as error:  # of SQLite's driver
            raise OutOfRange(str(error)) from error
        except (PoolTimeout, OSError) as error:
            raise Unavailable(str(error) or type(error).__name__) from error


def _again(broken: Broken) -> Broken:
    """The same once more: an exception that is raised again and again grows by a traceback each time."""
    return type(broken)(str(broken))
