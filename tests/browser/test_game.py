"""A game on the chat page, from the challenge to the result, by two seats of one window."""

from __future__ import annotations

from playwright.async_api import expect

from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.window import Window

TERMS = {
    "opponent": ("макс", "Максим"),
    "size": ("5x5", "5 × 5"),
    "start": ("empty", "an empty board, first dots in its middle third"),
    "clock": ("10m+30s", "10 minutes in total, plus 30 seconds per move"),
}
"""By option: what is typed, and the suggestion that is taken."""


async def challenge(window: Window) -> None:
    """Challenges Максим by the picker of commands, without leaving the keyboard."""
    await window.write("/chall")
    await expect(window.suggestions.first).to_contain_text("/challenge")
    await window.keys("Enter")
    for option, (typed, suggested) in TERMS.items():
        await window.type(f"{option}:")
        await expect(window.option(option)).to_be_focused()
        await window.type(typed)
        await expect(window.suggestions.first).to_contain_text(suggested)
        await window.keys("Enter")
        await expect(window.option(option)).to_have_value(suggested)
        await window.keys("Tab")
    await window.keys("Enter")


async def play_by_keypad(window: Window, area: str, key: str, point: str) -> None:
    """Plays a point by the keypad, whose picture and buttons have to fit on the screen. In a live game a tap counts."""
    await window.press(window.button(area))
    await window.expect_board(window.panel.get_by_role("img"))
    await window.expect_fit()
    await window.press(window.panel.get_by_role("button", name=key, exact=True))
    await expect(window.messages.last).to_contain_text(f"Ola played {point}")


async def play_by_form(window: Window, wrong: str, right: str) -> None:
    """Types a point that is not on the field, and one that is."""
    await window.press(window.button("Type a move"))
    await expect(window.dialog.get_by_role("textbox")).to_be_focused()
    await window.type(wrong)
    await window.keys("Enter")
    await expect(window.panel).to_contain_text("That's outside the board")
    await window.press(window.button("Type another move"))
    await expect(window.dialog.get_by_role("textbox")).to_be_focused()
    await expect(window.dialog.get_by_role("textbox")).to_have_value(wrong)
    await window.keys("Control+A")
    await window.type(right)
    await window.press(window.dialog.get_by_role("button", name="Submit"))
    await expect(window.dialog).to_have_count(0)


async def resign(window: Window) -> None:
    """Resigns, and confirms it."""
    await window.press(window.button("More"))
    await window.press(window.panel.get_by_role("button", name="Resign"))
    await window.press(window.panel.get_by_role("button", name="Yes, resign"))
    await expect(window.panel).to_contain_text("You resigned.")


@in_both_sizes
async def test_a_game_from_the_challenge_to_the_result(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await challenge(window)
    await window.follow_call("Максим")
    await window.press(window.button("Accept"))
    await window.follow_call("Ola")
    await play_by_keypad(window, "Keypad near C3", "13", "C3")
    await window.follow_call("Максим")
    await window.expect_board(window.messages.last.get_by_role("img"))
    await play_by_form(window, "Z99", "c4")
    await expect(window.messages.last).to_contain_text("Максим played C4")
    await resign(window)
    result = window.messages.filter(has_text="Ola wins: 🔵 Максим resigned.")
    await window.expect_board(result.get_by_role("img"))
    await window.take_seat("Ola")
    await expect(result).to_have_count(1)
    await window.go_to("dots")
    await expect(window.messages.filter(has_text="Accepted")).to_have_count(1)
