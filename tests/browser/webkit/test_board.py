"""The board in WebKit: it is dragged by a mouse, which selects no text and drags nothing away."""

from __future__ import annotations

import pytest_asyncio

from tests.bot.room import Room
from tests.browser.webkit.driver import WebKit
from tests.web.visit import link_for

SEEN = "return document.querySelector('#field svg').getAttribute('viewBox')"

ZOOM = """const field = document.getElementById('field').getBoundingClientRect();
const [clientX, clientY] = [field.x + field.width / 2, field.y + field.height / 2];
for (let turn = 0; turn < 6; turn += 1) {
  const wheel = new WheelEvent('wheel', { deltaY: -300, deltaMode: 1, clientX, clientY, cancelable: true });
  document.getElementById('field').dispatchEvent(wheel);
}
return [clientX, clientY];"""
"""Zooms in by a wheel, and returns the middle of the board."""


@pytest_asyncio.fixture(loop_scope="session")
async def middle(window: WebKit, room: Room) -> tuple[float, float]:
    """The middle of a large board of Ola, of which a part is seen."""
    thread = await room.start_match(size="39x32")
    await window.open(await link_for(room, room.ola, room.boards(thread)[-1]))
    await window.wait_for("document.querySelector('#field svg .grid line')")
    x, y = await window.run(ZOOM)
    return x, y


async def test_a_drag_over_names_of_lines_selects_none(window: WebKit, middle: tuple[float, float]) -> None:
    x, y = middle
    await window.drag((x, y), (x - 200, y - 350), (x + 600, y + 200))
    assert await window.run("return `${getSelection()}`") == ""


async def test_the_board_stays_where_each_drag_has_left_it(window: WebKit, middle: tuple[float, float]) -> None:
    x, y = middle
    for _ in range(3):
        before = await window.run(SEEN)
        await window.drag((x, y), (x - 200, y - 350), (x + 600, y + 200))
        await window.drag((x, y), (x - 60, y - 60))
        after = await window.run(SEEN)
        assert after != before
        await window.move(x + 50, y + 50)
        assert await window.run(SEEN) == after


LOSE_THE_END = """for (const name of ['pointerup', 'lostpointercapture']) {
  addEventListener(name, (event) => event.stopImmediatePropagation(), { capture: true, once: true });
}"""
"""Keeps the end of the next drag from the page, as a drag and drop of the browser does."""


async def test_a_drag_whose_end_is_lost_ends_without_the_button(window: WebKit, middle: tuple[float, float]) -> None:
    x, y = middle
    await window.run(LOSE_THE_END)
    await window.drag((x, y), (x - 60, y - 60))
    before = await window.run(SEEN)
    await window.move(x + 50, y + 50)
    assert await window.run(SEEN) == before


async def test_the_board_is_not_dragged_away(window: WebKit, middle: tuple[float, float]) -> None:
    begin = "new Event('dragstart', { bubbles: true, cancelable: true })"
    assert await window.run(f"return document.querySelector('#field svg').dispatchEvent({begin})") is False
