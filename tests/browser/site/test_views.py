"""A board that is larger than a phone: its edges, the names of its lines, and what has changed out of view."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from playwright.async_api import expect

from loopback import Channel
from rules.game import parse_point
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.site.test_turns import drag
from tests.browser.web_board import WebBoard, open_board
from tests.browser.window import Window

FAR = 300
"""Pixels that a finger drags the board at once."""

SEEN = """() => {
  const box = (part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return [left, right, top, bottom];
  };
  const all = (query) => [...document.querySelectorAll(query)].filter((each) => each.getClientRects().length);
  return {
    field: box(document.querySelector('#field')),
    ghost: all('#field .ghost > *').map(box),
    names: all('#field .label').map(box),
    covers: all('#field .moved > .rail, button').map(box),
  };
}"""
"""Returns the edges of parts of the page in pixels: left, right, top and bottom."""


def overlap(one: list[float], other: list[float]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def is_in(one: list[float], other: list[float]) -> bool:
    return one[0] >= other[0] and one[1] <= other[1] and one[2] >= other[2] and one[3] <= other[3]


async def expect_seen(board: WebBoard, name: str) -> None:
    """Expects that the ghost is on a crossing and all of it is seen, and that names cover neither it nor each other."""
    point = parse_point(name)
    for line in (f"column{point.x}", f"row{point.y}"):
        await expect(board.page.locator(f"#field .now[data-line={line}]")).to_be_visible()
    seen: dict[str, Any] = await board.page.evaluate(SEEN)
    (ghost,) = seen["ghost"]
    x, y = await board.place(name)
    assert abs(x - (ghost[0] + ghost[1]) / 2) < 1
    assert abs(y - (ghost[2] + ghost[3]) / 2) < 1
    assert is_in(ghost, seen["field"])
    assert not [each for each in (*seen["covers"], *seen["names"]) if overlap(ghost, each)]
    assert not [pair for pair in combinations(seen["names"], 2) if overlap(*pair)]


@on_a_phone
@pytest.mark.parametrize(
    ("size", "side", "right", "top"), [("20x20", 20, "T", 20), ("39x32", 39, "AM", 32)], ids=["20x20", "39x32"]
)
async def test_each_edge_is_seen_and_hit(
    room: Room, window: Window, size: str, side: int, right: str, top: int
) -> None:
    thread = await room.start_match(size=size, start="empty")
    await room.play(thread, "N12", "N13")
    board = await open_board(room, thread, window, side=side)
    for name in ("A1", f"A{top}", f"{right}1", f"{right}{top}", "A9", f"{right}9", "J1", f"J{top}"):
        await board.tap(name)
        await expect_seen(board, name)
        await board.button("Remove").tap()
        await board.button("Whole board").tap()
    await board.tap("J9")
    for name, ways in (
        ("A1", (FAR, -FAR)),
        (f"A{top}", (0, FAR)),
        (f"{right}{top}", (-FAR, 0)),
        (f"{right}1", (0, -FAR)),
    ):
        for _ in range(8):
            await drag(
                board.page,
                [(195 - ways[0] / 2, 350 - ways[1] / 2), (195 + ways[0] / 2, 350 + ways[1] / 2)],
                narrow=True,
            )
        await board.tap(name)
        await expect_seen(board, name)


@on_a_phone
async def test_a_crossing_half_under_the_names_comes_out_when_it_is_tapped(room: Room, window: Window) -> None:
    thread = await room.start_match(size="20x20", start="empty")
    await room.play(thread, "N12", "N13")
    board = await open_board(room, thread, window, side=20)
    await board.tap("J9")
    await expect_seen(board, "J9")
    x, y = await board.place("J9")
    await drag(board.page, [(x, y), (36, y)], narrow=True)
    await board.tap("J12")
    await expect_seen(board, "J12")


async def at_a_corner(room: Room, window: Window) -> tuple[Channel, WebBoard]:
    """Opens a board on which Ola has played A1, and looks at that corner."""
    thread = await room.start_match(size="20x20", start="empty")
    await room.play(thread, "N12", "N13")
    board = await open_board(room, thread, window, side=20)
    await board.tap("A1")
    await expect(board.ghosts).to_have_count(1)
    return thread, board


async def is_seen(board: WebBoard, name: str) -> bool:
    x, y = await board.place(name)
    left, right, top, bottom = (await board.page.evaluate(SEEN))["field"]
    return bool(left < x < right and top < y < bottom)


@on_a_phone
async def test_a_move_out_of_view_is_shown_and_told(room: Room, window: Window) -> None:
    thread, board = await at_a_corner(room, window)
    await board.play()
    await expect(board.page.locator("#last")).to_have_text("Ola played A1.")
    assert not await is_seen(board, "T20")
    await room.maksim.command(thread, "move", point="T20").answered()
    await expect(board.page.locator("#last")).to_have_text("Максим played T20.")
    assert await is_seen(board, "T20")
    await expect(board.status).to_have_text("It's your turn.")


@on_a_phone
async def test_the_view_stays_where_a_turn_is_entered(room: Room, window: Window) -> None:
    thread, board = await at_a_corner(room, window)
    before = await board.place("A1")
    await room.ola.command(thread, "move", point="T20").answered()
    await expect(board.page.locator("#last")).to_have_text("Ola played T20.")
    assert await board.place("A1") == before


@on_a_phone
async def test_an_arrow_points_to_a_move_that_came_under_a_finger(room: Room, window: Window) -> None:
    thread, board = await at_a_corner(room, window)
    await board.play()
    touch = await board.page.context.new_cdp_session(board.page)
    await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 200, "y": 300}]})
    before = await board.place("A1")
    await room.maksim.command(thread, "move", point="T20").answered()
    last = board.button("Максим played T20.")
    await expect(last).to_have_attribute("data-arrow", "↗ ")
    assert await board.place("A1") == before
    await touch.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    await last.tap()
    assert await is_seen(board, "T20")
    await expect(last).to_be_disabled()


@on_a_phone
async def test_the_board_has_most_of_a_phone(room: Room, window: Window) -> None:
    thread = await room.start_match(size="20x20", start="empty")
    board = await open_board(room, thread, window, side=20)
    box = await board.page.locator("#field").bounding_box()
    assert box is not None
    assert box["height"] >= 0.68 * 844


@on_a_phone
async def test_the_first_and_the_last_line_of_a_small_board_have_most_of_a_phones_width(
    room: Room, window: Window
) -> None:
    board = await open_board(room, await room.start_match(size="9x9", start="empty"), window)
    (left, _), (right, _) = await board.place("A1"), await board.place("I1")
    assert right - left >= 0.82 * 390


SCROLL = """([x, y, deltaX, deltaY, more]) => {
  const options = { clientX: x, clientY: y, deltaX, deltaY, cancelable: true, bubbles: true, ...more };
  const scroll = new WheelEvent('wheel', options);
  document.querySelector('#field').dispatchEvent(scroll);
}"""
"""Scrolls with two fingers on a trackpad, as Chromium tells it."""


async def scroll(board: WebBoard, across: float, down: float, **more: Any) -> None:
    legacy = {"wheelDeltaX": -3 * across, "wheelDeltaY": -3 * down}
    await board.page.evaluate(SCROLL, [400, 400, across, down, {**legacy, **more}])


async def cell(board: WebBoard) -> float:
    """Returns the pixels of a cell."""
    (left, _), (right, _) = await board.place("J9"), await board.place("K9")
    return right - left


async def test_two_fingers_on_a_trackpad_pan_and_a_pinch_zooms(room: Room, window: Window) -> None:
    board = await open_board(room, await room.start_match(size="20x20", start="empty"), window, side=20)
    whole = await cell(board)
    for _ in range(6):
        await scroll(board, 0, -5, ctrlKey=True)
    zoomed = await cell(board)
    assert 1.8 * whole < zoomed < 2.5 * whole
    x, y = await board.place("J9")
    await scroll(board, 40, 30)
    assert await cell(board) == pytest.approx(zoomed)
    assert await board.place("J9") == pytest.approx((x - 40, y - 30), abs=1)


async def test_a_wheel_zooms_also_where_the_board_is_larger_than_its_part(room: Room, window: Window) -> None:
    board = await open_board(room, await room.start_match(size="20x20", start="empty"), window, side=20)
    sizes = [await cell(board)]
    await board.page.mouse.move(400, 400)
    for _ in range(2):
        await board.page.mouse.wheel(0, -100)
        await board.page.evaluate("new Promise(requestAnimationFrame)")
        sizes.append(await cell(board))
    assert sizes[0] < sizes[1] < sizes[2]
