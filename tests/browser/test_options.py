"""The options of a command: typed, pasted, chosen, and never lost."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.window import SMALL_FIELDS, Window

CHALLENGE = "/challenge opponent:Kasia Wiśniewska size:10x10"


async def test_tab_and_enter_never_drop_a_command(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/games ")
    await window.keys("Shift+Tab", "Enter")
    await window.press(window.more)
    await expect(window.command_line).to_be_visible()
    await window.keys("Tab", "Enter")
    await expect(window.panel).to_contain_text("You have no open games")


async def test_a_command_waits_while_another_channel_is_open(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/challenge size:10x10")
    await window.go_to("general")
    await expect(window.entry).to_have_value("")
    await window.go_to("dots")
    await expect(window.option("size")).to_have_value("10x10")


@pytest.mark.parametrize(("start", "typed"), [("", True), ("", False), ("/challenge ", False)])
async def test_a_written_command_fills_its_options(room: Room, window: Window, start: str, typed: bool) -> None:
    await window.open(room.discord)
    await window.write(start)
    await (window.type if typed else window.paste)(CHALLENGE.removeprefix(start))
    await expect(window.option("opponent")).to_have_value("Kasia Wiśniewska")
    await window.choose("10 × 10")
    await expect(window.option("size")).to_have_value("10 × 10")
    await window.keys("Enter")
    await expect(window.messages.last).to_contain_text("Kasia Wiśniewska")
    await expect(window.messages.last).to_contain_text("10×10")


async def test_an_option_is_named_in_any_case_and_given_anew(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/challenge Opponent:@maksim SIZE:5x5 opponent: ola rated:")
    await expect(window.option("opponent")).to_have_value("Ola")
    await expect(window.option("size")).to_have_value("5x5")
    await expect(window.option("rated")).to_be_focused()


async def test_what_is_typed_after_a_chosen_value_does_not_change_it(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/challenge opponent:макс")
    await window.choose("Максим")
    await window.type(" much")
    await expect(window.page.get_by_text("There is no such option")).to_be_visible()
    await window.keys("Enter")
    await expect(window.command_line).to_be_visible()
    await window.keys(*["Backspace"] * 5)
    await window.type(" size:5x5")
    await expect(window.option("size")).to_have_value("5x5")
    await expect(window.option("opponent")).to_have_value("Максим")


@on_a_phone
async def test_a_chosen_value_is_replaced_as_a_whole(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/challenge opponent:макс")
    await window.choose("Максим")
    await window.keys("Backspace")
    await expect(window.option("opponent")).to_be_focused()
    await window.type("kas")
    await window.choose("Kasia Wiśniewska")
    await expect(window.option("opponent")).to_have_value("Kasia Wiśniewska")


@on_a_phone
async def test_no_field_has_text_so_small_that_an_iphone_zooms_in(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/challenge size:10x10 ")
    await expect(window.more).to_be_visible()
    assert await window.page.evaluate(SMALL_FIELDS) == []
