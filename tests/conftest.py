"""A store on every database that there is, and a clock for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import Database
from tests.clock import StoppedClock


@pytest.fixture(params=["sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database; the engine is the parameter."""
    return {"sqlite": f"sqlite+aiosqlite:///{tmp_path}/kropka.db"}[request.param]


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
async def store(url: str, clock: StoppedClock) -> AsyncIterator[Database]:
    async with Database.open(url, now=clock) as database:
        yield database
