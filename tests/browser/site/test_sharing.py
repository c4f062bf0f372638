"""The picture of a board and the game in a status, as the Activity shows them to others in Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import expect
from pydantic import SecretStr

from loopback import Channel, Discord, Permission
from tests.bot.panels import confirm
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.framed_board import FramedBoard
from tests.browser.site.conftest import running_site
from tests.browser.site.test_activity import open_framed
from tests.browser.window import Window
from tests.clock import StoppedClock

PAUSE = 5000
"""Milliseconds between two changes of a status."""

REFUSED = "Discord doesn't allow that here. The game goes on as before."


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board and the client secret."""
    secret = SecretStr(discord.client_secret)
    async with running_site(discord, url, clock, run_options, client_secret=secret) as room:
        yield room


async def press(board: FramedBoard, window: Window, label: str) -> None:
    """Presses a button, which a phone has under *More*."""
    button = board.locator(f"#client button:text-is('{label}')")
    if not await button.is_visible():
        await window.press(board.locator("#menu"))
    await window.press(button)


@in_both_sizes
async def test_a_picture_of_the_board_is_shared_by_the_client(
    discord: Discord,
    room: Room,
    thread: Channel,
    window: Window,
) -> None:
    board = await open_framed(window, discord, thread, room.ola)
    await press(board, window, "Share a picture")
    shared = window.page.get_by_role("dialog", name="Share this moment").get_by_role("img")
    await expect(shared).to_be_visible()
    await window.expect_board(shared)


async def test_the_status_tells_of_the_game_until_it_ends(
    discord: Discord,
    room: Room,
    thread: Channel,
    window: Window,
) -> None:
    await window.page.clock.install()
    board = await open_framed(window, discord, thread, room.ola)
    status = window.page.locator(".presence")
    await press(board, window, "Show in my status")
    await expect(status).to_have_text("Ola – Максим, 0 : 0")
    shown = board.locator("#client [aria-pressed]")
    await expect(shown).to_have_attribute("aria-pressed", "true")
    await room.play(thread, "e5", "e6", "f6", "c3", "e7", "c4", "d6")
    await expect(board.stones).to_have_count(7)
    await window.page.clock.fast_forward(PAUSE)
    await expect(status).to_have_text("Ola – Максим, 1 : 0")
    await confirm(room.maksim, room.maksim.command(thread, "resign"), "Yes, resign")
    await expect(status).to_have_text("")
    await expect(shown).to_be_hidden()


async def test_the_status_goes_when_it_is_pressed_again(
    discord: Discord,
    room: Room,
    thread: Channel,
    window: Window,
) -> None:
    board = await open_framed(window, discord, thread, room.ola)
    await press(board, window, "Show in my status")
    await expect(window.page.locator(".presence")).to_have_text("Ola – Максим, 0 : 0")
    await press(board, window, "Show in my status")
    await expect(window.page.locator(".presence")).to_have_text("")
    await expect(board.locator("#client [aria-pressed]")).to_have_attribute("aria-pressed", "false")


async def test_of_a_channel_that_not_everyone_reads_the_status_names_nobody(
    discord: Discord,
    room: Room,
    thread: Channel,
    window: Window,
) -> None:
    discord.deny(room.channel, Permission.VIEW_CHANNEL, discord.guild)
    board = await open_framed(window, discord, thread, room.ola)
    await press(board, window, "Show in my status")
    await expect(window.page.locator(".presence")).to_have_text("0 : 0")


async def test_who_does_not_allow_it_plays_on(
    discord: Discord,
    room: Room,
    thread: Channel,
    window: Window,
) -> None:
    discord.world.activities.declined.add("rpc.activities.write")
    board = await open_framed(window, discord, thread, room.ola)
    await press(board, window, "Show in my status")
    await expect(board.locator("#ghost")).to_have_text(REFUSED)
    await expect(board.locator("#client [aria-pressed]")).to_have_attribute("aria-pressed", "false")
    await board.play("E5")
    await room.wait_for_board(thread, 1)
    await press(board, window, "Share a picture")  # which needs less
    await expect(window.page.get_by_role("dialog", name="Share this moment")).to_be_visible()
