"""Fixtures of all tests: a store and its clock, and a PostgreSQL server for the tests that ask for one."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import settings

from storage import Database, migrate
from tests.clock import StoppedClock
from tests.postgres import Postgres
from tests.tiers import (  # noqa: F401 - hooks, which pytest finds here
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_deselected,
    pytest_itemcollected,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

settings.register_profile("kropka", deadline=None)  # a busy machine is no failure
settings.load_profile("kropka")

TEMPLATE = "migrated"
"""The name of a migrated database that tests copy: its migrations take longer than a copy."""

_numbers = count(1)


def pytest_collection_finish() -> None:
    """Lets the garbage collector pass over what the libraries and the collected tests hold: a tenth of the suite."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for all tests."""

    async def prepare(server: Postgres) -> None:
        await migrate(await server.create(TEMPLATE))

    with Postgres() as server:
        with ThreadPoolExecutor(1) as apart:  # in a loop of its own
            apart.submit(asyncio.run, prepare(server)).result()
        yield server


@pytest.fixture
async def postgres_url(postgres: Postgres) -> AsyncIterator[str]:
    """The address of a migrated and empty database on the server."""
    name = f"test{next(_numbers)}"
    yield await postgres.create(name, TEMPLATE)
    await postgres.drop(name)


@pytest.fixture
async def bare_url(postgres: Postgres) -> AsyncIterator[str]:
    """The address of a database on the server that has no tables."""
    name = f"test{next(_numbers)}"
    yield await postgres.create(name)
    await postgres.drop(name)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated and empty SQLite file."""
    file = tmp_path_factory.mktemp(TEMPLATE) / "kropka.db"

    async def prepare() -> None:
        async with Database.open(f"sqlite+aiosqlite:///{file}"):
            pass

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, prepare()).result()
    return file


@pytest.fixture
def sqlite_url(tmp_path: Path, migrated_file: Path) -> str:
    """The address of a migrated and empty SQLite file."""
    return f"sqlite+aiosqlite:///{copyfile(migrated_file, tmp_path / 'kropka.db')}"


@pytest.fixture
def url(sqlite_url: str) -> str:
    """The address of an empty database. tests/storage/ runs on every engine, other tests on the default one."""
    return sqlite_url


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Arguments of bot.app.run that a module of tests needs to be others."""
    return {}


@pytest.fixture
async def store(url: str, clock: StoppedClock) -> AsyncIterator[Database]:
    async with Database.open(url, now=clock) as database:
        yield database
