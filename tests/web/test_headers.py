"""The headers of pages: nothing from elsewhere, and no frames but the Activity's."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import yarl

from bot.addresses import HOME
from tests.bot.room import Room
from tests.web.visit import Visit
from web.app import STATIC
from web.headers import framed_policy, security_headers


def policy(headers: dict[str, str]) -> dict[str, str]:
    parts = headers["Content-Security-Policy"].split("; ")
    return {name: value for name, _, value in (part.partition(" ") for part in parts)}


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", ["/enter", "/board/1", "/nothing", "/static/board/page.js", "/words.json?for=enter"])
async def test_every_answer_has_the_headers(room: Room, visit: Callable[[], Visit], path: str) -> None:
    headers = await visit().headers(path)
    found = policy(headers)
    assert found["default-src"] == "'none'"
    assert found["script-src"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_no_page_may_show_the_site_in_a_frame() -> None:
    found = policy(security_headers(yarl.URL("https://kropka.example")))
    assert found["frame-ancestors"] == "'none'"
    assert found["connect-src"] == "'self' wss://kropka.example"


def test_the_page_of_the_activity_runs_its_own_script_and_blobs_alone() -> None:
    found = policy({"Content-Security-Policy": framed_policy(yarl.URL("https://kropka.example"), "abc")})
    assert found["script-src"] == "'nonce-abc' blob:"
    assert "frame-ancestors" not in found


def test_the_page_of_the_activity_names_the_site_wherever_other_pages_say_self() -> None:
    ordinary = policy(security_headers(yarl.URL("https://kropka.example")))
    found = policy({"Content-Security-Policy": framed_policy(yarl.URL("https://kropka.example/board"), "abc")})
    expected = {name: value.replace("'self'", "'self' https://kropka.example") for name, value in ordinary.items()}
    assert {**found, "script-src": expected["script-src"], "frame-ancestors": "'none'"} == expected


async def test_pages_of_opaque_origin_read_files_and_nothing_that_has_cookies(
    room: Room, visit: Callable[[], Visit]
) -> None:
    allowed = "Access-Control-Allow-Origin"
    for path in ("/static/board/page.js", "/theme/paper.css"):
        assert (await visit().headers(path))[allowed] == "*"
    for path in ("/enter", "/board/1", "/words.json?for=enter", "/nothing"):
        assert allowed not in await visit().headers(path), path


async def test_pages_name_no_other_site_and_have_no_script_of_their_own(room: Room, visit: Callable[[], Visit]) -> None:
    for path in ("/enter", "/board/1"):
        _, page = await visit().get(path)
        page = page.replace(HOME, "")  # which leads there, and loads nothing
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


async def test_browsers_keep_the_typeface_for_good_and_ask_for_other_files_again(
    room: Room, visit: Callable[[], Visit]
) -> None:
    font = re.findall(r"url\((/static/fonts/[\w.-]+)\)", (STATIC / "shared" / "design.css").read_text("utf-8"))
    kept = {path: (await visit().headers(path))["Cache-Control"] for path in (*font, "/static/board/page.js")}
    assert [*kept.values()] == ["public, max-age=31536000, immutable", "no-cache"]
    assert (await visit().headers("/static/fonts/none.woff2"))["Cache-Control"] == "no-cache"
