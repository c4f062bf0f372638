"""Fixtures for every engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from storage import Database
from tests.postgres import Postgres
from tests.storage.plans import Judge


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database; the engine is the parameter."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


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
