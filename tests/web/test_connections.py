"""Connections that bring no request: the site does not keep them."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from loopback import HANG_SECONDS
from web.app import serve
from web.bodies import read_object

SOON = 0.05

BEGINNINGS = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: a\r\nX-A: ",
    "a request, and then nothing": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a request, and then half a head": b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n",
    "a head without its body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
}


async def _answer(request: web.Request) -> web.Response:
    return web.json_response(await read_object(request, SOON) if request.method == "POST" else {})


@pytest.mark.parametrize("beginning", BEGINNINGS)
async def test_a_connection_without_a_whole_request_is_closed(beginning: str) -> None:
    app = web.Application()
    app.router.add_route("*", "/", _answer)
    async with serve(app, "127.0.0.1", 0, SOON) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(BEGINNINGS[beginning])
        async with asyncio.timeout(HANG_SECONDS):
            got = await (reader.readline() if "body" in beginning else reader.read())
        writer.close()
    wanted = {"nothing": b"", "half a head": b"", "a head without its body": b"HTTP/1.1 408 Request Timeout"}
    assert got.partition(b"\r\n")[0] == wanted.get(beginning, b"HTTP/1.1 200 OK")
