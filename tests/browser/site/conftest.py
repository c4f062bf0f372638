"""A channel with a bot that has a site."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Discord
from tests.bot.conftest import running_room
from tests.bot.room import Room
from tests.clock import StoppedClock


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board."""
    options = {"hosting": Hosting(web=discord.address.rstrip("/")), **run_options}
    async with running_room(discord, url, clock, options) as room, mount_site(discord, room.bot.website):
        yield room
