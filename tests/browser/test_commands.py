"""The list of commands: its order, and its words in the language of a client."""

from __future__ import annotations

from playwright.async_api import expect

from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.window import Window


async def test_the_commands_begin_with_what_a_newcomer_needs(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/")
    for place, name in enumerate(("/help", "/challenge", "/learn")):
        await expect(window.suggestions.nth(place).locator(".option-title")).to_have_text(name)


@in_both_sizes
async def test_a_client_has_a_language_of_its_own(room: Room, window: Window) -> None:
    await window.open(room.discord, seat=room.maksim)
    await window.speak("русский")
    await window.write("/вызо")
    await expect(window.suggestions.first).to_contain_text("/вызов")
    await window.keys("Enter")
    await window.type("соперник:Ola")
    await expect(window.option("соперник")).to_have_value("Ola")
    await window.choose("Ola")
    await window.keys("Enter")
    card = window.messages.filter(has_text="Ola").first
    await expect(card).to_be_visible()
    assert room.maksim.user.locale == "ru"
    await window.take_seat("Ola")
    await window.write("/chall")
    await expect(window.suggestions.first).to_contain_text("/challenge")
