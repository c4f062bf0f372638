"""Forms, menus and panels for one player alone."""

from __future__ import annotations

from playwright.async_api import expect

from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.window import Window


async def test_a_form_keeps_the_focus_and_gives_it_back(room: Room, window: Window) -> None:
    await window.open(room.discord, channel=await room.start_match())
    await window.press(window.button("Type a move"))
    await expect(window.dialog.get_by_role("textbox")).to_be_focused()
    await window.keys("Enter")
    await expect(window.dialog.get_by_text("This field is required.")).to_be_visible()
    await expect(window.dialog.get_by_role("textbox")).to_be_focused()
    await window.keys("Escape")
    await expect(window.dialog).to_have_count(0)
    await expect(window.button("Type a move")).to_be_focused()


async def test_a_form_that_begins_with_a_choice_takes_the_focus_there(room: Room, window: Window) -> None:
    thread = await room.start_match(rules="dot-dash", size="9x9", start=None)
    await room.move(room.ola, thread, "D4 E5/G7")
    await window.open(room.discord, room.maksim, thread)
    await window.press(window.button("Choose in a form"))
    await expect(window.dialog.get_by_role("radio").first).to_be_focused()
    await window.keys("Space", "Enter")
    await expect(window.messages.last).to_contain_text("took the single stone")


@in_both_sizes
async def test_a_menu_changes_the_terms(room: Room, window: Window) -> None:
    await room.challenge(opponent=room.maksim)
    await window.open(room.discord, seat=room.maksim)
    await window.press(window.button("Change terms"))
    menu = window.panel.get_by_role("combobox", name="First move")
    choice = window.panel.get_by_role("option", name="First move: Ola")
    await window.press(menu)
    await expect(choice).to_be_in_viewport()
    await window.keys("ArrowDown", "Escape")
    await expect(choice).to_be_hidden()
    await expect(menu).to_contain_text("random")
    await expect(menu).to_be_focused()
    await window.keys("ArrowDown", "ArrowDown", "Enter")
    await expect(menu).to_contain_text("First move: Ola")
    await expect(menu).to_be_focused()
    await window.press(menu)
    await window.press(window.panel.get_by_role("option", name="Second move: Ola"))
    await expect(menu).to_contain_text("Second move: Ola")
    await window.press(window.button("Send offer"))
    await expect(window.messages.first).to_contain_text("Second move: Ola")


@on_a_phone
async def test_a_panel_is_for_one_player_and_can_be_dismissed(room: Room, window: Window) -> None:
    await window.open(room.discord, channel=await room.start_match())
    await window.press(window.button("More"))
    await expect(window.panel.get_by_role("button", name="Resign")).to_be_visible()
    await window.take_seat("Максим")
    await expect(window.messages).to_have_count(1)
    await expect(window.panel).to_have_count(0)
    await window.take_seat("Ola")
    await window.press(window.panel.get_by_role("button", name="Dismiss message"))
    await expect(window.panel).to_have_count(0)
    await window.page.reload()
    await expect(window.messages).to_have_count(1)


@on_a_phone
async def test_a_board_is_shown_whole_and_put_away(room: Room, window: Window) -> None:
    await window.open(room.discord, channel=await room.start_match())
    await window.press(window.messages.get_by_role("img"))
    await window.expect_board(window.dialog.get_by_role("img"))
    await window.keys("Escape")
    await expect(window.dialog).to_have_count(0)
