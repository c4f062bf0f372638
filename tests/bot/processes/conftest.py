"""The clock of a test whose bots are processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.day_process import SharedClock
from tests.clock import NOON


@pytest.fixture
def clock(tmp_path: Path) -> SharedClock:
    return SharedClock.begin(tmp_path / "clock", NOON)
