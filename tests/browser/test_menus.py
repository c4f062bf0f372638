"""Menus of people, roles and channels."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from loopback import Discord, Message, components
from loopback.events import Event, InteractionBegun
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.window import Window

CHOICES = {
    components.USER_SELECT: ("Kasia Wiśniewska", {"users", "members"}),
    components.ROLE_SELECT: ("@Champion", {"roles"}),
    components.MENTIONABLE_SELECT: ("@Podium", {"roles"}),
    components.CHANNEL_SELECT: ("#general", {"channels"}),
}
"""By type of menu: what is chosen, and what the interaction resolves."""


@pytest.mark.parametrize("kind", CHOICES)
async def test_a_menu_offers_what_its_kind_says(discord: Discord, window: Window, kind: int) -> None:
    chosen: list[Any] = []

    def note(event: Event) -> None:
        if isinstance(event, InteractionBegun):
            chosen.append(event.interaction.data)

    discord.listen(note)
    menu = {"type": kind, "custom_id": "menu", "placeholder": "Choose"}
    parts = components.validate([{"type": components.ROW, "components": [menu]}], v2=False)
    discord.world.post(
        Message(discord.world.ids.next(), discord.channels["dots"].id, discord.bot.id, "menu", components=parts)
    )
    label, resolved = CHOICES[kind]
    await window.open(discord)
    await window.press(window.page.get_by_role("combobox", name="Choose"))
    await window.press(window.page.get_by_role("option", name=label))
    (data,) = await discord.until(lambda: chosen)
    assert set(data["resolved"]) == resolved
    assert data["values"] == [*data["resolved"][min(resolved, key=lambda each: each == "members")]]


@on_a_phone
async def test_a_servers_roles_and_channels_are_set_and_shown(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/settings server")
    await window.keys("Enter", "Enter")
    roles = window.panel.get_by_role("combobox", name="Roles")
    channels = window.panel.get_by_role("combobox", name="Channels")
    await window.press(roles)
    await window.press(window.page.get_by_role("option", name="@Champion"))
    await window.keys("Escape")
    await expect(roles).to_be_enabled()
    await expect(roles).to_contain_text("@Champion")
    await window.press(channels)
    await window.press(window.page.get_by_role("option", name="#general"))
    await window.keys("Escape")
    await expect(channels).to_contain_text("#general")
    await expect(roles).to_contain_text("@Champion")


@on_a_phone
async def test_the_apps_of_a_message_are_used_on_it_and_on_its_author(room: Room, window: Window) -> None:
    thread = await room.start_match(size="9x9", start="empty", clock="3d")
    await window.open(room.discord, channel=thread)
    apps = window.page.get_by_role("button", name="Apps").last
    await window.press(apps)
    await window.press(window.page.get_by_role("button", name="Board as text"))
    await expect(window.page.locator("article.message.ephemeral pre")).to_contain_text("ABCDEFGHI")
    await window.press(apps)
    await window.keys("Escape")
    await expect(window.page.get_by_role("dialog", name="Apps")).to_have_count(0)
