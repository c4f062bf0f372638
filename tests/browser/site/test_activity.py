"""The Activity in a browser: *Browser* opens the game inside the chat, and the chat goes on around it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from pydantic import SecretStr

from loopback import Channel, Discord, Person
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.framed_board import FramedBoard
from tests.browser.site.conftest import running_site
from tests.browser.web_board import SIDE
from tests.browser.window import Window
from tests.clock import StoppedClock

WHAT_A_FRAME_HAS = """() => {
  const attempt = (read) => { try { return read(); } catch (error) { return error.name; } };
  return { origin, cookies: attempt(() => document.cookie), storage: attempt(() => localStorage) };
}"""

COUNT_TOUCHES = "window.touches = 0; addEventListener('touchstart', () => { window.touches += 1; }, true);"


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board and the client secret."""
    secret = SecretStr(discord.client_secret)
    async with running_site(discord, url, clock, run_options, client_secret=secret) as room:
        yield room


async def launch(window: Window) -> None:
    """Opens the Activity by the panel of *Browser*."""
    await window.press(window.button("Browser"))
    await window.press(window.button("Open in Discord"))


def frame_of(window: Window) -> Locator:
    """Returns the frame of the open Activity."""
    return window.page.locator("dialog.activity iframe")


async def open_framed(
    window: Window, discord: Discord, thread: Channel, person: Person, columns: int = SIDE
) -> FramedBoard:
    """Presses *Browser* under the newest board of the chat, and then *Open in Discord*."""
    await window.open(discord, person, thread)
    await launch(window)
    return await FramedBoard.find(window, frame_of(window), columns)


async def test_the_frame_has_neither_an_origin_nor_cookies_nor_storage(
    discord: Discord, room: Room, thread: Channel, window: Window
) -> None:
    board = await open_framed(window, discord, thread, room.ola)
    found = await board.locator("html").evaluate(WHAT_A_FRAME_HAS)
    assert found == {"origin": "null", "cookies": "SecurityError", "storage": "SecurityError"}


@pytest.mark.smoke
async def test_one_plays_inside_the_chat_and_the_other_in_it(
    discord: Discord, room: Room, thread: Channel, window: Window
) -> None:
    board = await open_framed(window, discord, thread, room.ola)
    for number, (mine, theirs) in enumerate([("E5", "D4"), ("E4", "D5"), ("F6", "C6")]):
        await board.play(mine)
        posted = await room.wait_for_board(thread, 2 * number + 1)
        assert f"**Ola** played **{mine}**" in posted.content
        await room.maksim.command(thread, "move", point=theirs).answered()
        await expect(board.stones).to_have_count(2 * number + 2)
    assert await room.version() == 6


@on_a_phone
async def test_a_page_that_is_loaded_again_goes_on(
    discord: Discord, room: Room, thread: Channel, window: Window
) -> None:
    board = await open_framed(window, discord, thread, room.ola)
    await board.play("E5")
    await window.page.reload()
    await launch(window)
    board = await FramedBoard.find(window, frame_of(window))
    await expect(board.stones).to_have_count(1)
    assert await room.version() == 1


async def test_one_without_a_seat_watches(discord: Discord, room: Room, thread: Channel, window: Window) -> None:
    board = await open_framed(window, discord, thread, room.kasia)
    await room.ola.command(thread, "move", point="E5").answered()
    await expect(board.stones).to_have_count(1)
    await board.tap("D4")
    await expect(board.locator("#field .ghost > *")).to_have_count(0)
    await expect(board.locator("#try")).to_be_hidden()
    assert await room.version() == 1


@on_a_phone
async def test_a_far_move_on_the_largest_usual_board_takes_four_touches(
    discord: Discord, room: Room, window: Window
) -> None:
    thread = await room.start_match(size="39x32", start="cross")
    await window.page.add_init_script(COUNT_TOUCHES)
    board = await open_framed(window, discord, thread, room.ola, columns=39)
    await board.play("D29")
    posted = await room.wait_for_board(thread, 1)
    assert "**Ola** played **D29**" in posted.content
    touches = [await frame.evaluate("touches") for frame in window.page.frames]
    assert sum(touches) == 4, "*Browser*, *Open in Discord*, the crossing, *Play*"


@on_a_phone
async def test_a_client_that_refuses_is_told_of_in_words(
    discord: Discord, room: Room, thread: Channel, window: Window
) -> None:
    await window.page.route("**/activity/client", lambda route: route.fulfill(json={"client": "1"}))
    await window.open(discord, room.ola, thread)
    await launch(window)
    line = frame_of(window).content_frame.get_by_role("status")
    await expect(line).to_contain_text("Discord")


async def test_an_activity_whose_code_was_refused_is_opened_by_another_try(
    discord: Discord, room: Room, thread: Channel, window: Window
) -> None:
    discord.fault("POST", "/oauth2/token", 400)
    await window.open(discord, room.ola, thread)
    await launch(window)
    entrance = frame_of(window).content_frame.locator("#entrance")
    await expect(entrance.locator("#line")).to_have_text("Discord didn't confirm your name. Try again.")
    await entrance.get_by_role("button", name="Try again").click()
    await FramedBoard.find(window, frame_of(window), SIDE)
    window.complaints.clear()  # the console tells of the 403
