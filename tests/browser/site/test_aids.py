"""The web board has what the chat has: a hint, the rules, the last move taken back, a finished game looked back at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import Locator, expect

from loopback import Discord
from tests.bot.features.coach.missed_capture import MOVES, MissedCaptureEngine, finish_match, play_moves
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.conftest import running_site
from tests.browser.web_board import WebBoard, open_board
from tests.browser.window import Window
from tests.clock import StoppedClock


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board, and a computer whose moves are known."""
    async with running_site(discord, url, clock, {"thinkers": MissedCaptureEngine, **run_options}) as room:
        yield room


async def open_playing(room: Room, window: Window) -> WebBoard:
    """Opens Ola's board of a game in which she can capture two dots."""
    return await open_board(room, await play_moves(room, MOVES[:10]), window, side=7)


async def open_over(room: Room, window: Window) -> WebBoard:
    """Opens Ola's board of a game in which she missed that, and which she has resigned."""
    thread = await finish_match(room)
    await room.wait_for_outbox()
    return await open_board(room, thread, window, side=7)


async def press(board: WebBoard, name: str) -> None:
    """Presses a button, on a phone behind *More* if need be."""
    if board.narrow and not await board.button(name).is_visible():
        await board.button("More").click()
    await board.button(name).click()


def step(board: WebBoard, way: str) -> Locator:
    return board.page.get_by_role("group", name="Replay").get_by_role("button", name=way)


@in_both_sizes
async def test_a_hint_is_on_the_board_and_played_by_its_button(room: Room, window: Window) -> None:
    board = await open_playing(room, window)
    await press(board, "Hint")
    await expect(board.page.get_by_role("dialog")).to_contain_text("I'd play F3. It captures 2 dots: E4, F4.")
    await expect(board.ghosts).to_have_count(1)
    await board.button("Play it").click()
    await expect(board.stones).to_have_count(11)
    await expect(board.page.locator("#players .score").first).to_have_text("2")


@in_both_sizes
async def test_a_question_leaves_the_board_in_sight(room: Room, window: Window) -> None:
    board = await open_playing(room, window)
    await press(board, "Rules")
    dialog = board.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Board: 7×7.")
    await expect(dialog.get_by_role("link", name="Learn it step by step")).to_be_visible()
    over, field = await dialog.bounding_box(), await board.page.locator("#field").bounding_box()
    assert over
    assert field
    assert over["y"] >= field["y"] + field["height"] or over["x"] >= field["x"] + field["width"]
    assert field["height"] >= 150
    await board.button("Back").click()
    await expect(board.page.locator("main.asked")).to_have_count(0)


@in_both_sizes
async def test_the_last_move_is_taken_back_until_ten_seconds_are_over(room: Room, window: Window) -> None:
    board = await open_playing(room, window)
    await board.tap("A1")
    await expect(board.button("Remove")).to_be_visible()
    await board.button("Play").click()
    await board.button("Undo").click()
    await expect(board.stones).to_have_count(10)
    await expect(board.button("Undo")).to_be_hidden()
    await board.tap("A1")
    await expect(board.ghosts).to_have_count(1)
    await board.button("Play").click()
    await expect(board.button("Undo")).to_be_visible()
    await board.page.clock.run_for(10_500)
    await expect(board.button("Undo")).to_be_hidden()


@in_both_sizes
async def test_the_moves_are_stepped_through_on_the_board(room: Room, window: Window) -> None:
    board = await open_over(room, window)
    await step(board, "One move back").click()
    await expect(board.said).to_have_text("11 / 12 · Ola: A1 · 0 : 0")
    await expect(board.stones).to_have_count(11)
    await step(board, "To the beginning").click()
    await expect(board.stones).to_have_count(0)
    await expect(step(board, "One move back")).to_be_disabled()
    await step(board, "One move on").click()
    await expect(board.said).to_have_text("1 / 12 · Ola: E5 · 0 : 0")
    await step(board, "To the end").click()
    await expect(board.stones).to_have_count(12)
    await expect(step(board, "One move on")).to_be_disabled()


@in_both_sizes
async def test_each_turning_point_is_one_tap_away(room: Room, window: Window) -> None:
    board = await open_over(room, window)
    await board.button("Review").click()
    await expect(board.said).to_have_text("Review. The game has 1 turning point.")
    await board.button("11 · A1").click()
    await expect(board.said).to_contain_text("Move 11: Ola played A1. F3 would have captured E4, F4.")
    await expect(board.button("11 · A1")).to_have_attribute("aria-pressed", "true")
    await step(board, "One move on").click()
    await expect(board.said).to_have_text("11 / 12 · Ola: A1 · 0 : 0")
    await expect(board.button("11 · A1")).to_have_attribute("aria-pressed", "false")


async def test_the_way_home_is_beside_the_line_about_the_turn(room: Room, window: Window) -> None:
    board = await open_playing(room, window)
    await board.page.get_by_role("link", name="Home").click()
    await expect(board.page.get_by_role("heading", name="Home")).to_be_visible()
