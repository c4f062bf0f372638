"""Boards of one's own in a browser: set up, played on, marked, undone, imported, and kept."""

from __future__ import annotations

from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from loopback import Discord
from tests.bot.room import Room
from tests.browser.home_page import home_link
from tests.browser.site.test_states import expect_no_faults
from tests.browser.window import Window
from tests.opponent.quick import Inside
from tests.web.visit import with_client_secret

RECORD: Final = "(;GM[40]SZ[10];B[ee]C[a cut]TR[ee](;W[ef];B[fe])(;W[aa]))"


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(room: Room, window: Window) -> Page:
    """The page of one without an account."""
    await open_board(room, window.page)
    return window.page


@pytest_asyncio.fixture(loop_scope="session")
async def ola(room: Room, window: Window) -> Page:
    """The page of a player."""
    await window.page.goto(await home_link(room, room.ola))
    await expect(window.page.locator("#sections section").first).to_be_visible()
    await open_board(room, window.page)
    return window.page


async def open_board(room: Room, page: Page, more: str = "") -> None:
    await page.goto(f"{room.discord.address}analysis{more}")
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


async def lay(page: Page, *texts: str) -> None:
    """Types moves."""
    for text in texts:
        count = await page.locator("#sheet nav .move").count()
        await page.get_by_role("textbox", name="Type a move").fill(text)
        await page.keyboard.press("Enter")
        await expect(page.locator("#sheet nav .move")).to_have_count(count + 1)


async def show_more(page: Page) -> None:
    """Shows the tools that are asked for now and then."""
    if not await button(page, "Open a record").is_visible():
        await page.get_by_text("Board, file, computer").first.click()


async def import_record(page: Page, text: str) -> None:
    await show_more(page)
    await button(page, "Open a record").click()
    await page.get_by_role("textbox", name="Paste a record").fill(text)
    await page.get_by_role("dialog").get_by_role("button", name="Open", exact=True).click()


async def test_a_visitor_lays_turns_and_finds_them_after_a_reload(room: Room, visitor: Page) -> None:
    await lay(visitor, "A1", "B2")
    await visitor.reload()
    await expect(visitor.locator("#sheet nav .move")).to_have_count(3)


async def test_a_tap_puts_a_dot(window: Window, visitor: Page) -> None:
    field = visitor.locator("#sheet-field")
    box = await field.bounding_box()
    assert box is not None
    place = box["x"] + box["width"] / 2 + 90, box["y"] + box["height"] / 2 + 90
    await (visitor.touchscreen.tap if window.narrow else visitor.mouse.click)(*place)
    await expect(visitor.locator("#sheet nav .move")).to_have_count(2)


async def test_what_was_done_is_undone_and_done_again(ola: Page) -> None:
    await lay(ola, "A1", "B2")
    await button(ola, "Undo").click()
    await expect(ola.locator("#sheet nav .move")).to_have_count(2)
    await button(ola, "Redo").click()
    await expect(ola.locator("#sheet nav .move")).to_have_count(3)


async def test_a_record_comes_with_branches_notes_and_marks(ola: Page) -> None:
    await import_record(ola, RECORD)
    await expect(ola.locator("#sheet nav .branch")).to_have_count(1)
    await ola.locator("#sheet nav .move").filter(has_text="E6").click()
    await expect(ola.locator("#sheet-field .marks .triangle")).to_have_count(1)
    await expect(ola.get_by_role("textbox", name="Note")).to_have_value("a cut")


async def test_a_wrong_record_says_where_it_is_wrong(window: Window, ola: Page) -> None:
    await import_record(ola, "(;GM[40]SZ[10];B[ee];W[ef];B[ee])")
    await expect(ola.get_by_role("alert")).to_contain_text("B[ee]")
    window.complaints.clear()


async def test_a_set_up_is_made_by_taps(window: Window, ola: Page) -> None:
    await button(ola, "Set up").click()
    await ola.get_by_role("button", name="Dot: blue").click()
    field = ola.locator("#sheet-field")
    await field.focus()
    await ola.keyboard.press("ArrowRight")
    await ola.keyboard.press("Shift+ArrowRight")
    await ola.keyboard.press("Enter")
    await expect(ola.locator("#sheet-field .stones > *")).to_have_count(5)


async def test_marks_are_put_and_taken_away(ola: Page) -> None:
    await button(ola, "Marks").click()
    await button(ola, "Letter").click()
    field = ola.locator("#sheet-field")
    for count in (1, 0):
        await field.focus()
        await ola.keyboard.press("ArrowUp" if count else "ArrowLeft")
        await ola.keyboard.press("ArrowRight" if not count else "Shift")
        await ola.keyboard.press("Enter")
        await expect(ola.locator("#sheet-field .marks .label")).to_have_count(count)


async def test_a_board_is_kept_renamed_and_found_again(room: Room, ola: Page) -> None:
    await lay(ola, "A1")
    await show_more(ola)
    await button(ola, "Rename").click()
    await ola.get_by_role("textbox", name="Name").fill("My cut")
    await ola.get_by_role("dialog").get_by_role("button", name="Rename").click()
    await expect(ola.get_by_role("heading", name="Board of my own")).to_be_visible()
    await open_board(room, ola)
    await show_more(ola)
    await button(ola, "My boards").click()
    await ola.get_by_role("dialog").get_by_role("button", name="My cut").first.click()
    await expect(ola.locator("#sheet nav .move")).to_have_count(2)


async def test_a_picture_is_shown_to_be_saved(ola: Page) -> None:
    await show_more(ola)
    await button(ola, "Picture").click()
    await expect(ola.get_by_role("link", name="Download")).to_be_visible()


async def test_the_page_has_no_faults(visitor: Page) -> None:
    await lay(visitor, "A1", "B2")
    await button(visitor, "Set up").click()
    await expect_no_faults(visitor, "set up, en", "#sheet-field, #sheet-back")
