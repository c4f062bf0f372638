"""The ways to a board of one's own, each in one tap; in the chat's frame, too, which has a token and no cookies."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest_asyncio
from playwright.async_api import Frame, FrameLocator, Page, expect
from pydantic import SecretStr

from loopback import Discord
from play.ids import UserId
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.home_page import framed, launch_home, open_home
from tests.browser.site.conftest import running_site
from tests.browser.site.finished_game import end_game
from tests.browser.site.test_quiz import open_puzzles
from tests.browser.web_board import open_board
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.opponent.quick import Inside

LINES: Final = "#sheet-field svg .grid line"
MOVES: Final = "#sheet nav .move"


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with an Activity and the computer."""
    options = {"thinkers": Inside, **run_options}
    async with running_site(discord, url, clock, options, client_secret=SecretStr(discord.client_secret)) as room:
        yield room


async def expect_own_board(page: Page | Frame | FrameLocator, moves: int) -> None:
    """Expects a board of one's own with so many moves."""
    await expect(page.locator("#sheet-title")).to_have_text("Board of my own")
    await expect(page.locator(LINES).first).to_be_attached()
    await expect(page.locator(MOVES)).to_have_count(1 + moves)


@in_both_sizes
async def test_a_finished_game_opens_by_one_tap(room: Room, window: Window) -> None:
    board = await open_board(room, await end_game(room), window)
    await window.press(board.page.get_by_role("link", name="On a board of my own"))
    await expect_own_board(window.page, 2)


@on_a_phone
async def test_a_solved_puzzle_opens_with_its_position(room: Room, window: Window) -> None:
    board = await open_puzzles(room, window)
    await board.solve_step()
    dots = await board.stones.count()
    await board.glance()
    await window.press(board.button("Open on a board of my own"))
    await expect_own_board(window.page, 0)
    await expect(window.page.locator("#sheet-field .stones > *")).to_have_count(dots)


async def test_the_home_page_has_a_door(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    await page.locator('[data-focus="door_board"]').click()
    await expect_own_board(page, 0)


async def test_the_front_page_and_the_help_lead_to_a_board(room: Room, window: Window) -> None:
    for path in ("front", "help"):
        await window.page.goto(f"{room.discord.address}{path}")
        await window.page.get_by_role("link", name="Board of my own").click()
        await expect_own_board(window.page, 0)


async def in_the_frame(room: Room, window: Window, discord: Discord) -> Frame:
    """Opens a board of one's own in the Activity, by the door of its home."""
    frame = await launch_home(window, discord, room.ola, room.channel)
    await frame.locator('[data-focus="door_board"]').click()
    await expect_own_board(frame, 0)
    return await framed(window)


async def lay(frame: Page | Frame, *texts: str) -> None:
    """Types moves."""
    for text in texts:
        count = await frame.locator(MOVES).count()
        typed = frame.get_by_role("textbox", name="Type a move")
        await typed.fill(text)
        await typed.press("Enter")
        await expect(frame.locator(MOVES)).to_have_count(count + 1)


@in_both_sizes
async def test_a_board_works_in_the_activity(room: Room, window: Window, discord: Discord) -> None:
    frame = await in_the_frame(room, window, discord)
    await lay(frame, "A1", "B2")
    await frame.get_by_role("button", name="Undo").click()
    await expect(frame.locator(MOVES)).to_have_count(2)
    (kept,) = await room.use_cases.own_boards.list(UserId(room.ola.id))
    assert kept.size == "20x20"


async def test_dialogs_open_again_on_the_second_visit_in_the_activity(
    room: Room, window: Window, discord: Discord
) -> None:
    frame = await in_the_frame(room, window, discord)
    for _ in range(2):
        await lay(frame, "A1")
        await frame.get_by_text("Board, file, computer").first.click()
        await frame.get_by_role("button", name="New board").click()
        await frame.get_by_role("dialog").get_by_role("button", name="Begin").click()
        await expect(frame.locator(MOVES)).to_have_count(1)
        await frame.get_by_role("button", name="Leave").click()
        await frame.locator('[data-focus="door_board"]').click()
        await expect(frame.locator(LINES).first).to_be_attached()


async def test_a_game_begins_from_a_position_in_the_activity(room: Room, window: Window, discord: Discord) -> None:
    frame = await in_the_frame(room, window, discord)
    await lay(frame, "A1", "B2")
    await frame.get_by_text("Board, file, computer").first.click()
    await frame.get_by_role("button", name="Play from here").click()
    await frame.get_by_role("dialog").get_by_role("button", name="Begin").click()
    await expect(frame.locator("#field .stones > *")).to_have_count(6)


async def test_a_finished_game_opens_in_the_activity(room: Room, window: Window, discord: Discord) -> None:
    await end_game(room)
    frame = await launch_home(window, discord, room.ola, room.channel)
    await frame.locator("html").evaluate("() => { location.hash = '#board=1'; }")
    await frame.get_by_role("link", name=re.compile("On a board of my own")).click()
    await expect_own_board(frame, 2)
