"""The page behind a link, in a browser: it leads to the board, or says why not."""

from __future__ import annotations

from typing import Any

import yarl
from playwright.async_api import Route, expect
from pydantic import SecretStr

from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.site.conftest import running_site
from tests.browser.window import Window
from tests.clock import StoppedClock
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


@on_a_phone
async def test_a_board_that_opens_by_a_link_says_whose_it_is(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9")
    await window.page.goto(await link_for(room, room.ola, room.boards(thread)[-1]))
    await expect(window.page.locator("#ghost")).to_have_text("Signed in as Ola")
    await window.page.reload()
    await expect(window.page.locator("#field svg")).to_be_visible()
    await expect(window.page.locator("#ghost")).to_have_text("")
    await expect(window.page.locator("#who")).to_have_text("Signed in as Ola")


async def test_a_wide_board_says_once_whose_it_is(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9")
    await window.page.goto(await link_for(room, room.ola, room.boards(thread)[-1]))
    await expect(window.page.locator("#live")).to_contain_text("Signed in as Ola")
    said = window.page.locator("main").get_by_text("Signed in as Ola")
    await expect(said.filter(visible=True)).to_have_count(1)


@on_a_phone
async def test_a_browser_that_keeps_no_cookies_is_told_so_with_ways_on(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9")
    await window.page.route("**/enter", drop_cookies)
    await window.page.goto(await link_for(room, room.ola, room.boards(thread)[-1]))
    await expect(window.page.locator("#line")).to_contain_text("Your browser keeps no cookies from this site")
    await expect(window.page.locator("#ways a")).to_have_text(["Open Discord", "What is Kropka?"])
    window.complaints.clear()  # the console tells of the 401


async def drop_cookies(route: Route) -> None:
    """Answers as a site does whose cookies a browser blocks."""
    answer = await route.fetch()
    await route.request.frame.page.context.clear_cookies()  # what was fetched has set them
    await route.fulfill(body=await answer.body(), status=answer.status, content_type=answer.headers["content-type"])


@on_a_phone
async def test_a_friend_signs_in_by_the_button_and_lands_on_the_board(
    discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any], window: Window
) -> None:
    secret = SecretStr(discord.client_secret)
    async with running_site(discord, url, clock, run_options, client_secret=secret) as room:
        thread = await room.start_match(size="9x9")
        await window.open(discord, room.kasia, thread)  # Discord's question is for those who are at the chat
        await window.page.goto(str(yarl.URL(discord.address).origin() / "board/1"))
        await window.page.get_by_role("link", name="Sign in with Discord").click()
        await window.page.get_by_role("link", name="Kasia").click()
        await window.page.wait_for_url("**/board/1?as=*")
        await expect(window.page.locator("#ghost")).to_have_text("Signed in as Kasia Wiśniewska")
        window.complaints.clear()  # the console tells of the 401
