"""The states of studies, in six languages and three windows: lists, a study of a server, and what is made of one."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from loopback import Discord, Permission
from tests.bot.room import Room
from tests.browser.home_page import home_link
from tests.browser.site.test_states import LANGUAGES, expect_no_faults
from tests.browser.window import Window
from tests.clock import MINUTE
from tests.opponent.quick import Inside
from tests.positions import AT_ONCE
from tests.web.visit import with_client_secret

NEEDED: Final = "#sheet-field, #sheet-back"

BEGIN: Final = """async ([server, stones]) => {
  const ask = async (body) => (await fetch('/study/do', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  })).json();
  const { study } = await ask({ do: 'begin', name: 'Клуб любителей точек', rules: 'zagram', size: '7x7', server });
  const [{ chapter }] = (await ask({ do: 'open', study })).study.chapters;
  const set = { rules: 'zagram', size: '7x7', stones, areas: [], begins: 0, version: 1 };
  await ask({ do: 'set', study, chapter, id: 'key-of-a-set', ...set });
  await ask({ do: 'publish', study, public: true, listed: false });
  return study;
}"""
"""Begins a study of a server with a set-up, which all may read."""


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


def named_stones() -> list[list[Any]]:
    rows = [row.strip() for row in AT_ONCE.split()]
    return [
        ["RB".index(sign), f"{'ABCDEFG'[x]}{len(rows) - y}"]
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign in "RB"
    ]


async def begin(room: Room, window: Window) -> tuple[Page, str]:
    """Returns the page of Ola, who moderates the server, and the address of a study that she has begun for it."""
    room.ola.add_role(room.discord.make_role("Moderators", permissions=Permission.MANAGE_MESSAGES).id)
    page = window.page
    await page.goto(await home_link(room, room.ola))
    await expect(page.locator("#sections section").first).to_be_visible()
    study = await page.evaluate(BEGIN, [str(room.discord.guild.id), named_stones()])
    return page, f"{room.discord.address}study/{study}"


async def open_study(page: Page, address: str, language: str) -> None:
    await page.goto("about:blank")
    await page.goto(address)
    await expect(page.locator("html")).to_have_attribute("lang", language)
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()


async def examine(page: Page, goal: str, lines: int) -> None:
    await page.locator('[data-focus="goal"]').select_option(goal)
    await page.locator('[data-focus="check"]').click()
    await expect(page.locator("#study-panel form [role=status] p")).to_have_count(lines, timeout=60_000)


async def test_the_list_of_studies(room: Room, window: Window) -> None:
    page, _ = await begin(room, window)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await page.goto(f"{room.discord.address}study")
        await expect(page.locator(".studies a")).to_have_count(1)
        await expect_no_faults(page, f"the list of studies, {language}", ".studies")


async def test_a_study_of_a_server_with_its_roles(room: Room, window: Window) -> None:
    page, address = await begin(room, window)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await open_study(page, address, language)
        await expect_no_faults(page, f"a server's study, {language}", NEEDED)
        await page.locator("#study-panel summary").first.click()
        await expect(page.locator('[data-focus="drawers"] option')).not_to_have_count(0)
        await expect_no_faults(page, f"the roles of a server's study, {language}", NEEDED)


async def test_a_study_says_of_no_board_that_only_one_sees_it(room: Room, window: Window) -> None:
    page, address = await begin(room, window)
    await open_study(page, address, "en")
    await expect(page.get_by_text("A tap puts a dot")).to_be_visible()
    await expect(page.get_by_text("Only you see this board")).to_have_count(0)


async def test_what_is_made_of_a_chapter_and_why_it_is_refused(room: Room, window: Window) -> None:
    window.expect_refusals()
    page, address = await begin(room, window)
    for language in LANGUAGES:
        await room.pass_time(MINUTE)  # what one asks for is counted
        await room.change_settings(room.ola, language=language)
        await open_study(page, address, language)
        await page.locator("#study-panel summary").last.click()
        await examine(page, "capture", 3)
        await expect_no_faults(page, f"a position that was checked, {language}", NEEDED)
        await examine(page, "ending", 1)
        await expect_no_faults(page, f"a position that is refused, {language}", NEEDED)
        await examine(page, "capture", 3)
        await page.locator("#study-panel form button.primary").click()
        await expect(page.locator("#study-panel details").last.locator("h2")).to_have_count(1)
        await expect_no_faults(page, f"a lesson that was made, {language}", NEEDED)


async def test_a_published_study_and_one_that_is_gone(room: Room, window: Window) -> None:
    window.expect_refusals()
    page, address = await begin(room, window)
    await page.context.clear_cookies()
    for language in LANGUAGES:
        await page.set_extra_http_headers({"Accept-Language": language})
        await open_study(page, address, language)
        await expect_no_faults(page, f"a published study, {language}", NEEDED)
        await page.goto(f"{room.discord.address}study/{'A' * 16}")
        await expect(page.get_by_role("alert")).to_be_visible()
        await expect_no_faults(page, f"a study that is gone, {language}", "h1")
