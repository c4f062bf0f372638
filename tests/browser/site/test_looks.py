"""The look of the web board: rules of accessibility, sizes that a finger hits, and what covers what."""

from __future__ import annotations

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import FloatRect, Locator, ViewportSize, expect

from bot.markup import spoken
from loopback import Channel
from play.ids import IdempotencyKey, MatchId, UserId
from renderer.theme import THEMES
from tests.bot.room import Room, private_message
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.web_board import SIDE, WebBoard, open_board
from tests.browser.web_sheet import WebSheet
from tests.browser.window import SMALL_FIELDS, Window
from tests.web.test_game_pages import publish_notes
from tests.web.visit import link_for

FINGER = 44
"""Pixels that each control has at least, in both directions."""

UPRIGHT = {"top": 47, "left": 0, "right": 0, "bottom": 34}
ON_ITS_SIDE = {"top": 0, "left": 47, "right": 47, "bottom": 21}
"""Pixels at the edges of a phone that its notch and its home indicator take."""

WINDOWS = (
    *((1280, 900), (844, 390), (736, 414), (640, 360), (568, 320), (480, 270), (400, 225), (360, 300), (320, 256)),
    *((320, 200), (390, 844), (360, 640), (320, 480), (300, 330)),
)
"""Sizes of windows: computers, phones, frames of the Activity, and pages at 200 and 400 %."""

MAX_BYTES = 150_000
"""Bytes of all files of the page."""

LANGUAGES = tuple(spoken().names)

IS_WHOLE = """each => {
  const text = document.createRange();
  text.selectNodeContents(each);
  const [words, box] = [text.getBoundingClientRect(), each.getBoundingClientRect()];
  return words.left >= box.left && words.right <= box.right && words.top >= box.top && words.bottom <= box.bottom;
}"""
"""Returns whether the words of a button are inside it."""

SIZES = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .map(each => [new URL(each.name).pathname, each.decodedBodySize, each.transferSize])"""
"""Returns the path and the bytes of each file that the page has loaded: unpacked, and as sent."""


@pytest_asyncio.fixture(loop_scope="session")
async def thread(room: Room) -> Channel:
    """The thread of a game with a captured dot and an open offer, in which Ola is to move."""
    thread = await room.start_match(size=f"{SIDE}x{SIDE}", start="empty")
    await room.play(thread, "E6", "E5", "D5", "A9", "F5", "B9", "E4", "C9")
    await room.maksim.command(thread, "draw").answered()
    await room.wait_for_outbox()
    return thread


async def open_with_offer(room: Room, thread: Channel, window: Window) -> WebBoard:
    message = next(each for each in reversed(room.discord.messages(thread)) if "Browser" in each.labels)
    board = await WebBoard.open(window.page, await link_for(room, room.ola, message), SIDE, narrow=window.narrow)
    await expect(board.page.get_by_role("button", name="Accept draw")).to_be_visible()
    return board


@pytest_asyncio.fixture(loop_scope="session")
async def board(room: Room, thread: Channel, window: Window) -> WebBoard:
    """Ola's board."""
    return await open_with_offer(room, thread, window)


async def expect_rules_kept(board: WebBoard) -> None:
    """Expects that axe-core finds nothing wrong with the page as it is."""
    found = await Axe().run(board.page)
    assert found.violations_count == 0, found.generate_report()


async def box_of(part: Locator) -> FloatRect:
    box = await part.bounding_box()
    assert box is not None
    return box


def overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


@pytest.mark.parametrize(
    ("window", "theme"), [("computer", "paper"), *(("phone", theme) for theme in THEMES)], indirect=["window"]
)
async def test_the_page_keeps_the_rules_of_accessibility(
    room: Room, thread: Channel, window: Window, theme: str
) -> None:
    await room.change_settings(room.ola, theme=theme)
    board = await open_with_offer(room, thread, window)
    await board.tap("G7")
    await expect(board.button("Play")).to_be_enabled()
    await expect_rules_kept(board)
    if board.narrow:
        await board.button("More").click()
        await expect_rules_kept(board)
    await board.button("Resign").click()
    await expect(board.page.get_by_role("dialog")).to_be_visible()
    await expect_rules_kept(board)


