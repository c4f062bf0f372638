"""A store, a clock for it, a PostgreSQL server for the tests that ask for one, and a word on tests that did not run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from shutil import copyfile

import pytest
from hypothesis import settings

from storage import Database, migrate
from tests.browser.chromium import MISSING
from tests.clock import StoppedClock
from tests.postgres import Postgres

settings.register_profile("kropka", deadline=None)  # a busy machine is no failure
settings.load_profile("kropka")

TEMPLATE = "stepped"
"""A database whose tables are up to date, to be copied: the steps take longer than a copy."""

_numbers = count(1)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Says in the line above the counts that the browser tests did not run."""
    yield
    if any(MISSING in report.longreprtext for report in terminalreporter.getreports("skipped")):
        terminalreporter.write_line(MISSING, yellow=True, bold=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for all tests."""

    async def prepare(server: Postgres) -> None:
        await migrate(await server.create(TEMPLATE))

    with Postgres() as server:
        with ThreadPoolExecutor(1) as apart:  # from the loops of the tests
            apart.submit(asyncio.run, prepare(server)).result()
        yield server


@pytest.fixture
async def postgres_url(postgres: Postgres) -> AsyncIterator[str]:
    """A database on the server, its tables up to date and empty."""
    name = f"test{next(_numbers)}"
    yield await postgres.create(name, TEMPLATE)
    await postgres.drop(name)


@pytest.fixture
async def bare_url(postgres: Postgres) -> AsyncIterator[str]:
    """A database on the server without any table."""
    name = f"test{next(_numbers)}"
    yield await postgres.create(name)
    await postgres.drop(name)


@pytest.fixture(scope="session")
def stepped_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite whose tables are up to date."""
    file = tmp_path_factory.mktemp(TEMPLATE) / "kropka.db"

    async def prepare() -> None:
        async with Database.open(f"sqlite+aiosqlite:///{file}"):
            pass

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, prepare()).result()
    return file


@pytest.fixture
def sqlite_url(tmp_path: Path, stepped_file: Path) -> str:
    """A file of its own, its tables up to date and empty."""
    return f"sqlite+aiosqlite:///{copyfile(stepped_file, tmp_path / 'kropka.db')}"


@pytest.fixture
def url(sqlite_url: str) -> str:
    """An empty database. tests/storage/ runs on every engine, the others on the default one."""
    return sqlite_url


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
async def store(url: str, clock: StoppedClock) -> AsyncIterator[Database]:
    async with Database.open(url, now=clock) as database:
        yield database
