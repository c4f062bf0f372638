"""The page of a friend's offer in a browser: it fits each window, everyone can read it, and it leads to the board."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import expect

from loopback import Discord
from tests.bot.border import Border
from tests.bot.features.test_friends import invite
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.home_page import open_home
from tests.browser.site.test_searches import expect_fit
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.home_visit import room_with_activity


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


@in_both_sizes
async def test_a_friend_accepts_and_the_board_opens(room: Room, window: Window) -> None:
    border = Border(room)
    code, _ = await invite(border)
    page = await open_home(room, window, border.ola)
    await page.goto(f"{room.discord.address}friend/{code}")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Jadwiga asks you to a game")
    await expect_fit(page)
    accept = page.get_by_role("button", name="Accept")
    box = await accept.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    await window.press(accept)
    await expect(page.get_by_role("status")).to_contain_text("I'm calling you both")
    room.bot.workers.matchmaker.wake()
    await page.wait_for_url("**/board/1?**")
    assert border.wall.violations == []


@in_both_sizes
async def test_one_without_a_session_is_led_to_the_sign_in(room: Room, window: Window) -> None:
    border = Border(room)
    code, _ = await invite(border)
    await window.page.goto(f"{room.discord.address}friend/{code}")
    await expect(window.page.get_by_role("link", name="Sign in with Discord")).to_be_visible()
    await expect_fit(window.page)


@in_both_sizes
async def test_an_offer_that_was_withdrawn_meanwhile_says_so(room: Room, window: Window) -> None:
    border = Border(room)
    code, panel = await invite(border)
    page = await open_home(room, window, border.ola)
    await page.goto(f"{room.discord.address}friend/{code}")
    await border.jadwiga.click(panel, "Withdraw").followed()
    await window.press(page.get_by_role("button", name="Accept"))
    await expect(page.get_by_role("status")).to_contain_text("No game is offered by this code")
    window.complaints.clear()  # the console tells of the 403


@in_both_sizes
async def test_a_code_that_is_typed_at_home_leads_to_the_board(room: Room, window: Window) -> None:
    border = Border(room)
    code, _ = await invite(border)
    page = await open_home(room, window, border.ola)
    await page.get_by_label("Code of a friend").fill(code.lower())
    await window.press(page.get_by_role("button", name="Show the game"))
    await expect(page.locator("section.play")).to_contain_text("Jadwiga asks you to a game: Zagram")
    await expect_fit(page)
    await window.press(page.get_by_role("button", name="Accept"))
    room.bot.workers.matchmaker.wake()
    await page.wait_for_url("**/board/1?**")
    assert border.wall.violations == []
