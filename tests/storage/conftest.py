"""Fixtures for every engine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from storage import Database
from tests.clock import StoppedClock
from tests.conftest import TEMPLATE
from tests.league import add_leaderboard, add_rated_match
from tests.matches import ANNA, BORIS, a_match, add_match
from tests.postgres import Postgres
from tests.storage.plans import Judge


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database; the engine is the parameter."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Path:
    """A SQLite file with rows, for tests that only read."""
    file = Path(copyfile(migrated_file, tmp_path_factory.mktemp("filled") / "kropka.db"))
    with ThreadPoolExecutor(1) as apart:  # in a loop of its own
        apart.submit(asyncio.run, _fill(f"sqlite+aiosqlite:///{file}")).result()
    return file


@pytest.fixture(scope="session")
def filled_url(postgres: Postgres) -> str:
    """The address of a database on the server with rows, for tests that only read."""

    async def prepare() -> str:
        url = await postgres.create("filled", TEMPLATE)
        await _fill(url)
        return url

    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, prepare()).result()


async def _fill(url: str) -> None:
    """Stores a row of each kind that a question may be about."""
    async with Database.open(url, now=StoppedClock()) as store:
        await add_match(store, a_match(1))
        await add_leaderboard(store, ANNA)
        await add_rated_match(store, ANNA, BORIS, day=0)


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A server of PostgreSQL that may be stopped."""
    with Postgres() as server:
        yield server


@pytest.fixture(autouse=True)
def indexed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails a test with a statement that scans: reads of SQLite run on the event loop, so all have to use an index."""
    judge, made = Judge(), Database.__init__

    def watched(store: Database, *arguments: Any) -> None:
        made(store, *arguments)
        judge.watch(store)

    monkeypatch.setattr(Database, "__init__", watched)
    yield
    assert not judge.found
