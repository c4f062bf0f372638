"""What is tested here holds on every engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import Postgres


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
