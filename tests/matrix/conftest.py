"""A Synapse for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.matrix.synapse import Synapse


@pytest.fixture(scope="session")
def synapse() -> Iterator[Synapse]:
    """A homeserver with no users yet; each test registers its own."""
    with Synapse() as server:
        yield server
