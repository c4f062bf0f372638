"""The engines that Kropka runs on, and the addresses of databases."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from play.ids import Millis
from storage import migrations, postgres, sqlite
from storage.errors import CannotOpen, Unavailable
from storage.statements import Connection


class ReadEngine(Protocol):
    """Lends connections to read from."""

    def connect(self) -> AbstractAsyncContextManager[Connection]: ...


class WriteEngine(Protocol):
    """Begins transactions, and commits them."""

    def begin(self) -> AbstractAsyncContextManager[Connection]: ...


class Engine(Protocol):
    """The operations that differ between databases."""

    async def migrate(self, url: URL) -> None: ...

    def engines(self, url: URL) -> AbstractAsyncContextManager[tuple[WriteEngine, ReadEngine, WriteEngine]]: ...

    async def now(self, connection: Connection) -> Millis: ...

    async def database_time(self, url: URL) -> Millis: ...

    async def require_tables(self, url: URL) -> None: ...

    async def steps(self, url: URL) -> list[str]: ...

    def translate_error(self, url: URL, error: DBAPIError) -> Exception | None: ...

    def why_closed(self, url: URL, error: Exception) -> str | None: ...


ENGINES: dict[str, Engine] = {"sqlite+aiosqlite": sqlite, "postgresql+asyncpg": postgres}
_ALIASES = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}


USABLE = "Use sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME."


def address(text: str) -> URL:
    """Parses a database's address, also as hosting services write it (`postgres://...?sslmode=require`).

    Raises ValueError.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # ValueError: of a port that is no number
        raise ValueError(f"This isn't the address of a database. {USABLE}") from None
    url = url.set(drivername=_ALIASES.get(url.drivername, url.drivername))
    if url.drivername not in ENGINES:
        raise ValueError(f"Kropka doesn't work with {url.drivername}. {USABLE}")
    if ENGINES[url.drivername] is sqlite:
        sqlite.file_of(url)
        return url
    if "sslmode" in url.query:
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})
    if unknown := sorted(set(url.query) - postgres.OPTIONS):
        raise ValueError(f"Remove {', '.join(unknown)} from the address. Kropka's driver doesn't know that option.")
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
    """Returns the time at a database, whatever its tables are like. Raises CannotOpen and Unavailable."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    with translates_errors(engine, parsed):
        return await engine.database_time(parsed)


async def require_tables(url: str) -> None:
    """Raises CannotOpen unless there is a database of Kropka at `url`. It creates and changes nothing."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    with translates_errors(engine, parsed):
        await engine.require_tables(parsed)


async def require_known(url: str) -> None:
    """Raises Broken if the tables at `url` are newer than the program. A file has to be whole."""
    parsed = address(url)
    engine = ENGINES[parsed.drivername]
    with translates_errors(engine, parsed):
        migrations.require_known(await engine.steps(parsed))


@contextmanager
def translates_errors(engine: Engine, url: URL) -> Iterator[None]:
    """Raises CannotOpen or Unavailable if the block cannot open a database."""
    try:
        yield
    except (DBAPIError, OSError) as error:
        if sentence := engine.why_closed(url, error):
            raise CannotOpen(sentence) from error
        cause = error.orig if isinstance(error, DBAPIError) else error
        raise Unavailable(str(cause) or type(cause).__name__) from error
