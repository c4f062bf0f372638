"""The page while its server or the bot is away, and after they are back."""

from __future__ import annotations

from pathlib import Path

import yarl
from playwright.async_api import expect

from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.window import Window
from tests.clock import SECOND


async def test_a_page_that_lost_its_server_comes_back_and_misses_nothing(tmp_path: Path, window: Window) -> None:
    state, said = tmp_path / "state.db", window.messages.locator(".content")
    async with Discord(state=state) as discord:
        port = yarl.URL(discord.address).port or 0
        discord.people["Максим"].say(discord.channels["dots"], "one")
        await window.open(discord)
        await expect(said).to_have_text(["one"])
    lost = window.page.get_by_text("The server of the try-out is away. Reconnecting…")
    await expect(lost).to_be_visible()
    await window.write("too early")
    await window.keys("Enter")
    await expect(window.page.get_by_text("Not connected: the try-out is away")).to_be_visible()
    await expect(window.entry).to_have_value("too early")
    async with Discord(state=state, port=port) as discord:
        dots, maksim = discord.channels["dots"], discord.people["Максим"]
        maksim.say(dots, "two")
        await expect(lost).to_be_hidden()
        await expect(said).to_have_text(["one", "two"])
        await window.keys("Enter")
        await expect(said).to_have_text(["one", "two", "too early"])
        maksim.say(dots, "three")
        await expect(said).to_have_text(["one", "two", "too early", "three"])
        await window.page.close()
    assert [each for each in window.complaints if "net::ERR_CONNECTION_REFUSED" not in each] == []
    window.complaints.clear()


@on_a_phone
async def test_a_button_works_again_when_the_bot_is_back(room: Room, window: Window) -> None:
    await window.open(room.discord, channel=await room.start_match())
    await expect(window.button("More")).to_be_visible()
    await room.stop()
    away = window.page.get_by_text("Kropka is offline: commands and buttons fail until it is back.")
    await expect(away).to_be_visible()
    await window.press(window.button("More"))
    await expect(window.messages.get_by_label("waiting for the bot")).to_be_visible()
    await room.discord.until(room.discord.interactions.expire)  # the press has come there
    room.clock.advance(3 * SECOND)
    room.discord.tick()
    await expect(window.messages.get_by_role("alert")).to_have_text("This interaction failed")
    await room.start()
    await expect(away).to_be_hidden()
    await window.press(window.button("More"))
    await expect(window.panel.get_by_role("button", name="Resign")).to_be_visible()