@pytest.mark.parametrize("theme", ["paper", "dark"])
@on_a_phone
async def test_a_link_among_the_buttons_can_be_read(room: Room, thread: Channel, window: Window, theme: str) -> None:
    await room.change_settings(room.ola, theme=theme)
    slow = await room.start_match(size="9x9", start="empty", clock="3d")
    board = await open_board(room, slow, window, room.ola)
    await board.tap("E5")
    await board.button("Play").click()
    link = board.page.get_by_role("link", name="Next game")
    await expect(link).to_be_visible()
    await expect_rules_kept(board)
    # axe-core leaves text in the colour of what is behind it undecided.
    await expect(link).to_have_css(
        "background-color", await link.evaluate("each => getComputedStyle(each).borderColor")
    )


@in_both_sizes
@pytest.mark.parametrize("theme", ["paper", "dark"])
async def test_the_sheet_keeps_the_rules_of_accessibility(
    room: Room, thread: Channel, window: Window, theme: str
) -> None:
    await room.change_settings(room.ola, theme=theme)
    await open_with_offer(room, thread, window)
    sheet = await WebSheet.try_out(window.page, SIDE, narrow=window.narrow)
    await sheet.tap("G7")
    await expect(sheet.here).to_contain_text("G7")
    await sheet.note.fill("The better answer")
    await sheet.page.clock.run_for(1500)
    await expect(sheet.page.get_by_text("Saved", exact=True)).to_be_visible()
    await expect_rules_kept(sheet)


@in_both_sizes
async def test_each_control_is_as_large_as_a_finger(board: WebBoard) -> None:
    await board.tap("G7")
    await expect(board.button("Play")).to_be_enabled()
    seen = 0
    for opened in (False, True) if board.narrow else (False,):
        if opened:
            await board.button("More").click()
        for control in await board.page.locator("button:visible, input:visible, a:visible").all():
            box = await box_of(control)
            assert min(box["width"], box["height"]) >= FINGER, await control.evaluate("each => each.outerHTML")
            seen += 1
    assert seen >= 8


@pytest.mark.parametrize(
    ("window", "size"),
    [("computer", None), ("phone", None), ("phone", ViewportSize(width=844, height=390))],
    ids=["computer", "phone", "phone on its side"],
    indirect=["window"],
)
async def test_the_bar_of_a_lost_connection_covers_no_button(
    board: WebBoard, window: Window, size: ViewportSize | None
) -> None:
    if size is not None:
        await board.page.set_viewport_size(size)
    await board.page.locator("html").evaluate("root => root.style.setProperty('--discord-safe-area-inset-top', '30px')")
    await board.page.context.set_offline(True)
    await board.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await board.page.clock.run_for(11_000)
    trouble = board.page.locator("#trouble")
    await expect(trouble).to_contain_text("The connection is lost.")
    bar = await box_of(trouble)
    assert bar["y"] >= 30
    for control in await board.page.locator("button:visible, input:visible").all():
        assert not overlap(bar, await box_of(control)), await control.inner_text()
    assert await trouble.evaluate("each => getComputedStyle(each).pointerEvents") == "none"
    window.complaints.clear()


@on_a_phone
async def test_a_phone_on_its_side_has_the_panel_beside_the_board(board: WebBoard) -> None:
    await board.page.set_viewport_size({"width": 844, "height": 390})
    await board.tap("G7")
    await expect(board.button("Play")).to_be_in_viewport(ratio=1)
    field = await box_of(board.page.locator("#field"))
    play = await box_of(board.button("Play"))
    assert field["height"] == 390
    assert play["x"] >= field["x"] + field["width"]
    for name in ("Remove", "More", "Accept draw", "Decline draw"):
        await expect(board.button(name)).to_be_in_viewport(ratio=1)


