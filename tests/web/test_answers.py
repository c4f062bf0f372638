"""Requests that no browser sends: each is answered, and no log names who has sent it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import aiohttp
import pytest
import yarl
from aiohttp import web

from bot.website import serve_site
from loopback import HANG_SECONDS
from tests.bot.room import Room
from tests.web.visit import Visit, no_ways, site_readers
from web.answers import MAX_PATH, Answers
from web.app import MAX_BODY_BYTES, build_app, serve

BROKEN = (b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n" + b"x" * 20_000, b"\x16\x03\x01\x02\x00\x01\x00\r\n")
"""No requests: words, a header without end, the first bytes of TLS."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("folder", ["/static/", "/board/", "/live/", "/game/", "/server/", "/"])
async def test_a_path_that_is_too_long_is_an_unknown_page(
    room: Room, visit: Callable[[], Visit], folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    for path in (folder + "a" * MAX_PATH, folder + "%D1%8F" * 100, folder + "a" * 5000):
        assert (await visit().get(path))[0] == 404
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_what_is_no_request_is_refused_and_not_logged(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    async with serve_site(room.bot.website, "127.0.0.1", 0) as port:
        caplog.clear()
        for sent in BROKEN:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            async with asyncio.timeout(HANG_SECONDS):
                assert (await reader.read()).startswith(b"HTTP/1.0 400 ")
            writer.close()
    assert "127.0.0.1" not in caplog.text


async def test_who_leaves_before_the_answer_is_no_failure(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    async def leave(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        response = web.StreamResponse()
        await response.prepare(request)
        return response

    def part(app: web.Application) -> None:
        app.router.add_get("/left", leave)

    app = build_app(yarl.URL("http://127.0.0.1"), [part], Answers(site_readers(room.services), no_ways))
    async with serve(app, "127.0.0.1", 0) as port, aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientConnectionError):
            await session.get(f"http://127.0.0.1:{port}/left")
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(("path", "status"), [("/leave", 405), ("/nothing", 404), ("/home", 401), ("/game/1-x", 404)])
async def test_each_error_is_a_page_of_the_design_that_leads_on(
    room: Room, visit: Callable[[], Visit], path: str, status: int
) -> None:
    found, page = await visit().get(path)
    assert found == status
    assert "/static/shared/design.css" in page
    assert 'href="/front"' in page


async def test_a_method_that_is_not_allowed_names_those_that_are(room: Room, visit: Callable[[], Visit]) -> None:
    assert (await visit().headers("/leave"))["Allow"] == "POST"


async def test_a_script_reads_why_its_body_is_refused(room: Room, visit: Callable[[], Visit]) -> None:
    async with serve_site(room.bot.website, "127.0.0.1", 0) as port:
        browser = visit()
        browser.address = browser.address.with_port(port)  # the stand-in has limits of its own
        status, told = await browser.send("/front/game", b"x" * 2 * MAX_BODY_BYTES, {"Connection": "close"})
    assert (status, told["line"]) == (413, "That isn't possible here. Reload the page.")
