"""The home page: from nothing to the first move, from game to game, and what each state of it looks like."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import Position, expect
from pydantic import SecretStr

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.framed_board import FramedBoard
from tests.browser.home_page import frame_of, launch_home
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.opponent.quick import Inside


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with a computer and an Activity."""
    hosting = Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))
    room = Room(discord, url, clock, **{"hosting": hosting, **run_options})
    room.thinkers = Inside
    await room.start()
    async with mount_site(discord, room.bot.website):
        yield room
    await room.stop()


@in_both_sizes
async def test_an_account_without_a_game_is_two_taps_from_its_first_move_in_the_activity(
    discord: Discord, room: Room, window: Window
) -> None:
    home = await launch_home(window, discord, room.kasia, room.general)
    await window.page.screenshot(path=f"/tmp/shots/home/empty-activity-{window.narrow}.png")
    field = home.get_by_role("button", name="Begin your first game")
    box = await field.bounding_box()
    assert box is not None
    free = Position(x=box["width"] * 0.3, y=box["height"] * 0.7)
    await (field.tap(position=free) if window.narrow else field.click(position=free))
    board = await FramedBoard.find(window, frame_of(window))
    await expect(board.locator("#field .ghost > *")).to_have_count(1)
    await window.page.screenshot(path=f"/tmp/shots/home/first-ghost-{window.narrow}.png")
    await board.press_play()
    await expect(board.locator("#field .ghost > *")).to_have_count(0)
    assert await room.version() >= 1
