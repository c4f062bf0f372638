"""Boards of one's own in a browser: set up, played on, marked, undone, imported, and kept."""

from __future__ import annotations

from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from loopback import Discord
from play.ids import UserId
from tests.bot.room import Room
from tests.browser.home_page import home_link
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


async def test_each_colour_has_its_own_branch_at_one_crossing(ola: Page) -> None:
    await lay(ola, "A1")
    await ola.locator("#sheet nav .move").first.click()
    await button(ola, "Other colour moves").click()
    await lay(ola, "A1")
    await expect(ola.locator("#sheet nav .branch .move")).to_have_attribute("aria-current", "true")


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


async def test_a_refused_set_up_says_why_until_something_else_is_done(window: Window, ola: Page) -> None:
    await button(ola, "Set up").click()
    size = ola.locator('#set-up [data-focus="size"]')
    await size.fill("1x1")
    async with ola.expect_response(lambda answer: '"scene"' in (answer.request.post_data or "")):
        await size.press("Enter")
    await ola.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    await expect(ola.locator("#sheet-line")).to_have_class("trouble")
    window.complaints.clear()


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


async def test_another_board_shows_its_own_moves(ola: Page) -> None:
    await lay(ola, "A1", "B2")
    await show_more(ola)
    await button(ola, "New board").click()
    await ola.get_by_role("textbox", name="Size").fill("9x9")
    await ola.keyboard.press("Enter")
    await expect(ola.locator("#sheet-status")).to_contain_text("9×9")
    await expect(ola.locator("#sheet nav .move")).to_have_count(1)


async def test_the_page_goes_on_with_the_board_that_was_changed_last(room: Room, ola: Page) -> None:
    await lay(ola, "A1", "B2")
    await ola.goto("about:blank")
    await open_board(room, ola)
    await expect(ola.locator("#sheet nav .move")).to_have_count(3)
    assert len(await room.use_cases.own_boards.list(UserId(room.ola.id))) == 1


async def tap_fast(window: Window, page: Page, count: int) -> None:
    """Clicks on so many crossings of a row, one at once after the other."""
    box = await page.locator("#sheet-field").bounding_box()
    assert box is not None
    step = box["width"] / 24
    for number in range(count):
        await page.mouse.click(box["x"] + 3 * step + number * step, box["y"] + box["height"] / 4)


@pytest.mark.parametrize("who", ["ola", "visitor"])
async def test_no_dot_of_a_set_up_is_lost_by_quick_taps(
    request: pytest.FixtureRequest, room: Room, window: Window, who: str
) -> None:
    if who == "ola":
        await window.page.goto(await home_link(room, room.ola))
        await expect(window.page.locator("#sections section").first).to_be_visible()
    await open_board(room, window.page)
    page = window.page
    await button(page, "Set up").click()
    await tap_fast(window, page, 12)
    await expect(page.locator("#sheet-field .stones > *")).to_have_count(4 + 12)


async def test_a_session_that_ends_leaves_the_board_in_the_browser(room: Room, window: Window, ola: Page) -> None:
    await lay(ola, "A1")
    await room.services.web_sessions.leave_all(UserId(room.ola.id))
    await lay(ola, "B2", "C3")
    await show_more(ola)
    await expect(ola.get_by_role("link", name="Sign in to keep it")).to_be_visible()
    await button(ola, "Undo").click()
    await expect(ola.locator("#sheet nav .move")).to_have_count(3)
    await ola.reload()
    await expect(ola.locator("#sheet nav .move")).to_have_count(3)
    window.complaints.clear()


DROP: Final = """record => {
  const data = new DataTransfer();
  data.items.add(new File([record], 'a cut.sgf'));
  const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
  document.getElementById('sheet').dispatchEvent(drop);
}"""


async def test_a_record_is_dropped_on_the_board(visitor: Page) -> None:
    await visitor.evaluate(DROP, RECORD)
    await expect(visitor.locator("#sheet nav .branch")).to_have_count(1)
    await expect(visitor.locator("#sheet-status")).to_contain_text("a cut")


@pytest.mark.parametrize(
    ("status", "body"),
    [(413, "<html>too large</html>"), (500, "<html>error</html>"), (500, "{}"), (403, "[]")],
)
async def test_an_answer_that_is_none_of_the_servers_is_told(
    window: Window, visitor: Page, status: int, body: str
) -> None:
    await visitor.route("**/analysis/do", lambda route: route.fulfill(status=status, body=body))
    await visitor.get_by_role("textbox", name="Type a move").fill("A1")
    await visitor.keyboard.press("Enter")
    await expect(visitor.locator("#sheet-line")).to_contain_text("The server didn't take that.")
    window.complaints.clear()


@pytest.mark.parametrize(
    ("status", "body"), [(200, "<html>hotel</html>"), (502, "<html>proxy</html>"), (429, '{"line":"Too fast."}')]
)
async def test_what_a_later_attempt_may_bring_is_tried_again(
    window: Window, visitor: Page, status: int, body: str
) -> None:
    await visitor.route("**/analysis/do", lambda route: route.fulfill(status=status, body=body), times=2)
    await lay(visitor, "A1")
    window.complaints.clear()


async def test_two_tabs_of_a_visitor_have_two_boards(room: Room, visitor: Page) -> None:
    await lay(visitor, "A1")
    other = await visitor.context.new_page()
    await open_board(room, other)
    await lay(other, "B2", "C3")
    await visitor.reload()
    await expect(visitor.locator("#sheet nav .move")).to_have_count(2)
    await other.close()


async def test_what_another_window_has_done_is_not_undone(room: Room, ola: Page) -> None:
    await lay(ola, "A1")
    address = ola.url
    other = await ola.context.new_page()
    await other.goto(address)
    await expect(other.locator("#sheet nav .move")).to_have_count(2)
    await lay(other, "B2")
    await ola.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(ola.locator("#sheet nav .move")).to_have_count(3)
    await expect(button(ola, "Undo")).to_be_disabled()
    await other.close()


async def test_the_board_that_is_deleted_makes_way_for_another(ola: Page) -> None:
    await lay(ola, "A1")
    await show_more(ola)
    await button(ola, "My boards").click()
    dialog = ola.get_by_role("dialog")
    await dialog.get_by_role("button", name="Delete: Board").click()
    await dialog.get_by_role("button", name="Delete for good?").click()
    await expect(dialog.get_by_text("No boards yet.")).to_be_visible()
    await dialog.get_by_role("button", name="Close").click()
    await expect(ola.locator("#sheet nav .move")).to_have_count(1)
    await lay(ola, "B2")
