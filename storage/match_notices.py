"""New versions of matches, told from process to process by PostgreSQL's NOTIFY.

A notice that gets lost costs a moment, since listeners also look at the versions from time to time. So a change of a
match never waits for its notice, and its transaction knows nothing of it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from play.ids import MatchId
from play.match.match import Match
from storage.engines import address

log = logging.getLogger(__name__)

CHANNEL = "kropka_matches"

RETRY_SECONDS = 5.0
"""Seconds between two attempts to connect."""

QUEUE_SIZE = 10_000
"""Notices that wait to be read; further ones are dropped."""

Hear = Callable[[MatchId, int], Awaitable[None]]


class MatchNotices:
    """The notices that this process sends and gets, on a connection of their own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._untold: dict[MatchId, int] = {}
        self._wakes = asyncio.Event()
        self._heard: asyncio.Queue[tuple[MatchId, int]] = asyncio.Queue(QUEUE_SIZE)

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str) -> AsyncIterator[Self]:
        """Yields the notices of the database at `url`, until the block ends."""
        settings = {"application_name": "kropka notices"}
        engine = create_async_engine(
            address(url),
            isolation_level="AUTOCOMMIT",
            poolclass=NullPool,
            connect_args={"server_settings": settings, "timeout": 5.0, "command_timeout": 10.0},
        )
        try:
            yield cls(engine)
        finally:
            await engine.dispose()

    def note_match(self, match: Match) -> None:
        """Tells the other processes of a new version, soon."""
        self._untold[match.id] = match.version
        self._wakes.set()

    async def run(self, hear: Hear, retry_seconds: float = RETRY_SECONDS) -> None:
        """Tells, and calls `hear` for what others tell, until it is cancelled."""
        while True:
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._talk())
                    group.create_task(self._listen(hear))
            except* (DBAPIError, OSError) as errors:
                log.warning("notices between processes wait for the database: %s", errors.exceptions[0])
            await asyncio.sleep(retry_seconds)

    async def _talk(self) -> None:
        """Listens on a connection, and sends notices on it. Raises DBAPIError and OSError."""
        async with self._engine.connect() as connection:
            raw = await connection.get_raw_connection()
            driver: Any = raw.driver_connection
            await driver.add_listener(CHANNEL, self._note_payload)
            while True:
                await self._wakes.wait()
                self._wakes.clear()
                untold, self._untold = self._untold, {}
                for match, version in untold.items():
                    await connection.exec_driver_sql("SELECT pg_notify($1, $2)", (CHANNEL, f"{match} {version}"))

    async def _listen(self, hear: Hear) -> None:
        while True:
            await hear(*await self._heard.get())

    def _note_payload(self, _connection: object, _process: int, _channel: str, payload: str) -> None:
        match, _, version = payload.partition(" ")
        if match.isdigit() and version.isdigit() and not self._heard.full():
            self._heard.put_nowait((MatchId(int(match)), int(version)))
