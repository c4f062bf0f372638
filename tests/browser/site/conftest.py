"""A channel with a bot that has a site."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest_asyncio
import yarl

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Channel, Discord
from tests.bot.conftest import running_room
from tests.bot.room import Room
from tests.browser.web_board import SIDE, WebBoard, open_board
from tests.browser.window import Window
from tests.clock import StoppedClock


@asynccontextmanager
async def running_site(
    discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any], **hosting: Any
) -> AsyncIterator[Room]:
    """Runs a bot that has a web board, with a channel."""
    options = {"hosting": Hosting(web=discord.address.rstrip("/"), **hosting), **run_options}
    async with running_room(discord, url, clock, options) as room, mount_site(discord, room.bot.website):
        yield room


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board."""
    async with running_site(discord, url, clock, run_options) as room:
        yield room


@pytest_asyncio.fixture(loop_scope="session")
async def thread(room: Room) -> Channel:
    """The thread of a game in which Ola is to move."""
    return await room.start_match(size=f"{SIDE}x{SIDE}")


@pytest_asyncio.fixture(loop_scope="session")
async def board(room: Room, thread: Channel, window: Window) -> WebBoard:
    """Ola's board."""
    return await open_board(room, thread, window)


@pytest_asyncio.fixture(loop_scope="session")
async def asked(window: Window) -> set[str]:
    """The origins that pages have asked for something, sockets included."""
    asked: set[str] = set()

    def note(address: str) -> None:
        url = yarl.URL(address)
        if url.scheme not in ("data", "blob"):
            asked.add(str(url.with_scheme({"ws": "http", "wss": "https"}.get(url.scheme, url.scheme)).origin()))

    window.page.on("request", lambda request: note(request.url))
    window.page.on("websocket", lambda socket: note(socket.url))
    return asked
