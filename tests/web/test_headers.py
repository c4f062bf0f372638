"""The headers of pages: nothing from elsewhere, and frames only where they are wanted."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import yarl

from tests.bot.room import Room
from tests.web.visit import Visit
from web.app import DISCORD_FRAMES, STATIC
from web.headers import security_headers


def policy(headers: dict[str, str]) -> dict[str, str]:
    parts = headers["Content-Security-Policy"].split("; ")
    return {name: value for name, _, value in (part.partition(" ") for part in parts)}


@pytest.mark.parametrize("path", ["/enter", "/board/1", "/nothing", "/static/board/page.js", "/words.json?for=enter"])
async def test_every_answer_has_the_headers(room: Room, visit: Callable[[], Visit], path: str) -> None:
    headers = await visit().headers(path)
    found = policy(headers)
    assert found["default-src"] == "'none'"
    assert found["script-src"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_on_the_net_only_discord_may_show_the_site_in_a_frame() -> None:
    found = policy(security_headers(yarl.URL("https://kropka.example"), DISCORD_FRAMES))
    assert found["frame-ancestors"].split() == [*DISCORD_FRAMES]
    assert all(re.fullmatch(r"https://(\w+\.)?discord\.com", frame) for frame in DISCORD_FRAMES)
    assert found["connect-src"] == "'self' wss://kropka.example"


def test_the_frames_are_the_clients_whose_messages_the_page_hears() -> None:
    script = (STATIC / "activity" / "host.js").read_text(encoding="utf-8")
    assert set(re.findall(r"'(https://[^']+)'", script)) == set(DISCORD_FRAMES)


async def test_pages_name_no_other_site_and_have_no_script_of_their_own(room: Room, visit: Callable[[], Visit]) -> None:
    for path in ("/enter", "/board/1"):
        _, page = await visit().get(path)
        assert not re.search(r"https?://|<script(?![^>]*src=)|<style|style=|\son\w+=", page), path


async def test_an_unknown_address_is_a_page_that_says_so(room: Room, visit: Callable[..., Visit]) -> None:
    assert await visit(accept="de-AT,en;q=0.5").get("/nothing") == (
        404,
        (await visit(accept="de").get("/nothing"))[1],
    )
    assert "Diese Seite gibt es nicht." in (await visit(accept="de").get("/nothing"))[1]


async def test_a_file_that_a_browser_has_is_not_sent_again(room: Room, visit: Callable[[], Visit]) -> None:
    browser, path = visit(), "/static/board/page.js"
    headers = await browser.headers(path)
    assert headers["Cache-Control"] == "no-cache"
    assert await browser.status(path, {"If-None-Match": headers["Etag"]}) == 304
    assert (await browser.headers("/enter"))["Cache-Control"] == "no-store"
