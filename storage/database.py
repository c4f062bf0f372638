"""An open database: what the use cases work on."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Self

from sqlalchemy import URL, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from play.ids import Millis
from storage import steady_clock
from storage.breaker import Breaker
from storage.engines import ENGINES, Engine, ReadEngine, WriteEngine, address, translates_errors
from storage.errors import Broken, Gone, OutOfRange, Unavailable
from storage.match_cache import MatchCache
from storage.schema import metadata, outbox
from storage.statements import Connection
from storage.steady_clock import SteadyClock
from storage.unit_of_work import Reader, Transaction
from storage.votes import DecidedCounts

log = logging.getLogger(__name__)

_NEWEST = [
    select(table).order_by(*(column.desc() for column in table.primary_key.columns)).limit(1)
    for table in metadata.sorted_tables
]
"""Selects the row with the highest key of each table, by one way down its tree."""

_CHANGE_NOTHING = update(outbox).where(outbox.c.match == -1).values(version=0)
"""An update without any row; a read-only database refuses it all the same."""


class Database:
    """A place that keeps what was played, and knows its own health."""

    def __init__(
        self,
        engine: Engine,
        url: URL,
        writer: WriteEngine,
        reader: ReadEngine,
        examiner: WriteEngine,
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
        self._decided = DecidedCounts()
        self._clock = clock
        self._heartbeat_lock = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        url: str,
        now: Callable[[], Millis] | None = None,
        uptime: Callable[[], Millis] | None = None,
        boot: str | None = None,
    ) -> AsyncIterator[Self]:
        """Yields the database at `url`, its tables up to date, until the block ends.

        `now` replaces the database's own clock. With an `uptime` it is checked against that; `boot` identifies the run
        of the machine. Raises InUse, Broken and Unavailable.
        """
        parsed = address(url)
        engine = ENGINES[parsed.drivername]

        async def given(_: Connection) -> Millis:
            assert now is not None
            return now()

        clock = (
            SteadyClock(given, uptime, boot, now)
            if now
            else SteadyClock(engine.now, steady_clock.uptime, steady_clock.boot())
        )
        async with AsyncExitStack() as stack:
            with translates_errors(engine, parsed):
                engines = await stack.enter_async_context(engine.engines(parsed))
            store = cls(engine, parsed, *engines, clock)
            async with store.read() as reader:
                origin = await reader.clock.origin(clock.boot)
            if origin is not None:
                clock.trust(origin)
            yield store

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Reader]:
        """Yields a view. Raises Unavailable, and OutOfRange for a number that no row can have."""
        with self._guards():
            async with self._reader.connect() as connection:  # its transaction begins with the first statement
                yield Reader(connection, self._cache, self._decided, self._clock)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        """Yields a transaction. A process that may have been frozen records a heartbeat first. Otherwise the
        transaction could decide by downtime that is not credited yet.

        Raises Unavailable, OutOfRange for a number that no row can have, and Stale if another transaction has just
        changed the same row.
        """
        with self._guards():
            async with self._after_freeze():
                async with self._writer.begin() as connection:
                    tx = Transaction(connection, self._cache, self._clock)
                    if pulse := self._clock.overdue:
                        await tx.clock.record_heartbeat(pulse.away)
                    yield tx
                tx.committed()

    @asynccontextmanager
    async def _after_freeze(self) -> AsyncIterator[None]:
        """Lets one writer record the heartbeat after a freeze; the others wait, so that none fails as Stale."""
        if self._clock.overdue is None:
            yield
            return
        async with self._heartbeat_lock:
            yield

    async def examine(self) -> None:
        """Reads the newest row of every table, in a transaction that may write.

        Raises Unavailable; Broken once damage has been seen, since that does not heal.
        """
        with self._remembers_damage():
            if self._broken:
                raise _copy(self._broken)
            with self._translates_errors():
                async with self._examiner.begin() as connection:
                    await connection.execute(_CHANGE_NOTHING)
                    for newest in _NEWEST:
                        await connection.execute(newest)

    def moment(self) -> Millis | None:
        """Returns the time of the store's clock without asking it; None before it was asked."""
        return self._clock.moment()

    async def watch(self) -> None:
        """Waits for as long as the database is there. Raises Gone."""
        await self._gone.wait()
        assert self._broken is not None, "the database is gone"
        raise _copy(self._broken)

    @contextmanager
    def _guards(self) -> Iterator[None]:
        """Guards the work of the use cases. Raises Unavailable, at once where a try would be in vain."""
        with self._remembers_damage():
            if self._broken and self._gone.is_set():
                raise _copy(self._broken)
            with self._breaker.guards(), self._translates_errors():
                yield

    @contextmanager
    def _remembers_damage(self) -> Iterator[None]:
        """Remembers lasting damage, and raises Unavailable for whatever the database does not take."""
        try:
            yield
        except Broken as broken:
            self._broken = broken
            if isinstance(broken, Gone):
                self._gone.set()
            raise
        except (SQLAlchemyError, OverflowError, UnicodeEncodeError) as error:
            log.exception("the database does not take a statement")  # a bug, or an id of a forged button
            raise Unavailable(f"a statement failed: {type(error).__name__}") from error

    @contextmanager
    def _translates_errors(self) -> Iterator[None]:
        """Translates the errors of the driver into the exceptions of storage."""
        try:
            yield
        except DBAPIError as error:
            if translated := self._engine.translate_error(self._url, error):
                raise translated from error
            raise
        except OverflowError as error:  # of SQLite's driver
            raise OutOfRange(str(error)) from error
        except OSError as error:
            raise Unavailable(str(error) or type(error).__name__) from error


def _copy(broken: Broken) -> Broken:
    """Returns a copy: an exception that is raised again and again grows by a traceback each time."""
    return type(broken)(str(broken))
