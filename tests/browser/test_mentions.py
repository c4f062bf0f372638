"""Mentions: the user mentioned, the author, and the end of a mention."""

from __future__ import annotations

from playwright.async_api import expect

from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.window import Window


async def test_the_strip_of_mentions_goes_when_the_turn_is_played_elsewhere(room: Room, window: Window) -> None:
    thread = await room.start_match()
    await window.open(room.discord, seat=room.kasia)
    await expect(window.strip).to_contain_text("Ola is mentioned in")
    await room.play(thread, "C3")
    await expect(window.strip).to_contain_text("Максим is mentioned in")
    await room.play(thread, "C4")
    await expect(window.strip).to_have_count(0)
    await window.page.reload()
    await expect(window.messages.first).to_be_visible()
    await expect(window.strip).to_have_count(0)
    await expect(window.badge("Максим")).to_have_count(0)


async def test_a_mention_is_over_when_it_is_answered_on_another_device(discord: Discord, window: Window) -> None:
    _, maksim, kasia = discord.people.values()
    general = discord.channels["general"]
    await window.open(discord)
    kasia.say(general, f"{maksim.mention}, where are you?")
    await expect(window.strip).to_contain_text("Максим is mentioned in #general")
    await expect(window.badge("Максим")).to_have_text("1 mention")
    maksim.say(general, "here")
    await expect(window.strip).to_have_count(0)
    await expect(window.badge("Максим")).to_have_count(0)
    kasia.say(general, f"And you, {maksim.mention}?")
    await expect(window.strip).to_contain_text("Максим is mentioned in #general")


@on_a_phone
async def test_a_board_is_answered_by_a_reply_without_a_mouse(room: Room, window: Window) -> None:
    thread = await room.start_match()
    await window.open(room.discord, channel=thread)
    await window.press(window.messages.last.get_by_role("button", name="Reply to Kropka"))
    await expect(window.page.get_by_text("Replying to Kropka")).to_be_visible()
    await window.type("c3")
    await window.keys("Enter")
    assert "C3" in (await room.wait_for_board(thread, 1)).text
