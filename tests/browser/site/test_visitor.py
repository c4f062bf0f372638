"""A visitor's game on the page of the site's own address, by finger, mouse and keyboard, and with a screen reader."""

from __future__ import annotations

from typing import Any, Final, Literal

import pytest
import pytest_asyncio
import yarl
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Locator, Page, Request, expect

from bot.markup import spoken
from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_front import MAX_BYTES
from tests.browser.site.test_states import expect_no_faults
from tests.browser.window import Window
from tests.web.test_front import public
from tests.web.test_visitor_game import Orderly

SIDE: Final = 9

GLANCE: Final = 450
"""Milliseconds from the visitor's dot to the computer's."""

SURROUNDING: Final = spoken().of("en").plain("web.front.surrounded")


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {"hosting": public(discord.address.rstrip("/")), "thinkers": Orderly}


@pytest_asyncio.fixture(loop_scope="session")
async def page(room: Room, window: Window) -> Page:
    """The page, whose clock is stopped."""
    await window.page.clock.install(time=0)
    await open_page(room, window.page)
    return window.page


async def open_page(room: Room, page: Page) -> None:
    await page.goto(f"{room.discord.address}front")
    await expect(field_of(page)).to_have_role("application")


def field_of(page: Page) -> Locator:
    return page.locator("#field")


def line_of(page: Page) -> Locator:
    return page.locator("#line")


async def tap(window: Window, name: str) -> None:
    """Presses a crossing."""
    column, row = "ABCDEFGHI".index(name[0]), int(name[1]) - 1
    place = (
        await field_of(window.page)
        .locator("svg[viewBox]")
        .evaluate(
            """(svg, [x, y]) => {
          const place = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
          return [place.x, place.y];
        }""",
            [column, SIDE - 1 - row],
        )
    )
    await (window.page.touchscreen.tap if window.narrow else window.page.mouse.click)(*place)


async def expect_answer(page: Page, text: str) -> None:
    """Expects a line, once the computer's dot is seen, too."""
    await expect(page.locator("#field[aria-busy] .stones")).to_have_count(1)
    await page.clock.run_for(GLANCE)
    await expect(line_of(page)).to_contain_text(text)


async def play(window: Window, name: str, text: str) -> None:
    await tap(window, name)
    await expect_answer(window.page, text)


@pytest.mark.smoke
@in_both_sizes
async def test_a_tap_places_the_first_dot_and_the_computer_answers(page: Page, window: Window) -> None:
    await expect(line_of(page)).to_contain_text("place your first dot")
    await play(window, "C5", "I play A1. Your turn.")
    await expect(page.locator("#field .stones > *")).to_have_count(6)
    await play(window, "D4", f"You capture 1 dot! {SURROUNDING}")
    await expect(page.locator(".score")).to_have_text("● You 1 : 0 Kropka ●")


async def test_a_reload_goes_on_and_a_new_game_begins_anew(room: Room, page: Page, window: Window) -> None:
    await play(window, "C5", "I play A1.")
    await open_page(room, page)
    await expect_answer(page, "I play A1.")
    await expect(page.locator("#field .stones > *")).to_have_count(6)
    await page.get_by_role("button", name="New game").click()
    await expect(page.locator("#field .stones > *")).to_have_count(4)
    await open_page(room, page)
    await expect(line_of(page)).to_contain_text("place your first dot")


async def test_keys_play_and_a_screen_reader_hears_crossings_and_answers(page: Page) -> None:
    await field_of(page).focus()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await page.clock.run_for(150)
    await expect(page.locator("#crossing")).to_have_text("D5, Kropka")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await expect_answer(page, "I play A1.")
    await expect(line_of(page)).to_have_role("status")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("textbox", name="Type a move, such as E7")).to_be_focused()
    await page.keyboard.type("d4")
    await page.keyboard.press("Enter")
    await expect_answer(page, "You capture 1 dot!")


async def test_a_taken_crossing_changes_nothing_and_a_closed_one_says_why(page: Page, window: Window) -> None:
    await tap(window, "D5")
    await expect(line_of(page)).to_contain_text("place your first dot")
    await page.locator("#typed input").fill("K12")
    await page.locator("#typed input").press("Enter")
    await expect(line_of(page)).not_to_contain_text("place your first dot")
    await expect(page.locator("#typed input")).to_have_value("K12")
    window.complaints.clear()


async def test_without_a_connection_the_dot_is_taken_back(page: Page, window: Window) -> None:
    await page.context.set_offline(True)
    await tap(window, "C5")
    await expect(line_of(page)).to_contain_text("The server can't be reached.")
    await expect(page.locator("#field .stones > *, #field .ghost > *")).to_have_count(4)
    await page.context.set_offline(False)
    await play(window, "C5", "I play A1.")
    window.complaints.clear()


async def test_at_the_end_the_page_leads_on(page: Page, window: Window) -> None:
    await expect(page.get_by_role("link", name="Add to Discord")).to_have_count(1)
    told = {"moves": "C5 A1", "line": "You win, 9 : 2.", "over": True, "boards": []}
    await page.route("**/front/game", lambda route: route.fulfill(json=told))
    await tap(window, "C5")
    await expect(page.locator("#after")).to_be_visible()
    await expect(page.get_by_role("link", name="Add to Discord")).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@in_both_sizes
async def test_it_keeps_the_rules_of_accessibility(
    room: Room, page: Page, window: Window, scheme: Literal["light", "dark"]
) -> None:
    await page.emulate_media(color_scheme=scheme)
    await open_page(room, page)
    await play(window, "C5", "I play A1.")
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


async def test_it_fits_each_window_in_each_language(room: Room, page: Page, window: Window) -> None:
    for language in spoken().names:
        await page.set_extra_http_headers({"Accept-Language": language})
        await open_page(room, page)
        await expect_no_faults(page, f"front, {language}", "")


async def test_it_weighs_no_more_than_with_the_film(room: Room, window: Window) -> None:
    loaded: list[Request] = []
    window.page.on("requestfinished", lambda request: loaded.append(request))
    await open_page(room, window.page)
    await window.page.wait_for_load_state("networkidle")
    sizes = {yarl.URL(each.url).path: await each.sizes() for each in loaded}
    weights = {path: each["responseBodySize"] + each["responseHeadersSize"] for path, each in sizes.items()}
    assert "/static/pages/visitor.js" in weights
    assert "/front/moves.json" not in weights
    assert sum(weights.values()) < MAX_BYTES, weights


async def test_without_a_script_the_last_board_of_the_film_is_there(room: Room, page: Page) -> None:
    assert page.context.browser is not None
    async with await page.context.browser.new_context(java_script_enabled=False) as context:
        plain = await context.new_page()
        await plain.goto(f"{room.discord.address}front")
        await expect(plain.locator("#field img")).to_have_js_property("complete", value=True)
        await expect(plain.get_by_text("The computer plays itself")).to_be_visible()
