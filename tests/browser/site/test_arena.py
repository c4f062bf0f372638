"""The page of the arena in a browser: it fits each window, everyone can read it, and it stays up to date."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from play.competitions.arena import Arena
from play.ids import MatchId, UserId
from tests.bot.arenas import add_played
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_front import LANGUAGES, SIDEWAYS, WIDTHS
from tests.browser.window import Window


async def played(room: Room) -> Arena:
    """Stores an arena with a standing of three."""
    await room.start_match()
    users = [UserId(person.id) for person in (room.ola, room.maksim, room.kasia)]
    return await add_played(room, MatchId(1), *users)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@in_both_sizes
async def test_it_keeps_the_rules_of_accessibility(
    room: Room, window: Window, scheme: Literal["light", "dark"]
) -> None:
    await played(room)
    await window.page.emulate_media(color_scheme=scheme)
    await window.page.goto(f"{room.discord.address}arena")
    found = await Axe().run(window.page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_fits_windows_from_a_phone_to_a_large_screen(room: Room, window: Window, language: str) -> None:
    await played(room)
    await window.page.set_extra_http_headers({"Accept-Language": language})
    await window.page.goto(f"{room.discord.address}arena")
    for width in WIDTHS:
        await window.page.set_viewport_size({"width": width, "height": 800})
        assert not await window.page.evaluate(SIDEWAYS), width


async def test_it_shows_what_has_changed_without_a_reload(room: Room, window: Window) -> None:
    await window.page.goto(f"{room.discord.address}arena")
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("Arena")
    await played(room)
    room.clock.advance(5000)  # what all readers share is kept for four seconds
    await expect(window.page.get_by_role("row")).to_have_count(4, timeout=15_000)
