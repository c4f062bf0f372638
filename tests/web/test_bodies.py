"""Bodies that no page sends: each is refused by every route that reads one."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from bot.services.rate_limits import Rate, RateLimits
from bot.settings import Hosting
from bot.website import serve_site
from loopback import HANG_SECONDS, Discord
from tests.bot.room import Room
from tests.web.home_visit import home_link
from tests.web.visit import Visit
from web.app import MAX_BODY_BYTES

READING = {
    *(
        "/enter",
        "/home/do",
        "/activity/enter",
        "/activity/study",
        "/figures/share",
        "/activity/words",
        "/activity/home",
        "/activity/home/do",
        "/activity/page",
    ),
    *(
        "/activity/picture",
        "/activity/status",
        "/front/game",
        "/analysis/do",
        "/activity/analysis",
        "/study/do",
        "/activity/study",
    ),
}
WITHOUT_BODY = {"/leave"}
"""Routes that take a POST."""

JSON = "application/json"

CLOSE = {"Connection": "close"}
"""The server closes a connection whose body it cannot read to its end."""

BODIES: dict[str, tuple[bytes, dict[str, str], int]] = {
    "nothing": (b"", {"Content-Type": JSON}, 400),
    "no JSON": (b"code=x", {"Content-Type": "application/x-www-form-urlencoded"}, 400),
    "a list": (b"[]", {"Content-Type": JSON}, 400),
    "a number without end": (b"1" * 15_000, {"Content-Type": JSON}, 400),
    "lists in lists": (b"[" * 15_000, {"Content-Type": JSON}, 400),
    "objects in objects": (b'{"a":' * 3_000, {"Content-Type": JSON}, 400),
    "deep and whole": (b'{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}", {"Content-Type": JSON}, 400),
    "a charset that there is not": (b"{}", {"Content-Type": f"{JSON}; charset=nonsense"}, 400),
    "a charset that is no text": (b"{}", {"Content-Type": f"{JSON}; charset=zip"}, 400),
    "a charset that is not ours": ('{"code":"x"}'.encode("utf-16"), {"Content-Type": f"{JSON}; charset=utf-16"}, 400),
    "what is not UTF-8": (b'{"code":"\xff"}', {"Content-Type": JSON}, 400),
    "half a letter": (b'{"code":"\\ud800","token":"\\ud800","instance":"\\ud800"}', {"Content-Type": JSON}, 400),
    "what is not deflated": (b"{}", {"Content-Type": JSON, "Content-Encoding": "gzip"}, 400),
    "a bomb": (gzip.compress(b" " * 10_000_000), {"Content-Type": JSON, "Content-Encoding": "gzip"}, 413),
    "a megabyte": (b"x" * 64 * MAX_BODY_BYTES, {"Content-Type": JSON}, 413),
}


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    hosting = Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))
    return {"hosting": hosting, "limits": RateLimits(failed_entries=Rate(10**9, 1e-9))}


async def test_a_body_that_is_none_is_refused_by_every_route(
    room: Room, visit: Callable[[], Visit], caplog: pytest.LogCaptureFixture
) -> None:
    assert room.bot.website is not None
    routes = room.bot.website.app.router.routes()
    assert {route.resource.canonical for route in routes if route.resource and route.method == "POST"} == (
        READING | WITHOUT_BODY
    )
    browser = visit()
    async with serve_site(room.bot.website, "127.0.0.1", 0) as port:
        browser.address = browser.address.with_port(port)  # the stand-in has limits of its own
        assert (await browser.enter(await home_link(room, room.ola)))[0] == 200  # some routes ask first who it is
        for path in sorted(READING):
            for name, (body, head, status) in BODIES.items():
                assert (await browser.send(path, body, {**head, **CLOSE}))[0] == status, (path, name)
        for body, head, _ in BODIES.values():
            assert (await browser.send("/leave", body, {**head, **CLOSE}))[0] in (204, 413)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_body_that_breaks_off_leaves_no_error(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    origin = room.discord.address.rstrip("/")
    async with serve_site(room.bot.website, "127.0.0.1", 0) as port:
        for path in sorted(READING | WITHOUT_BODY):
            for head in ("Content-Length: 100", "Transfer-Encoding: chunked"):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"POST {path} HTTP/1.1\r\nHost: a\r\nOrigin: {origin}\r\n{head}\r\n\r\n5\r\n{{".encode())
                await writer.drain()
                writer.write_eof()
                async with asyncio.timeout(HANG_SECONDS):
                    answer = await reader.read()
                assert b" 500 " not in answer.partition(b"\r\n")[0]
                writer.close()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
