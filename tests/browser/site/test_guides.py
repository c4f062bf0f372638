"""The guides in a browser: they fit each window, in each language, and everyone can read them."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_front import LANGUAGES, SIDEWAYS, WIDTHS
from tests.browser.window import Window
from tests.web.test_guides import NAMES


@pytest.mark.parametrize("scheme", ["light", "dark"])
@in_both_sizes
async def test_they_keep_the_rules_of_accessibility(
    room: Room, window: Window, scheme: Literal["light", "dark"]
) -> None:
    await window.page.emulate_media(color_scheme=scheme)
    for path in ("help", "help/managers", "help/tournament"):
        await window.page.goto(f"{room.discord.address}{path}")
        found = await Axe().run(window.page)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_they_fit_windows_from_a_phone_to_a_large_screen(room: Room, window: Window, language: str) -> None:
    await window.page.set_extra_http_headers({"Accept-Language": language})
    for name in ("", *NAMES):
        await window.page.goto(f"{room.discord.address}help/{name}".rstrip("/"))
        for width in WIDTHS:
            await window.page.set_viewport_size({"width": width, "height": 800})
            assert not await window.page.evaluate(SIDEWAYS), (name, width)


async def test_the_index_leads_to_a_guide_and_that_to_others(room: Room, window: Window) -> None:
    page = window.page
    await page.goto(f"{room.discord.address}help")
    await page.get_by_role("link", name="Your first game").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Your first game")
    await page.get_by_role("link", name="Puzzles and lessons").click()
    await page.get_by_role("link", name="Guides").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Guides")
