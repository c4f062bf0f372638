"""Threads on the chat page: what a person meets in one that is archived."""

from __future__ import annotations

from playwright.async_api import expect

from loopback import Discord
from tests.browser.window import Window


async def test_an_archived_thread_says_so_and_is_opened_by_a_member(discord: Discord, window: Window) -> None:
    ola = discord.people["Ola"]
    thread = ola.open_thread(discord.channels["dots"], "A game")
    ola.say(thread, "hello")
    await window.open(discord)
    await window.page.locator(f"[data-channel='{thread.id}']").click()
    await expect(window.messages).to_contain_text("hello")
    bar = window.page.locator(".thread-bar")
    await expect(bar).to_be_hidden()
    discord.archive(thread)
    await expect(bar).to_contain_text("This thread is archived.")
    await bar.get_by_role("button", name="Open thread").click()
    await expect(bar).to_be_hidden()
    assert not discord.channel(thread).archived
