"""Fixtures of the use cases and workers."""

from __future__ import annotations

import pytest

from play.match.match import Match
from storage import Database
from tests.play.naps import Naps
from use_cases import UseCases


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


@pytest.fixture
def news(use_cases: UseCases) -> list[Match]:
    """The matches that the use cases have told of."""
    told: list[Match] = []
    use_cases.events.match_changed.subscribe(told.append)
    return told


@pytest.fixture
def naps() -> Naps:
    return Naps()
