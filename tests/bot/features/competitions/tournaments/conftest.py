"""A channel in which Ola may make tournaments, with a quick engine for the computer."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from loopback import Discord
from loopback.permissions import Permission
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.clock import StoppedClock
from tests.opponent.quick import Inside


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock) -> AsyncIterator[Room]:
    room = Room(discord, url, clock)
    room.thinkers = Inside
    await room.start()
    await skip_confirmations(room)
    discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    yield room
    await room.stop()
