"""Fixtures for every engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from storage import Database
from tests.clock import StoppedClock
from tests.conftest import Files
from tests.databases import Databases, Fill
from tests.league import add_leaderboard, add_rated_match
from tests.matches import ANNA, BORIS, a_match, add_match
from tests.postgres import Postgres
from tests.storage.plans import Judge


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, fill: Fill | None) -> str:
    """The address of a database; the engine is the parameter. `fill` is named here so that a test may choose it."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


@pytest.fixture
def filled_file(files: Files) -> Path:
    """A SQLite file with rows, for tests that only read."""
    return files(_fill)


@pytest.fixture
def filled_url(databases: Databases) -> Iterator[str]:
    """The address of a database on the server with rows."""
    with databases.lent(_fill) as url:
        yield url


async def _fill(url: str) -> None:
    """Stores a row of each kind that a question may be about."""
    async with Database.open(url, now=StoppedClock()) as store:
        await add_match(store, a_match(1))
        await add_leaderboard(store, ANNA)
        await add_rated_match(store, ANNA, BORIS, day=0)


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A server of PostgreSQL that may be stopped, for tests with the mark `postgres`."""
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
