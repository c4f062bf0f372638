"""Discord's own SDK and the program's client, against the host that the chat page is: both have the same exchange."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp
from aiohttp import web
from playwright.async_api import expect

from bot.edge import USER_AGENT
from loopback import Discord
from tests.browser.window import Window
from web.app import STATIC, mounted

SDK: Final = Path(__file__).parents[1] / "sdk"
PACKAGES: Final = Path(__file__).parents[2] / "node_modules"
INSTALLED: Final = PACKAGES / "@discord" / "embedded-app-sdk" / "output"

ENTRY_POINT: Final = {
    "id": "77",
    "application_id": "1",
    "version": "1",
    "type": 4,
    "handler": 2,
    "name": "board",
    "description": "Opens the board",
    "options": [],
    "default_member_permissions": None,
    "contexts": None,
    "integration_types": [0],
    "nsfw": False,
    "dm_permission": True,
}

LISTEN: Final = """
if (window === top) {
  window.heard = [];
  addEventListener('message', ({ data }) => heard.push(data.told ? ['to page', data.told] : ['to host', data]));
} else {
  addEventListener('message', ({ data }) => top.postMessage({ told: data }, '*'));
}
"""
"""Notes all messages in the chat page. A frame of opaque origin can tell it what it hears only by a message."""

OWN: Final = {"nonce", "frame_id", "sdk_version", "code", "access_token", "expires", "transfer"}
"""Fields that differ from one exchange to the next, or say which client it is."""


@asynccontextmanager
async def guest(discord: Discord, page: str) -> AsyncIterator[list[tuple[str, str]]]:
    """Serves a page as the Activity, and yields what it notes."""
    notes: list[tuple[str, str]] = []

    async def show(_: web.Request) -> web.FileResponse:
        return web.FileResponse(SDK / page)

    async def application(_: web.Request) -> web.Response:
        return web.Response(text=str(discord.bot.id))

    async def take_note(request: web.Request) -> web.Response:
        notes.append((request.query["what"], request.query["value"]))
        return web.Response(status=204)

    async def token(request: web.Request) -> web.Response:
        status, told = await exchange(discord, await request.text())
        assert status == 200, told
        return web.Response(text=told["access_token"])

    app = web.Application()
    app.add_routes(
        [
            web.get("/activity", show),
            web.get("/sdk/application", application),
            web.post("/sdk/note", take_note),
            web.post("/sdk/token", token),
            web.static("/sdk", SDK),
            web.static("/node_modules", PACKAGES),
            web.static("/static", STATIC),
        ]
    )

    async def open_to_frames(_: web.Request, response: web.StreamResponse) -> None:
        response.headers["Access-Control-Allow-Origin"] = "*"

    app.on_response_prepare.append(open_to_frames)
    async with mounted(app) as handle:
        discord.guest = handle
        yield notes


async def exchange(discord: Discord, code: str, **changed: str) -> tuple[int, dict[str, Any]]:
    """Exchanges a code as the application's server does."""
    form = {
        "client_id": str(discord.bot.id),
        "client_secret": discord.client_secret,
        "grant_type": "authorization_code",
        "code": code,
        **changed,
    }
    async with (
        aiohttp.ClientSession(headers={"User-Agent": USER_AGENT}) as http,
        http.post(f"{discord.api}/oauth2/token", data=form) as answer,
    ):
        return answer.status, await answer.json()


def comparable(value: Any) -> Any:
    """Returns a message without what no two exchanges have in common."""
    if isinstance(value, dict):
        return {key: comparable(each) for key, each in value.items() if key not in OWN and each is not None}
    return [comparable(each) for each in value] if isinstance(value, list) else value


async def play(discord: Discord, window: Window, page: str) -> tuple[list[tuple[str, str]], list[Any]]:
    """Opens a page as the Activity; returns what it noted and all messages, once it has closed itself."""
    discord.set_commands([ENTRY_POINT])
    async with guest(discord, page) as notes:
        await window.open(discord)
        await window.entry.fill("/board")
        await window.keys("Enter", "Enter")
        frame = window.page.locator("dialog.activity iframe")
        await expect(frame).to_be_visible()
        await expect(frame).to_have_count(0)
        heard = json.loads(await window.page.evaluate("JSON.stringify(heard)"))
        await discord.until(lambda: len(notes) >= 6)
        return notes, comparable(heard)


async def test_the_own_client_has_the_same_exchange_as_the_sdk_of_discord(discord: Discord, window: Window) -> None:
    assert INSTALLED.exists(), "Discord's SDK is not installed: `make test` does that"
    await window.page.add_init_script(LISTEN)
    original, theirs = await play(discord, window, "original.html")
    own, ours = await play(discord, window, "own.html")
    ola = next(iter(discord.people.values()))
    assert sorted(original) == sorted(
        [
            *(("refused", "5000"), ("refused", "4009"), ("user", str(ola.id)), ("layout", "0")),
            *(("locale", ola.user.locale), ("status", "12 : 8")),
        ]
    )
    assert sorted(own) == sorted(original)
    assert len(theirs) == 20  # the handshake and READY, eight questions with their answers, an event, and the end
    assert ours == theirs
