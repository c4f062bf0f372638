"""Looking for a stranger on the home page, by what is pressed there: from the search to the board."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from loopback import Discord
from play.ids import UserId
from tests.bot.border import Border
from tests.bot.room import Room, private_message
from tests.browser.conftest import in_both_sizes
from tests.browser.home_page import open_home
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.home_visit import room_with_activity

FINGER = 44
"""Pixels that each control has at least."""


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


async def expect_fit(page: Page) -> None:
    """Expects that the page is as wide as the window, that axe-core finds nothing, and that fingers hit each button."""
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    for button in await page.locator("section.play :is(button, label.check)").filter(visible=True).all():
        box = await button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= FINGER, await button.text_content()


@in_both_sizes
async def test_from_the_home_page_to_the_board_of_a_stranger(discord: Discord, room: Room, window: Window) -> None:
    border = Border(room)
    page = await open_home(room, window, border.ola)
    play = page.locator("section.play")
    await expect(play.get_by_role("heading", name="Anyone")).to_be_visible()
    await expect_fit(page)
    await window.press(play.get_by_role("button", name="Live game"))
    await expect(play).to_contain_text("Nobody else is looking yet")
    await expect(play.get_by_role("button", name="Stop looking")).to_be_visible()
    await expect_fit(page)
    panel = await private_message(border.jadwiga.command(border.there, "play"))
    await border.jadwiga.click(panel, "Live game").followed()
    room.bot.workers.matchmaker.wake()
    here = play.get_by_role("button", name="I'm here")
    await expect(here).to_be_visible()
    await expect(play).to_contain_text("Seconds left: ")
    await expect_fit(page)
    await window.press(here)
    await expect(play).to_contain_text("as soon as your opponent is there")
    call = next(each for each in discord.messages(border.there) if each.controls)
    await border.jadwiga.click(call, call.controls[0]["custom_id"]).answered()
    await page.wait_for_url("**/board/1?**")
    assert border.wall.violations == []


async def test_a_search_is_left_and_the_choices_are_there_again(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    play = page.locator("section.play")
    await play.get_by_label("Only my rules").check()
    await play.get_by_role("button", name="Game over days").click()
    await play.get_by_role("button", name="Stop looking").click()
    await expect(play.get_by_role("button", name="Game over days")).to_be_visible()
    await expect(play.get_by_label("Only my rules")).to_be_checked()


async def test_a_home_asks_for_searches_alone_only_while_a_live_game_is_looked_for(room: Room, window: Window) -> None:
    asked: list[str] = []
    await window.page.clock.install()
    window.page.on(
        "request", lambda request: asked.append(request.post_data or "") if request.method == "POST" else None
    )
    page = await open_home(room, window, room.ola)
    play = page.locator("section.play")
    await play.get_by_role("button", name="Game over days").click()
    await expect(play.get_by_role("button", name="Stop looking")).to_be_visible()
    await page.clock.run_for(70_000)
    assert not [each for each in asked if '"seeks"' in each]
    async with page.expect_request(lambda request: '"seeks"' in (request.post_data or "")):
        await play.get_by_role("button", name="Live game").click()
        await page.clock.run_for(4_000)


async def test_a_page_that_slept_tells_that_its_search_is_over(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    play = page.locator("section.play")
    await play.get_by_role("button", name="Live game").click()
    await expect(play.get_by_role("button", name="Stop looking")).to_be_visible()
    for outlook in await room.use_cases.seeks.outlooks(UserId(room.ola.id)):
        await room.use_cases.seeks.leave(outlook.seek.id, UserId(room.ola.id))
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect(play.get_by_role("button", name="Live game")).to_be_visible()


async def jadwiga_looks(border: Border) -> None:
    """Has an opponent look for a live game, so that both are called."""
    panel = await private_message(border.jadwiga.command(border.there, "play"))
    await border.jadwiga.click(panel, "Live game").followed()
    border.room.bot.workers.matchmaker.wake()


@in_both_sizes
async def test_who_plays_the_computer_meanwhile_is_called_on_that_board(
    discord: Discord, room: Room, window: Window
) -> None:
    border = Border(room)
    page = await open_home(room, window, border.ola)
    play = page.locator("section.play")
    await window.press(play.get_by_role("button", name="Live game"))
    await expect(play.get_by_role("link", name="Daily puzzles")).to_be_visible()
    await expect_fit(page)
    await window.press(play.get_by_role("button", name="Computer meanwhile"))
    await page.wait_for_url("**/board/1?**")
    await jadwiga_looks(border)
    call = page.get_by_role("alert").filter(has=page.get_by_role("button", name="I'm here"))
    await expect(call).to_be_visible()
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    await window.press(call.get_by_role("button", name="I'm here"))
    there = next(each for each in discord.messages(border.there) if each.controls)
    await border.jadwiga.click(there, there.controls[0]["custom_id"]).answered()
    await page.wait_for_url("**/board/2?**")
    assert border.wall.violations == []


async def test_a_call_leads_from_the_daily_back_to_its_answer(room: Room, window: Window) -> None:
    border = Border(room)
    page = await open_home(room, window, border.ola)
    play = page.locator("section.play")
    await play.get_by_role("button", name="Live game").click()
    await play.get_by_role("link", name="Daily puzzles").click()
    await expect(page.locator("main.puzzles")).to_be_visible()
    await jadwiga_looks(border)
    await expect(play.get_by_role("button", name="I'm here")).to_be_visible()
