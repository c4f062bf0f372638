"""The Activity in WebKit, in a sandboxed frame: there it has an opaque origin, which no policy's `'self'` matches."""

from __future__ import annotations

from typing import Final

import pytest

from loopback import Channel, Discord
from tests.bot.room import Room
from tests.browser.webkit.conftest import SIDEWAYS, in_both_sizes, on_a_phone
from tests.browser.webkit.driver import WebKit

FRAME: Final = "dialog.activity iframe"

PICTURE: Final = """const picture = document.createElement('img');
document.body.append(picture);
picture.src = '/static/shared/mark.svg';
return picture.decode().then(() => picture.naturalWidth, () => 0);"""
"""Returns how wide a picture of the site is, or 0 where none may be loaded."""


async def open_chat(window: WebKit, discord: Discord, room: Room, channel: Channel) -> None:
    await window.open(f"{discord.page_address}&seat={room.ola.id}#{channel.id}")


async def press(window: WebKit, label: str) -> None:
    """Presses the newest button with this label on a message."""
    button = f"[...document.querySelectorAll('.message button')].findLast(each => each.textContent === '{label}')"
    await window.wait_for(button)
    await window.run(f"{button}.click()")


async def open_board(window: WebKit, discord: Discord, room: Room, thread: Channel) -> None:
    """Opens the board of Ola inside the chat."""
    await open_chat(window, discord, room, thread)
    await press(window, "Browser")
    await press(window, "Open in Discord")
    await window.enter_frame(FRAME)
    await window.wait_for("document.querySelector('#field svg .grid line') && !document.getElementById('entrance')")


async def display(window: WebKit, selector: str) -> str:
    return str(await window.run(f"return getComputedStyle(document.querySelector('{selector}')).display"))


@pytest.mark.smoke
async def test_a_board_has_its_styles_and_pictures(
    window: WebKit, discord: Discord, room: Room, thread: Channel
) -> None:
    await open_board(window, discord, room, thread)
    assert await window.run("return origin") == "null"
    assert await display(window, "main") == "grid"
    assert await window.run(PICTURE) > 0


@in_both_sizes
async def test_its_sheet_has_its_styles(window: WebKit, discord: Discord, room: Room, thread: Channel) -> None:
    await open_board(window, discord, room, thread)
    await window.run("document.getElementById('try').click()")
    await window.wait_for("document.querySelector('#sheet-field svg .grid line')")
    assert await display(window, "#sheet") == "grid"


@on_a_phone
async def test_the_home_has_its_styles_and_does_not_scroll_sideways(
    window: WebKit, discord: Discord, room: Room, thread: Channel
) -> None:
    await open_board(window, discord, room, thread)
    await window.run("document.getElementById('home').click()")
    await window.wait_for("document.querySelector('#sections .settings')")
    assert await display(window, "#lobby > header") == "flex"
    assert not await window.run(SIDEWAYS)
    assert await window.run("return document.adoptedStyleSheets.length") == 3, "those of the board are gone"
    await window.wait_for("[...document.fonts].some((each) => each.status === 'loaded')")
