"""The picker of slash commands by keyboard and by hand, and where the focus is all the while."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from playwright.async_api import WebSocketRoute, expect

from loopback import HANG_SECONDS
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.window import Window

ACTIVE = re.compile("active")


async def test_arrows_move_through_the_commands_and_escape_closes_them(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/")
    first, last = window.suggestions.first, window.suggestions.last
    await expect(first).to_have_class(ACTIVE)
    for key, active in {"ArrowUp": last, "ArrowDown": first}.items():
        await window.keys(key)
        await expect(active).to_have_class(ACTIVE)
        await expect(active).to_be_in_viewport()
    await window.keys("Escape")
    await expect(first).to_be_hidden()
    await expect(window.entry).to_be_focused()
    await expect(window.entry).to_have_value("/")
    await window.type("mov")
    await expect(first).to_contain_text("/move")
    await window.keys("Tab")
    await expect(window.option("point")).to_be_focused()


async def test_an_option_is_asked_for_until_it_is_given(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/move ")
    await expect(window.option("point")).to_be_focused()
    await window.keys("Enter")
    await expect(window.page.get_by_text("This option is required.")).to_be_visible()
    await expect(window.option("point")).to_have_attribute("aria-invalid", "true")
    await expect(window.option("point")).to_be_focused()
    await window.keys("Escape", "Escape")
    await expect(window.entry).to_be_focused()
    await expect(window.entry).to_have_value("")


async def test_a_list_that_was_closed_while_it_loaded_stays_closed(room: Room, window: Window) -> None:
    asked: asyncio.Future[Callable[[], None]] = asyncio.get_running_loop().create_future()

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def to_page(frame: str | bytes) -> None:
            if '"t": "autocomplete"' in str(frame):
                asked.set_result(lambda: socket.send(frame))
            else:
                socket.send(frame)

        server.on_message(to_page)

    await window.page.route_web_socket("**", relay)
    await window.open(room.discord)
    await window.write("/move ")
    async with asyncio.timeout(HANG_SECONDS):
        answer = await asked
    await expect(window.page.get_by_text("Loading options…")).to_be_visible()
    await window.keys("Escape")
    answer()
    await window.page.evaluate("0")  # the answer has come
    await window.keys("Escape")
    await expect(window.entry).to_be_focused()


async def test_a_value_that_is_not_on_the_list_is_not_sent(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/challenge opponent:Максимилиан")
    await expect(window.page.get_by_text("Nothing on the list begins like this")).to_be_visible()
    await window.keys("Enter")
    await expect(window.page.get_by_text("Choose one from the list.")).to_be_visible()
    await expect(window.option("opponent")).to_be_focused()
    await window.keys("Control+a", "Backspace", "Backspace")
    await expect(window.entry).to_be_focused()
    await expect(window.entry).to_have_value("/challenge")


async def test_an_unknown_command_is_an_ordinary_message(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.write("/xyzzy")
    await expect(window.page.get_by_text("No command begins like this")).to_be_visible()
    await window.keys("Enter")
    await expect(window.messages.last).to_contain_text("/xyzzy")
    await expect(window.entry).to_be_focused()


@on_a_phone
async def test_a_command_is_taken_and_dropped_by_hand(room: Room, window: Window) -> None:
    await window.open(room.discord)
    await window.press(window.page.get_by_role("button", name="Commands of the bot"))
    await window.press(window.suggestions.filter(has_text="/move"))
    await expect(window.option("point")).to_be_focused()
    await window.press(window.page.get_by_role("button", name="Drop this command"))
    await expect(window.entry).to_be_focused()
