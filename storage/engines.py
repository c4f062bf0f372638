"""The engines that Kropka runs on, and the addresses of databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from play.ids import Millis
from play.store import Broken, Unavailable
from storage import postgres, sqlite
from storage.statements import Connection


class ReadEngine(Protocol):
    """An AsyncEngine, as far as reading needs it."""

    def connect(self) -> AbstractAsyncContextManager[Connection]: ...


class Engine(Protocol):
    """The operations that differ between databases."""

    async def migrate(self, url: URL) -> None: ...

    def engines(self, url: URL) -> AbstractAsyncContextManager[tuple[AsyncEngine, ReadEngine, AsyncEngine]]: ...

    async def now(self, connection: Connection) -> Millis: ...

    async def database_time(self, url: URL) -> Millis: ...

    def translate_error(self, url: URL, error: DBAPIError) -> Exception | None: ...


ENGINES: dict[str, Engine] = {"sqlite+aiosqlite": sqlite, "postgresql+asyncpg": postgres}
_ALIASES = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}


def address(text: str) -> URL:
    """Parses a database's address, also as hosting services write it (`postgres://...?sslmode=require`).

    Raises ValueError.
    """
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
    """Returns the file of a database; None for one on a server."""
    parsed = address(url)
    return sqlite.file_of(parsed) if ENGINES[parsed.drivername] is sqlite else None


async def migrate(url: str) -> None:
    """Brings the tables up to date. Raises InUse while a bot works on a file, Broken and Unavailable."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    with translates_errors(engine, parsed):
        await engine.migrate(parsed)


async def database_time(url: str) -> Millis:
    """Returns the time at a database, whatever its tables are like. Raises Unavailable."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    return await engine.database_time(parsed)


@contextmanager
def translates_errors(engine: Engine, url: URL) -> Iterator[None]:
    """Raises the exceptions of play.store if the block cannot open a database."""
    try:
        yield
    except DBAPIError as error:
        broken = Broken(f"The database cannot be used: {error.orig}. Check KROPKA_DATABASE.")
        raise engine.translate_error(url, error) or broken from error
    except OSError as error:
        raise Unavailable(str(error) or type(error).__name__) from error
