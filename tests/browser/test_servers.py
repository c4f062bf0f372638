"""The second server: the arrow beside the name of the first one leads there, in a seat that can be taken there."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, expect

from loopback import Discord, Guild
from tests.browser.conftest import in_both_sizes
from tests.browser.window import Window


@pytest.fixture
def club(discord: Discord) -> Guild:
    club = discord.add_server("Corner Club", "Jadwiga", "Kasia Wiśniewska")
    discord.open_channel("board-games", guild=club)
    return club


async def open_menu(window: Window) -> Locator:
    """Opens the menu of servers."""
    if window.narrow:
        await window.press(window.page.get_by_role("button", name="Channels"))
    await window.press(window.page.get_by_role("button", name="Switch servers"))
    return window.page.get_by_role("group", name="Servers")


@pytest.mark.usefixtures("club")
@in_both_sizes
async def test_a_player_goes_to_the_other_server_and_back(discord: Discord, window: Window) -> None:
    await window.open(discord)
    menu = await open_menu(window)
    await window.press(menu.get_by_role("button", name="Corner Club as Jadwiga"))
    await expect(window.page).to_have_title(re.compile("#board-games · Jadwiga · "))
    await window.page.reload()
    await expect(window.page).to_have_title(re.compile("#board-games · Jadwiga · "))
    menu = await open_menu(window)
    await window.press(menu.get_by_role("button", name=f"{discord.guild.name} as Ola"))
    await expect(window.page).to_have_title(re.compile("#dots · Ola · "))
    await window.page.go_back()
    await expect(window.page).to_have_title(re.compile("#board-games · Jadwiga · "))


@pytest.mark.usefixtures("club")
async def test_who_is_on_both_servers_stays_who_they_are(discord: Discord, window: Window) -> None:
    await window.open(discord, seat=discord.people["Kasia Wiśniewska"])
    menu = await open_menu(window)
    await window.press(menu.get_by_role("button", name="Corner Club"))
    await expect(window.page).to_have_title(re.compile("#board-games · Kasia Wiśniewska · "))
    seats = window.page.get_by_role("group", name="Play as").locator(".seat-name")
    await expect(seats).to_have_text(["Kasia Wiśniewska", "Jadwiga"])


async def test_one_server_has_no_menu(discord: Discord, window: Window) -> None:
    await window.open(discord)
    await expect(window.page.get_by_role("group", name="Play as")).to_be_visible()
    await expect(window.page.get_by_role("button", name="Switch servers")).to_be_hidden()
