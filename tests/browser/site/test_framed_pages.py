"""Figures and explorer in the frame of the Activity: the ways there, between them, and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import expect
from pydantic import SecretStr

from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.home_page import launch_home
from tests.browser.site.conftest import running_site
from tests.browser.site.test_figures import add_figures
from tests.browser.window import Window
from tests.clock import StoppedClock


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with an Activity."""
    async with running_site(discord, url, clock, run_options, client_secret=SecretStr(discord.client_secret)) as room:
        yield room


@in_both_sizes
async def test_the_frame_leads_to_the_figures_and_to_the_explorer_and_back(
    room: Room, window: Window, discord: Discord
) -> None:
    await add_figures(room)
    frame = await launch_home(window, discord, room.ola, room.discord.open_channel("elsewhere"))
    await frame.locator("[data-focus='figures']").click()
    await expect(frame.locator("#causes")).to_be_visible()
    await expect(frame.locator("#sharing")).to_have_count(0)
    await frame.locator("#openings ~ .more a").click()
    await frame.get_by_label("Board size").select_option("13x13")
    await frame.get_by_role("button", name="Show").click()
    await expect(frame.locator(".quiet").first).to_contain_text("13×13")
    await frame.get_by_role("link", name="Your figures").click()
    await frame.locator("#causes + ul a.back").first.click()
    await expect(frame.locator("main.puzzles")).to_contain_text("Close a net around")
