"""The page behind a link, in a browser: it leads to the board, or says why not."""

from __future__ import annotations

from playwright.async_api import expect

from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.window import Window
from tests.web.visit import link_for


@on_a_phone
async def test_a_new_link_in_the_tab_of_an_old_one_leads_to_the_board(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9")
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    await window.page.goto(f"{link[:-4]}AAAA")
    await expect(window.page.locator("#line")).to_contain_text("This link isn't valid.")
    assert "403" in window.complaints.pop(0)
    window.complaints.clear()  # the console says it, too
    await window.page.goto(link)  # only what is behind the # differs
    await window.page.wait_for_url("**/board/1?as=*")


@on_a_phone
async def test_a_link_that_this_browser_has_used_leads_to_the_board_again(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9")
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    for _ in range(2):
        await window.page.goto(link)
        await window.page.wait_for_url("**/board/1?as=*")
        await window.page.goto("about:blank")
