"""A newcomer's way from the open page to their own first move: few taps, and no word to type."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import Locator, ViewportSize, expect

from loopback import Discord
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.opponent.quick import Inside

LOW = ViewportSize(width=390, height=700)
"""A phone whose browser shows its bars."""

MAX_TAPS = 3
"""From the open page to the own first move."""


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server that the bot has just joined, with the computer."""
    discord.add_bot()
    room = Room(discord, url, clock, **run_options)
    room.thinkers = Inside
    await room.start()
    yield room
    await room.stop()


class Taps:
    """The presses of a player, counted."""

    def __init__(self, window: Window) -> None:
        self.window, self.count = window, 0

    async def press(self, what: Locator) -> None:
        self.count += 1
        await self.window.press(what)


@on_a_phone
async def test_from_the_open_page_to_the_first_move_it_is_three_taps(room: Room, window: Window) -> None:
    await window.open(room.discord)
    card = window.messages.filter(has_text="I play Dots with you")
    await window.expect_board(card.get_by_role("img"))
    await window.expect_fit()
    taps = Taps(window)
    await taps.press(window.button("Play the computer"))
    await taps.press(window.panel.get_by_role("button", name="Your move"))
    await taps.press(window.panel.get_by_role("button", name=re.compile(r"^\d+$")).first)
    await expect(window.panel.get_by_text("You played")).to_be_visible()
    assert taps.count == MAX_TAPS


async def expect_in_sight(window: Window) -> None:
    """Fails unless the picture of the newest panel and its last button are in the window together."""
    picture, last = window.panel.get_by_role("img").first, window.panel.get_by_role("button", name="➡️")
    await window.expect_board(picture)
    await expect(picture).to_be_in_viewport(ratio=1)
    await expect(last).to_be_in_viewport(ratio=1)
    log, drawn = await window.page.locator(".log").bounding_box(), await picture.bounding_box()
    assert log is not None
    assert drawn is not None
    assert drawn["y"] >= log["y"]


@on_a_phone
async def test_the_first_moves_are_made_in_sight_of_the_board_and_of_the_answer(room: Room, window: Window) -> None:
    await window.page.set_viewport_size(LOW)
    await window.open(room.discord)
    await window.press(window.button("Play the computer"))
    await window.press(window.panel.get_by_role("button", name="Your move"))
    await expect(window.panel.get_by_text("Where does your dot go?")).to_be_visible()
    await expect_in_sight(window)
    for _ in range(2):
        await window.press(window.panel.get_by_role("button", name=re.compile(r"^\d+$")).first)
        await expect(window.panel.get_by_text(re.compile("You played .*\\n.*Kropka played "))).to_be_visible()
        await expect_in_sight(window)


@in_both_sizes
async def test_the_button_that_leads_to_the_game_opens_its_thread_in_the_page(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.press(window.button("Play the computer"))
    await window.press(window.panel.get_by_role("link", name="Go to the game"))
    await expect(window.messages.last).to_contain_text("The game begins")
    await window.expect_board(window.messages.last.get_by_role("img"))
