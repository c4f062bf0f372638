"""Pages of the site in a real browser: none does what its policy forbids, and none asks another site for anything."""

from __future__ import annotations

from playwright.async_api import expect

from loopback import Channel, Discord
from tests.bot.room import Room
from tests.browser.web_board import open_board
from tests.browser.window import Window

POLICY = "Content Security Policy"
"""Words of what Chromium writes to its console about a page that does what its policy forbids."""


async def test_the_way_in_and_the_board_keep_to_the_policy(
    room: Room, discord: Discord, thread: Channel, window: Window, asked: set[str]
) -> None:
    site = discord.address.rstrip("/")
    await window.page.goto(f"{site}/enter")
    await expect(window.page.locator("main")).to_contain_text("Discord")
    board = await open_board(room, thread, window)
    await board.tap("E5")
    await expect(board.ghosts).to_have_count(1)
    await board.play()
    await room.maksim.command(thread, "move", point="D4").answered()
    await expect(board.stones).to_have_count(2)
    assert window.complaints == []
    assert asked == {site}


async def test_a_page_that_does_what_its_policy_forbids_is_noticed(
    discord: Discord, room: Room, window: Window
) -> None:
    await window.page.goto(f"{discord.address}enter")
    for forbidden in (
        "document.body.setAttribute('style', 'color: red')",
        "document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = true' }))",
        "document.body.append(Object.assign(new Image(), { src: 'https://evil.example/x.png' }))",
        "fetch('https://evil.example/').catch(() => null)",
    ):
        async with window.page.expect_console_message(lambda message: POLICY in message.text):
            await window.page.evaluate(f"() => {{ {forbidden}; }}")
    assert await window.page.evaluate("() => window.ran") is None
    await window.page.goto("about:blank")
    window.complaints.clear()
