"""The stand-in for Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from loopback import Discord
from tests.bot.conftest import stand_in
from tests.clock import StoppedClock


@pytest.fixture
async def discord(clock: StoppedClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """The stand-in."""
    async with stand_in(clock, monkeypatch) as discord:
        yield discord
