"""The states of a board of one's own, in six languages and three windows, as those of other pages."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.async_api import Page, ViewportSize, expect

from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.home_page import home_link
from tests.browser.site.finished_game import end_game
from tests.browser.site.test_states import LANGUAGES, WINDOWS, expect_no_faults
from tests.browser.window import Window
from tests.opponent.quick import Inside
from tests.web.visit import with_client_secret

RECORD: Final = "(;GM[40]SZ[10];B[ee]C[a cut]TR[ee](;W[ef];B[fe])(;W[aa]C[a corner]))"

DIALOGS: Final = ("new", "open", "boards", "rename", "picture", "play")
"""The dialogs in front of the board, by the buttons that open them."""

FURTHER: Final = {"picture": "#own-link button", "play": "summary"}
"""Parts of a dialog that show more of it when they are pressed."""

NEEDED: Final = "#sheet-field, #sheet-back"

FINGER: Final = 44


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


async def tool(page: Page, name: str) -> None:
    """Presses a tool; one that is asked for now and then is behind *More*."""
    pressed = page.locator(f'#own-tools [data-focus="{name}"]')
    if not await pressed.is_visible():
        await page.locator("#own-tools summary").click()
    await pressed.click()


async def enter(room: Room, window: Window) -> Page:
    """Opens the home of a player, whose browser has a session from then on."""
    await window.page.goto(await home_link(room, room.ola))
    await expect(window.page.locator("#sections section").first).to_be_visible()
    return window.page


async def open_board(room: Room, page: Page, language: str) -> None:
    await page.goto("about:blank")
    await page.goto(f"{room.discord.address}analysis")
    await expect(page.locator("html")).to_have_attribute("lang", language)
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()


async def import_record(page: Page) -> None:
    await tool(page, "open")
    await page.locator("#record-text").fill(RECORD)
    await page.locator("#asked .form button").click()
    await expect(page.locator("#sheet nav .branch")).to_have_count(1)
    await page.locator("#sheet nav .move").nth(1).click()
    await expect(page.locator("#sheet-field .marks .triangle")).to_have_count(1)


async def test_a_visitors_board(room: Room, window: Window) -> None:
    for language in LANGUAGES:
        await window.page.set_extra_http_headers({"Accept-Language": language})
        await open_board(room, window.page, language)
        await expect_no_faults(window.page, f"a visitor's board, {language}", NEEDED)
        await window.page.locator("#own-tools summary").click()
        await expect_no_faults(window.page, f"a visitor's tools, {language}", NEEDED)


async def test_a_players_board_with_each_tool(room: Room, window: Window) -> None:
    page = await enter(room, window)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await open_board(room, page, language)
        await import_record(page)
        await expect_no_faults(page, f"a record, {language}", NEEDED)
        for name in ("marks", "setup"):
            await tool(page, name)
            await expect_no_faults(page, f"{name}, {language}", NEEDED)
        await tool(page, "setup")
        await page.locator("#sheet-deeds button[aria-pressed]").click()
        await expect(page.locator("#sheet-line")).to_contain_text("%")
        await expect_no_faults(page, f"the computer's view, {language}", NEEDED)


async def test_a_shared_board(room: Room, window: Window) -> None:
    page = await enter(room, window)
    await open_board(room, page, "en")
    await import_record(page)
    await tool(page, "picture")
    await page.locator("#own-link button").click()
    link = await page.locator("#own-link input").input_value()
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await page.goto(link)
        await expect(page.locator("html")).to_have_attribute("lang", language)
        await expect(page.locator("#sheet nav .branch")).to_have_count(1)
        await expect_no_faults(page, f"a shared board, {language}", NEEDED)


async def test_what_is_asked_in_front_of_a_board(room: Room, window: Window) -> None:
    await end_game(room)
    page = await enter(room, window)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await open_board(room, page, language)
        for name in DIALOGS:
            await tool(page, name)
            await expect(page.locator("#asked")).to_be_visible()
            await expect_no_faults(page, f"{name}, {language}", "#asked")
            if name in FURTHER:
                await page.locator(f"#asked {FURTHER[name]}").first.click()
                await expect(page.locator("#asked input[readonly], #asked select[data-focus=venue]")).to_be_attached()
                await expect_no_faults(page, f"{name}, further, {language}", "#asked")
            await page.keyboard.press("Escape")
            await expect(page.locator("#asked")).to_have_count(0)


@on_a_phone
async def test_each_control_is_as_large_as_a_finger(room: Room, window: Window) -> None:
    page = await enter(room, window)
    await open_board(room, page, "en")
    await import_record(page)
    await tool(page, "setup")
    seen = 0
    for opened in (None, *DIALOGS):
        if opened:
            await tool(page, opened)
            await expect(page.locator("#asked")).to_be_visible()
        part = "#asked" if opened else "#sheet"
        for control in await page.locator(f"{part} :is(button, input, select, summary, a, textarea):visible").all():
            box = await control.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= FINGER, await control.evaluate("each => each.outerHTML")
            seen += 1
        await page.keyboard.press("Escape")
        await expect(page.locator("#asked")).to_have_count(0)
    assert seen >= 30


FOCUSED: Final = "(({ dataset, id }) => dataset.focus || dataset.key || id)(document.activeElement)"


async def test_a_keyboard_reaches_everything_in_order(room: Room, window: Window) -> None:
    page = await enter(room, window)
    await open_board(room, page, "en")
    await import_record(page)
    await page.locator("#sheet-title").focus()
    reached = []
    for _ in range(32):
        await page.keyboard.press("Tab")
        reached.append(await page.evaluate(FOCUSED))
    for part in ("sheet-back", "sheet-field", "setup", "marks", "other", "more", "m0", "t1", "sheet-note"):
        assert part in reached
    order = [reached.index(part) for part in ("sheet-back", "sheet-field", "setup", "more", "m0", "sheet-note")]
    assert order == sorted(order)


@pytest.mark.parametrize(("width", "height"), WINDOWS)
async def test_the_board_has_the_larger_part_of_each_window(
    room: Room, window: Window, width: int, height: int
) -> None:
    await window.page.set_viewport_size(ViewportSize(width=width, height=height))
    await open_board(room, window.page, "en")
    box = await window.page.locator("#sheet-field").bounding_box()
    assert box is not None
    assert box["width"] * box["height"] >= 0.4 * width * height


SIZES: Final = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .filter(({ name }) => !name.endsWith('.woff2'))
  .reduce((sum, each) => sum + each.decodedBodySize, 0)"""

MAX_BYTES: Final = 170_000
"""Bytes of all files of the page, unpacked, but for the fonts: the board's, the sheet's and its own."""


@on_a_phone
async def test_the_page_is_light(room: Room, window: Window) -> None:
    await open_board(room, window.page, "en")
    unpacked = await window.page.evaluate(SIZES)
    assert 0 < unpacked < MAX_BYTES
