"""A database, opened: the Store that the use cases work on."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Self

from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from play.ids import Millis
from storage import sqlite
from storage.replays import Replays
from storage.store import SqlReader, SqlTransaction

_ENGINES = {"sqlite+aiosqlite": sqlite}


def _engine_of(url: URL) -> ModuleType:
    if url.drivername not in _ENGINES:
        raise ValueError(f"{url.drivername} is no database that Kropka knows: {', '.join(_ENGINES)}")
    return _ENGINES[url.drivername]


def _system_clock() -> Millis:
    return Millis(time.time_ns() // 1_000_000)


async def migrate(url: str) -> None:
    """Brings the tables up to date. Raises InUse while a bot works on them."""
    parsed = make_url(url)
    await _engine_of(parsed).migrate(parsed)


class Database:
    """A `play.store.Store`."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine, now: Callable[[], Millis]) -> None:
        self._writer = writer
        self._reader = reader
        self._replays = Replays()
        self._now = now

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str, now: Callable[[], Millis] = _system_clock) -> AsyncIterator[Self]:
        """The database at `url` (`sqlite+aiosqlite:///PATH`), its tables brought up to date, until the block ends.

        `now` is the clock of a database that has none of its own. Raises InUse.
        """
        parsed = make_url(url)
        async with _engine_of(parsed).engines(parsed) as (writer, reader):
            yield cls(writer, reader, now)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[SqlReader]:
        async with self._reader.begin() as connection:
            yield SqlReader(connection, self._replays, self._now)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SqlTransaction]:
        async with self._writer.begin() as connection:
            yield SqlTransaction(connection, self._replays, self._now)
