"""The game between strangers that everybody may watch: on its page, on the front page and on a home page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from loopback import Discord
from play.ids import IdempotencyKey, UserId
from play.match.match import Match
from tests.bot.border import Border
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.home_page import open_home
from tests.browser.window import Window
from tests.clock import SECOND, StoppedClock
from tests.web.home_visit import room_with_activity
from use_cases.player_settings import change_player


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


async def watched(room: Room) -> tuple[Border, Match]:
    """Begins a game of strangers who let everybody watch."""
    border = Border(room)
    match = await border.begin(control="5m", size="9x9", start="cross", strangers=True)
    for each in (border.ola, border.jadwiga):
        await change_player(room.services.store, UserId(each.id), {"watchable": True})
    return border, match


async def pass_time(room: Room, page: Page) -> None:
    """Lets so much time pass that the page asks again, and is told what is new."""
    await room.pass_time(5 * SECOND)
    await page.clock.run_for(5000)


async def expect_sound(page: Page) -> None:
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@in_both_sizes
async def test_a_visitor_follows_a_game_to_its_end(room: Room, window: Window) -> None:
    page = window.page
    await page.clock.install()
    await page.goto(f"{room.discord.address}watch")
    await expect(page.get_by_text("No game to watch right now")).to_be_visible()
    await expect_sound(page)
    border, match = await watched(room)
    await pass_time(room, page)
    board = page.get_by_role("img", name="Ola – Jadwiga. It's Ola's turn.")
    await expect(board).to_be_visible()
    await expect(page.get_by_text("No game to watch")).to_be_hidden()
    await expect_sound(page)
    await border.move(border.ola, border.here, "C3")
    await pass_time(room, page)
    await expect(page.get_by_text("It's Jadwiga's turn.")).to_be_visible()
    await room.use_cases.matches.resign(match.id, UserId(border.ola.id), room.clock(), IdempotencyKey(5))
    await pass_time(room, page)
    await expect(page.get_by_text("Jadwiga wins: Ola resigned.")).to_be_visible()
    await expect_sound(page)


@in_both_sizes
async def test_the_front_page_and_a_home_page_show_the_game(room: Room, window: Window) -> None:
    await watched(room)
    page = window.page
    await page.goto(f"{room.discord.address}front")
    await expect(page.get_by_role("link", name="The best game now")).to_be_visible()
    await expect_sound(page)
    home = await open_home(room, window, room.kasia)
    await expect(home.get_by_role("heading", name="The best game now")).to_be_visible()
    await expect(home.get_by_role("link", name="Ola – Jadwiga")).to_have_attribute(
        "href", f"{room.discord.address}watch"
    )
    await expect_sound(home)
