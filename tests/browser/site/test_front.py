"""The page of the site's own address in a browser without a computer: its film plays itself, and everyone can read and
stop it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, Literal

import pytest
import pytest_asyncio
import yarl
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Locator, Request, expect

from bot.markup import spoken
from bot.website import serve_site
from loopback import Discord
from tests.bot.conftest import running_room
from tests.browser.conftest import in_both_sizes
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.test_front import public

MAX_BYTES: Final = 75_000
"""Bytes that the page may weigh with all that it loads."""

STEP: Final = 700
"""Milliseconds of a move."""

LANGUAGES: Final = tuple(spoken().names)

WIDTHS: Final = (320, 390, 834, 1280, 1920)

SIDEWAYS: Final = "document.documentElement.scrollWidth > innerWidth"


@pytest_asyncio.fixture(loop_scope="session")
async def front(
    discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any], window: Window
) -> AsyncIterator[str]:
    """The address of the site of a bot that people may add, behind a reverse proxy; the window's clock is stopped."""
    await window.page.clock.install(time=0)
    options = {"hosting": public("http://127.0.0.1"), **run_options}
    async with (
        running_room(discord, url, clock, options) as room,
        serve_site(room.bot.website, "127.0.0.1", 0) as port,
    ):
        yield f"http://127.0.0.1:{port}/"


def stones_of(window: Window) -> Locator:
    return window.page.locator("#field .stones > *")


@pytest.mark.smoke
async def test_the_game_plays_itself_until_it_is_paused(front: str, window: Window) -> None:
    page = window.page
    await page.goto(front)
    pause = page.get_by_role("button", name="Pause")
    await expect(stones_of(window)).to_have_count(4)
    await pause.wait_for()
    await page.clock.run_for(3 * STEP)
    await expect(stones_of(window)).to_have_count(7)
    await pause.click()
    await page.clock.run_for(3 * STEP)
    await expect(stones_of(window)).to_have_count(7)
    await page.get_by_role("button", name="Play the moves").click()
    await page.clock.run_for(STEP)
    await expect(stones_of(window)).to_have_count(8)


async def test_the_game_begins_again_after_its_end(front: str, window: Window) -> None:
    await window.page.goto(front)
    await window.page.get_by_role("button", name="Pause").wait_for()
    await window.page.clock.run_for(57 * STEP)
    await expect(window.page.locator(".score")).to_have_text("● 2 : 5 ●")
    await window.page.clock.run_for(4 * STEP)
    await expect(window.page.locator(".score")).to_have_text("● 0 : 0 ●")


async def test_for_readers_who_prefer_less_motion_it_stands_still(front: str, window: Window) -> None:
    await window.page.emulate_media(reduced_motion="reduce")
    await window.page.goto(front)
    play = window.page.get_by_role("button", name="Play the moves")
    await play.wait_for()
    await window.page.clock.run_for(9 * STEP)
    await expect(window.page.locator(".score")).to_have_text("● 2 : 5 ●")
    await play.click()  # who asks for it gets it
    await window.page.clock.run_for(STEP)
    await expect(stones_of(window)).to_have_count(5)


async def test_without_its_moves_the_last_board_is_there(front: str, window: Window) -> None:
    await window.page.route("**/moves.json", lambda route: route.fulfill(status=503))
    await window.page.goto(front)
    picture = window.page.locator("#field img")
    await expect(picture).to_have_js_property("complete", value=True)
    assert await picture.evaluate("image => image.naturalWidth") > 0
    await expect(window.page.locator("#run")).to_be_hidden()
    assert any("503" in each for each in window.complaints)
    window.complaints.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@in_both_sizes
async def test_it_keeps_the_rules_of_accessibility(
    front: str, window: Window, scheme: Literal["light", "dark"]
) -> None:
    await window.page.emulate_media(color_scheme=scheme)
    await window.page.goto(front)
    await window.page.locator("#run").wait_for()
    found = await Axe().run(window.page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_fits_windows_from_a_phone_to_a_large_screen(front: str, window: Window, language: str) -> None:
    await window.page.set_extra_http_headers({"Accept-Language": language})
    await window.page.goto(front)
    for width in WIDTHS:
        await window.page.set_viewport_size({"width": width, "height": 800})
        assert not await window.page.evaluate(SIDEWAYS), width


async def test_it_is_light_and_asks_nobody_else(front: str, window: Window, asked: set[str]) -> None:
    loaded: list[Request] = []
    window.page.on("requestfinished", lambda request: loaded.append(request))
    await window.page.goto(front, wait_until="networkidle")
    await window.page.locator("#run").wait_for()
    sizes = {yarl.URL(each.url).path: await each.sizes() for each in loaded}
    weights = {path: each["responseBodySize"] + each["responseHeadersSize"] for path, each in sizes.items()}
    assert {"/", "/front/moves.json", "/static/pages/front.js"} <= weights.keys()
    assert sum(weights.values()) < MAX_BYTES, weights
    assert asked == {front.rstrip("/")}
    assert await window.page.evaluate("document.cookie") == ""
