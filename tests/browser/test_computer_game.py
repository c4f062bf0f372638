"""A game against the computer on the chat page: one board for each pair of moves, a hint that is played, a review."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import expect

from loopback import Discord
from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.browser.conftest import on_a_phone
from tests.browser.window import Window
from tests.clock import StoppedClock


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with a computer whose moves are known."""
    room = Room(discord, url, clock, **run_options)
    room.thinkers = MissedCaptureEngine
    await room.start()
    await room.client.tree.sync()
    yield room
    await room.stop()


@on_a_phone
async def test_a_hint_is_played_and_answered_in_one_board(room: Room, window: Window) -> None:
    await skip_confirmations(room)
    thread = await room.wait_for_thread(await room.challenge(computer=4, size="7x7", clock="3d"))
    await window.open(room.discord, room.ola, thread)
    room.ola.command(thread, "hint")
    await expect(window.panel).to_contain_text("I'd play E5.")
    await window.expect_board(window.panel.get_by_role("img"))
    await window.press(window.panel.get_by_role("button", name="Play it"))
    both = window.messages.filter(has_text="Ola played E5").filter(has_text="Kropka played E4")
    await expect(both).to_have_count(1)
    await window.expect_board(both.get_by_role("img"))
    await window.expect_fit()
    assert len(room.boards(thread)) == 2


@on_a_phone
async def test_a_player_finds_the_better_move_in_a_review(room: Room, window: Window) -> None:
    thread = await finish_match(room)
    await window.open(room.discord, room.ola, thread)
    await window.press(window.button("Review"))
    await expect(window.panel).to_contain_text("What is better?")
    await window.expect_board(window.panel.get_by_role("img"))
    await expect(window.panel.get_by_role("img", name="1 is B6, 5 is F6")).to_be_visible()
    for label in ("20", "Play F3"):
        await window.press(window.panel.get_by_role("button", name=label, exact=True))
    await expect(window.panel).to_contain_text("Right, F3 is better than A1. It captures 2 dots: E4, F4.")
    await window.expect_board(window.panel.get_by_role("img"))
    await window.expect_fit()
    await window.press(window.panel.get_by_role("button", name="Whole game"))
    await expect(window.panel).to_contain_text("The game has 1 turning point.")
