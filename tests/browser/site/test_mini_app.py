"""The Mini App on a phone, in a frame of Telegram's web client and as a page of its own; the client is made up."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from playwright.async_api import Frame, Route, expect

from bot.settings import Hosting
from loopback import Channel, Discord
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.web_board import WHERE
from tests.browser.window import Window
from tests.web.mini_app import chat_with_app, data_of

WEB = "https://web.telegram.org/"

CLIENT = """<!doctype html><meta name="viewport" content="width=device-width"><style>
body{margin:0}header{height:48px}iframe{border:0;width:100vw;height:calc(100dvh - 48px)}</style>
<header></header><iframe id="app"></iframe><script>
window.heard = [];
addEventListener('message', ({ origin, data }) => heard.push([origin, JSON.parse(data)]));
const tell = (eventType, eventData) => app.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), '*');
</script>"""
"""A client that notes what the app asks for. `tell` says something to the app."""

PROXY = """
window.asked = [];
window.TelegramWebviewProxy = { postEvent: (type, data) => asked.push([type, JSON.parse(data)]) };
"""
"""The script that the client of a phone puts into the page."""


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {"chats": [chat_with_app], "hosting": Hosting(web=discord.address.rstrip("/"))}


def launch_of(discord: Discord, room: Room, board: str = "") -> str:
    """Returns the address with which Telegram opens the app for Ola."""
    data = {"tgWebAppData": data_of(room.ola, room.clock()), "tgWebAppVersion": "8.0", "tgWebAppPlatform": "web"}
    return f"{discord.address.rstrip('/')}/app{board}#{urlencode(data)}"


@pytest_asyncio.fixture(loop_scope="session")
async def client(window: Window) -> AsyncIterator[Window]:
    """A window in which Telegram's web client is made up."""

    async def show(route: Route) -> None:
        await route.fulfill(content_type="text/html", body=CLIENT)

    await window.page.route(f"{WEB}**", show)
    await window.page.goto(WEB)
    yield window


async def open_app(client: Window, address: str) -> Frame:
    await client.page.evaluate("(address) => { app.src = address; }", address)
    frame = await (await client.page.locator("#app").element_handle()).content_frame()
    assert frame is not None
    return frame


async def heard(client: Window, kind: str) -> list[Any]:
    told = await client.page.evaluate("JSON.stringify(heard)")
    return [message["eventData"] for _, message in json.loads(told) if message["eventType"] == kind]


@on_a_phone
async def test_a_dot_is_played_in_the_frame_of_the_web_client(
    discord: Discord, room: Room, thread: Channel, client: Window
) -> None:
    frame = await open_app(client, launch_of(discord, room, "?board=1"))
    await frame.locator("#field svg .grid line").first.wait_for(state="attached")
    await expect(frame.locator("#entrance")).to_have_count(0)
    x, y = await frame.evaluate(WHERE.replace("COLUMNS", "9").replace("FIELD", "#field"), [3, 3])
    await client.page.touchscreen.tap(x, y + 48)
    await frame.get_by_role("button", name="Play", exact=True).click()
    await expect(frame.locator("#field .stones > *")).to_have_count(1)
    assert await room.version() == 1


@on_a_phone
async def test_the_clients_way_back_leads_from_the_board_home(
    discord: Discord, room: Room, thread: Channel, client: Window
) -> None:
    frame = await open_app(client, launch_of(discord, room, "?board=1"))
    await frame.locator("#field svg .grid line").first.wait_for(state="attached")
    assert (await heard(client, "web_app_setup_back_button"))[-1] == {"is_visible": True}
    await client.page.evaluate("tell('back_button_pressed')")
    await expect(frame.locator("#sections section").first).to_be_visible()
    assert (await heard(client, "web_app_setup_back_button"))[-1] == {"is_visible": False}


@on_a_phone
async def test_what_the_client_covers_is_left_free(
    discord: Discord, room: Room, thread: Channel, client: Window
) -> None:
    frame = await open_app(client, launch_of(discord, room, "?board=1"))
    await frame.locator("#field svg .grid line").first.wait_for(state="attached")
    await client.page.evaluate("tell('safe_area_changed', { top: 10, right: 0, bottom: 34, left: 0 })")
    await client.page.evaluate("tell('content_safe_area_changed', { top: 46, right: 0, bottom: 0, left: 0 })")
    read = "() => document.documentElement.style.getPropertyValue('--discord-safe-area-inset-top')"
    await frame.wait_for_function(f"({read})() === '56px'")


@on_a_phone
async def test_a_reload_goes_on_with_the_session(discord: Discord, room: Room, thread: Channel, window: Window) -> None:
    await window.page.add_init_script(PROXY)
    await window.page.goto(launch_of(discord, room))
    await expect(window.page.locator("#sections section").first).to_be_visible()
    await window.page.reload()
    await expect(window.page.locator("#sections section").first).to_be_visible()


@on_a_phone
async def test_a_page_of_its_own_speaks_by_the_proxy_of_its_client(
    discord: Discord, room: Room, thread: Channel, window: Window
) -> None:
    await window.page.add_init_script(PROXY)
    await window.page.goto(launch_of(discord, room))
    await expect(window.page.locator("#sections section").first).to_be_visible()
    kinds = {kind for kind, _ in await window.page.evaluate("asked")}
    assert {"web_app_ready", "web_app_expand", "web_app_setup_swipe_behavior", "web_app_set_header_color"} <= kinds
    assert "tgWebAppData" not in window.page.url
    await window.page.evaluate("location.hash = '#board=1'")
    await window.page.locator("#field svg .grid line").first.wait_for(state="attached")
    await window.page.evaluate("Telegram.WebView.receiveEvent('back_button_pressed')")
    await expect(window.page.locator("#sections section").first).to_be_visible()


@on_a_phone
async def test_a_page_without_a_client_says_where_it_opens(discord: Discord, room: Room, window: Window) -> None:
    await window.page.goto(f"{discord.address.rstrip('/')}/app")
    await expect(window.page.locator("#line")).to_contain_text("from your chat with me")
