"""Messages that users write to each other."""

from __future__ import annotations

from playwright.async_api import expect

from bot.interactions.permissions import BOARD_PERMISSIONS, THREAD_PERMISSIONS
from bot.markup import spoken
from loopback import Discord
from tests.browser.conftest import on_a_phone
from tests.browser.window import Window


async def test_what_is_said_is_text_and_never_markup(discord: Discord, window: Window) -> None:
    discord.people["Ola"].say(discord.channels["dots"], "hello **all** <b>dots</b> <img src=x onerror=alert(1)>")
    await window.open(discord)
    await expect(window.messages).to_contain_text("hello all <b>dots</b> <img src=x onerror=alert(1)>")
    await expect(window.messages.locator(".content strong")).to_have_text("all")
    await expect(window.messages.get_by_role("img")).to_have_count(0)


@on_a_phone
async def test_a_person_is_called_by_the_beginning_of_the_name(discord: Discord, window: Window) -> None:
    await window.open(discord)
    await window.write("Cześć, @макс")
    await expect(window.suggestions).to_contain_text(["Максим"])
    await window.keys("Enter")
    await window.type("dobry wieczór")
    await window.keys("Enter")
    await expect(window.messages).to_contain_text("Cześć, @Максим dobry wieczór")
    await window.follow_call("Максим")
    await expect(window.messages.locator(".mention.mine")).to_have_text("@Максим")


async def test_the_dialog_about_discord_names_every_permission(discord: Discord, window: Window) -> None:
    await window.open(discord)
    await window.press(window.page.get_by_role("button", name="How to connect Discord"))
    words = spoken().of()
    names = [words(f"permission.{each}") for each in (*BOARD_PERMISSIONS, *THREAD_PERMISSIONS)]
    for name in (*names, "Manage Roles"):
        await expect(window.dialog).to_contain_text(name)


async def test_the_key_is_not_left_in_the_address(discord: Discord, window: Window) -> None:
    await window.open(discord)
    await expect(window.page.get_by_text("This is a stand-in for Discord")).to_be_visible()
    assert "key" not in window.page.url
