"""A bot with a web board on the address of the stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Channel, Discord
from tests.bot.conftest import running_room, stand_in
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.web.visit import Board, Visit, link_for


@pytest.fixture
async def discord(clock: StoppedClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """The stand-in."""
    async with stand_in(clock, monkeypatch) as discord:
        yield discord


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot, whose site is mounted."""
    options = {"hosting": Hosting(web=discord.address.rstrip("/")), **run_options}
    async with running_room(discord, url, clock, options) as room, mount_site(discord, room.bot.website):
        yield room


@pytest.fixture
async def visit(discord: Discord) -> AsyncIterator[Callable[[], Visit]]:
    """Makes browsers, which are closed after the test."""
    async with AsyncExitStack() as stack:
        made: list[Visit] = []

        def make(**options: Any) -> Visit:
            made.append(Visit(discord.address, **options))
            return made[-1]

        yield make
        for each in made:
            await stack.enter_async_context(each)


@pytest.fixture
async def thread(room: Room) -> Channel:
    """The thread of a game of Ola and Максим, in which Ola is to move."""
    return await room.start_match(size="9x9")


@pytest.fixture
async def board(room: Room, thread: Channel, visit: Callable[[], Visit]) -> Board:
    """Ola's board in a browser."""
    return await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
