"""The web board in browsers that lack what newer ones have: docs/faq.md names the oldest."""

from __future__ import annotations

import re

import pytest_asyncio
from playwright.async_api import expect

from loopback import Channel
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.web_board import SIDE, WebBoard, open_board
from tests.browser.web_sheet import WebSheet
from tests.browser.window import Window

SAFARI_16 = """(() => {
  for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover']) delete HTMLElement.prototype[name];
  delete Element.prototype.checkVisibility;
  const { matches } = Element.prototype;
  Element.prototype.matches = function (selector) {
    if (selector.includes(':popover-open')) throw new DOMException(selector, 'SyntaxError');
    return matches.call(this, selector);
  };
  const { supports } = CSS;
  CSS.supports = (...asked) => !asked.join().includes(':popover-open') && supports.apply(CSS, asked);
})();"""
"""Takes from a page what Safari has had since version 17."""


@pytest_asyncio.fixture(loop_scope="session")
async def older(window: Window) -> Window:
    """A browser like Safari 16.4."""
    await window.page.add_init_script(SAFARI_16)
    return window


async def test_without_popovers_the_board_goes_on_to_the_next_game(room: Room, older: Window) -> None:
    await room.change_settings(room.ola, opens_next=True)
    first, _ = [await room.start_match(size="9x9", start="empty", clock="3d") for _ in range(2)]
    board = await open_board(room, first, older, room.ola)
    await board.tap("E5")
    await board.button("Play").click()
    await expect(board.page).to_have_url(re.compile("/board/2"))


async def test_a_closed_sheet_gives_the_focus_back(room: Room, thread: Channel, older: Window) -> None:
    board = await open_board(room, thread, older)
    sheet = await WebSheet.try_out(board.page, SIDE, narrow=board.narrow)
    await sheet.page.locator("#sheet-back").click()
    await expect(board.button("Analysis")).to_be_focused()


@on_a_phone
async def test_a_tap_beside_the_menu_closes_it_where_the_browser_does_not(board: WebBoard) -> None:
    menu = board.page.locator("#more")
    await menu.evaluate("each => { each.popover = 'manual'; }")
    await board.button("More").click()
    await expect(menu).to_be_visible()
    await board.tap("A9")
    await expect(menu).to_be_hidden()