@on_a_phone
async def test_a_clock_of_days_leaves_room_for_the_name(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9", clock="30d")
    board = await open_board(room, thread, window)
    names = board.page.locator("#players .name")
    await expect(names).to_have_text(["Ola", "Максим"])
    assert await names.evaluate_all("names => names.every((each) => each.scrollWidth <= each.clientWidth)")


@pytest.mark.parametrize(("width", "height"), WINDOWS)
async def test_the_board_has_half_of_each_window_while_a_turn_is_entered(
    board: WebBoard, width: int, height: int
) -> None:
    await board.tap("G7")
    await expect(board.button("Play")).to_be_enabled()
    await board.page.set_viewport_size({"width": width, "height": height})
    field = await box_of(board.page.locator("#field"))
    assert field["width"] * field["height"] >= 0.5 * width * height
    for name in ("Play", "Remove"):
        await expect(board.button(name)).to_be_in_viewport(ratio=1)
    names = board.page.locator("#players .name")
    for each in await names.all():
        await expect(each).to_be_in_viewport(ratio=1)


async def test_a_picture_in_a_picture_shows_the_board_alone(board: WebBoard) -> None:
    await board.page.set_viewport_size({"width": 320, "height": 180})
    assert await box_of(board.page.locator("#field")) == {"x": 0, "y": 0, "width": 320, "height": 180}
    for part in ("main > header", "main > aside"):
        await expect(board.page.locator(part)).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1280, 900)])
async def test_a_question_leaves_the_board_in_sight(board: WebBoard, width: int, height: int) -> None:
    await board.page.set_viewport_size({"width": width, "height": height})
    if width < 1000:
        await board.button("More").click()
    await board.button("Resign").click()
    question = board.page.get_by_role("dialog")
    await expect(question).to_be_in_viewport(ratio=1)
    assert not overlap(await box_of(question), await box_of(board.page.locator("#field")))


CLOCKS = ("2 days, 23 hr", "9:59", "0:03")


@in_both_sizes
@pytest.mark.parametrize("pace", ["3d", "10m+30s"])
async def test_nothing_moves_when_a_clock_counts_down(room: Room, window: Window, pace: str) -> None:
    room.maksim = room.discord.invite("Станислав Александров")
    thread = await room.start_match(size="9x9", clock=pace)
    board = await open_board(room, thread, window)
    names, field = board.page.locator("#players .name"), board.page.locator("#field")
    await expect(names).to_have_text(["Ola", "Станислав Александров"])
    before = [await box_of(part) for part in (field, names.first, names.last)]
    assert before[2]["width"] >= 100
    for text in CLOCKS:
        await board.page.locator("#players time").evaluate_all(
            "(times, text) => times.forEach((time) => { time.textContent = text })", text
        )
        assert [await box_of(part) for part in (field, names.first, names.last)] == before


