"""Fixtures of the tests of Dots."""

from __future__ import annotations

import pytest

from tests.rules.dots.diagram import SYMMETRIES, Symmetry


@pytest.fixture(params=SYMMETRIES, ids=str)
def symmetry(request: pytest.FixtureRequest) -> Symmetry:
    """Yields each of the eight ways to lay a diagram on the table."""
    chosen: Symmetry = request.param
    return chosen
