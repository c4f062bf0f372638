"""A visitor of the front page sits down at an open seat, signs in, and is there: with few taps, and with mistakes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from loopback import Discord
from play.ids import UserId
from tests.bot.border import Border
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.visit import Visit
from use_cases.player_settings import change_player

TAPS = 2
"""From the front page to a stranger's board: *Sit down*, and the account in Discord's question. It may only fall."""


@pytest_asyncio.fixture(loop_scope="session")
async def border(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Border]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield Border(room)


async def offer(border: Border, *, live: bool = False) -> int:
    """Lets Jadwiga look for a game on her home page; returns her search."""
    await change_player(border.room.services.store, UserId(border.jadwiga.id), {"alias": "Nomad"})
    async with Visit(border.room.discord.address) as visit:
        home = await AtHome.enter(border.room, border.jadwiga, visit)
        told = await home.must("look", speed="live" if live else "days", weekly=False, flexible=True)
    seek: int = told["seeks"][0]["seek"]
    return seek


async def open_front(border: Border, window: Window) -> Page:
    """Opens the chat, where Discord's question is answered, and then the front page."""
    await window.open(border.room.discord, border.ola, border.here)
    window.page.on("framenavigated", lambda _: window.complaints.clear())  # Discord's question has no icon
    await window.page.goto(f"{border.room.discord.address}front")
    return window.page


@in_both_sizes
async def test_open_seats_are_on_the_front_page_while_there_are_any(border: Border, window: Window) -> None:
    page = await open_front(border, window)
    await expect(page.locator("#open-seats")).to_be_hidden()
    await offer(border)
    border.room.clock.advance(5000)
    await page.reload()
    seats = page.locator("#open-seats")
    await expect(seats).to_contain_text("Nomad")
    await expect(seats.get_by_role("button", name="Sit down")).to_be_visible()
    await seats.scroll_into_view_if_needed()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@on_a_phone
async def test_a_visitor_is_at_the_board_of_a_stranger_in_two_taps(border: Border, window: Window) -> None:
    await offer(border)
    page, taps = await open_front(border, window), 0
    for tap in (
        page.get_by_role("button", name="Sit down"),
        page.get_by_role("link", name="Ola", exact=True),
    ):
        await tap.click()
        taps += 1
    await page.wait_for_url("**/home?as=*")
    await page.wait_for_url("**/board/1?as=*")
    await expect(page.locator("main")).to_contain_text("Nomad")
    assert taps <= TAPS


@on_a_phone
async def test_who_comes_too_late_is_told_so_and_sees_what_else_there_is(border: Border, window: Window) -> None:
    seek = await offer(border)
    page = await open_front(border, window)
    button = page.get_by_role("button", name="Sit down")
    await expect(button).to_be_visible()
    await border.room.use_cases.seeks.leave(seek, UserId(border.jadwiga.id))  # type: ignore[arg-type]
    await button.click()
    await page.get_by_role("link", name="Ola", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text("taken")


@on_a_phone
async def test_a_link_of_others_seats_nobody(border: Border, window: Window) -> None:
    seek = await offer(border)
    page = await open_front(border, window)
    for address in (f"home?seat={seek}", f"home#seat={seek}", f"sign-in?seat={seek}"):
        await page.goto(f"{border.room.discord.address}{address}")
    async with border.room.services.store.read() as reader:
        assert await reader.seeks.open_of(UserId(border.ola.id)) == []
    await page.goto("about:blank")  # the console has told of the 401, and that the question has no icon
