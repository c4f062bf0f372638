"""What is tested here holds on every engine."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database; the engine is the parameter."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address