@in_both_sizes
async def test_a_finished_game_says_who_won_and_has_no_clocks(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    board = await open_board(room, thread, window)
    await expect(board.page.locator("#players time").first).to_have_text("3 days")
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    await expect(board.status).to_contain_text("Максим wins: Ola resigned.")
    await expect(board.status.locator(".sign svg path")).to_be_visible()
    assert await board.page.locator("#players .result").all_inner_texts() == ["", "Won"]
    assert "".join(await board.page.locator("#players time").all_inner_texts()) == ""
    await expect(board.button("Rematch")).to_be_in_viewport(ratio=1)
    await expect(board.page.locator("#help")).not_to_contain_text("Tap")
    await expect_rules_kept(board)


@in_both_sizes
async def test_after_a_game_each_button_has_room_for_its_words_in_every_language(room: Room, window: Window) -> None:
    room.maksim = room.discord.invite("Станислав Александров")
    thread = await room.start_match(size="9x9", clock="3d")
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    await publish_notes(room, 1)
    await room.wait_for_outbox()
    await room.maksim.command(thread, "rematch").answered()
    await room.wait_for_outbox()
    board = await open_board(room, thread, window)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await board.page.reload()
        await expect(board.page.locator("html")).to_have_attribute("lang", language)
        controls = board.page.locator("#offers :is(a, button)")
        await expect(controls).to_have_count(4)
        for control in await controls.all():
            await expect(control).to_be_in_viewport(ratio=1)
            assert await control.evaluate(IS_WHOLE), (language, await control.inner_text())


@on_a_phone
@pytest.mark.parametrize(
    ("size", "insets"),
    [(ViewportSize(width=390, height=844), UPRIGHT), (ViewportSize(width=844, height=390), ON_ITS_SIDE)],
    ids=["upright", "on its side"],
)
async def test_all_parts_of_the_page_keep_out_of_the_notch_and_the_home_indicator(
    board: WebBoard, size: ViewportSize, insets: dict[str, int]
) -> None:
    client = await board.page.context.new_cdp_session(board.page)
    await client.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    await board.page.set_viewport_size(size)

    async def expect_kept_out(*parts: str) -> None:
        for part in parts:
            found = await board.page.locator(part).all()
            assert found, part
            for each in found:
                box = await box_of(each)
                assert box["x"] >= insets["left"], part
                assert box["y"] >= insets["top"], part
                assert box["x"] + box["width"] <= size["width"] - insets["right"], part
                assert box["y"] + box["height"] <= size["height"] - insets["bottom"], part

    await board.tap("G7")
    await expect(board.button("Play")).to_be_enabled()
    await expect_kept_out("#field", "#top", "#players li", "main > aside", "#turn button:visible")
    await board.button("More").tap()
    await expect_kept_out("#more")
    await board.button("Resign").tap()
    await expect(board.page.get_by_role("dialog")).to_be_visible()
    await board.page.locator("#question").evaluate("each => each.prepend('a long question\\n'.repeat(99))")
    await expect_kept_out("#question")
    await board.page.keyboard.press("Escape")
    await board.button("More").tap()
    await board.button("Analysis").tap()
    await expect(board.page.locator("#sheet-status")).to_be_visible()
    await expect_kept_out("#sheet > header", "#sheet-field", "#sheet aside")


@on_a_phone
async def test_the_board_stays_where_it_is_while_a_turn_is_entered(board: WebBoard) -> None:
    before = await board.place("G7")
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    assert await board.place("G7") == before
    await board.button("Remove").click()
    await expect(board.ghosts).to_have_count(0)
    assert await board.place("G7") == before


@on_a_phone
async def test_names_of_lines_are_at_the_edges_of_what_is_seen(room: Room, window: Window) -> None:
    thread = await room.start_match(size="39x32")
    board = await open_board(room, thread, window, side=39)
    await board.tap("T16")
    await expect(board.ghosts).to_have_count(1)
    field = await box_of(board.page.locator("#field"))
    below = await box_of(board.page.locator("#field .now[data-line=column19]"))
    left = await box_of(board.page.locator("#field .now[data-line=row15]"))
    assert 0 <= field["y"] + field["height"] - below["y"] - below["height"] < 20
    assert 0 <= left["x"] - field["x"] < 20


@pytest.mark.parametrize(("theme", "scheme"), [("paper", "light"), ("dark", "dark"), ("high-contrast", "dark")])
async def test_the_page_has_the_colours_of_the_theme(
    room: Room, thread: Channel, window: Window, theme: str, scheme: str
) -> None:
    await room.change_settings(room.ola, theme=theme)
    board = await open_with_offer(room, thread, window)
    root = board.page.locator("html")
    assert await root.evaluate("each => getComputedStyle(each).colorScheme") == scheme
    for part, colour, named in (
        ("#play", "color", THEMES[theme].paper),
        ("#play", "backgroundColor", THEMES[theme].text),
        ("html", "backgroundColor", THEMES[theme].paper),
    ):
        script = f"each => getComputedStyle(each).{colour}"
        assert await board.page.locator(part).evaluate(script) == f"rgb({', '.join(map(str, named))})"


@on_a_phone
async def test_the_page_is_light(room: Room, thread: Channel, window: Window) -> None:
    message = next(each for each in reversed(room.discord.messages(thread)) if "Browser" in each.labels)
    await window.page.goto(await link_for(room, room.ola, message))
    await expect(window.page.get_by_role("button", name="Accept draw")).to_be_visible()
    sizes = await window.page.evaluate(SIZES)
    assert {path for path, _, _ in sizes} >= {"/static/board/page.js", "/static/board/board.css", "/words.json"}
    assert 0 < sum(unpacked for _, unpacked, _ in sizes) < MAX_BYTES
    assert 0 < sum(sent for _, _, sent in sizes) < MAX_BYTES


@on_a_phone
async def test_no_field_has_text_so_small_that_an_iphone_zooms_in(board: WebBoard) -> None:
    for width, height in WINDOWS:
        await board.page.set_viewport_size({"width": width, "height": height})
        assert await board.page.evaluate(SMALL_FIELDS) == [], (width, height)
