"""The wire between the bot and its homeserver, which tests cut, delay and disturb."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Self

import aiohttp
from aiohttp import web
from yarl import URL

HOP_HEADERS = {"connection", "content-encoding", "content-length", "date", "server", "transfer-encoding"}

Fault = Callable[[web.Request], web.StreamResponse | None]
"""Answers a request in the homeserver's place, or lets it through."""


class Wire:
    """Passes requests on to a homeserver, at an address of its own."""

    def __init__(self, address: str) -> None:
        self._to = address
        self.fault: Fault = lambda request: None
        self.deaf: Fault = lambda request: None
        """The same for answers: the homeserver has done what was asked for."""
        self.late_seconds: Callable[[web.Request], float] = lambda request: 0.0
        """How late an answer is."""
        self.seen: Counter[str] = Counter()
        """Requests by method and the last named part of their path."""
        self.arrived = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(auto_decompress=True)
        app = web.Application(client_max_size=50_000_000)
        app.router.add_route("*", "/{path:.*}", self._pass)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.address = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.fault = cut
        await self._runner.cleanup()
        await self._session.close()

    async def requests(self, count: int, part: str) -> None:
        """Waits until so many requests with that part in their path have come from now on."""
        wanted = self.seen[part] + count
        async with asyncio.timeout(60):
            while self.seen[part] < wanted:
                self.arrived.clear()
                await self.arrived.wait()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        for part in request.path.split("/"):
            self.seen[part] += 1
        self.arrived.set()
        if (fault := self.fault(request)) is not None:
            return fault
        headers = {name: value for name, value in request.headers.items() if name.lower() not in {"host", *HOP_HEADERS}}
        body, to = await request.read(), URL(self._to + request.raw_path, encoded=True)
        async with self._session.request(request.method, to, headers=headers, data=body) as answer:
            body = await answer.read()
            await asyncio.sleep(self.late_seconds(request))
            if (fault := self.deaf(request)) is not None:
                return fault
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_HEADERS}
            return web.Response(status=answer.status, body=body, headers=kept)


def cut(request: web.Request) -> web.StreamResponse | None:
    """Breaks the connection."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


def html(request: web.Request) -> web.StreamResponse | None:
    """Answers as what is in front of a homeserver does while that is down."""
    return web.Response(status=502, text="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html")


def empty(request: web.Request) -> web.StreamResponse | None:
    return web.Response(status=200)


def too_fast(request: web.Request) -> web.StreamResponse | None:
    return web.json_response({"errcode": "M_LIMIT_EXCEEDED", "error": "Too Many", "retry_after_ms": 60_000}, status=429)


def signed_out(request: web.Request) -> web.StreamResponse | None:
    return web.json_response({"errcode": "M_UNKNOWN_TOKEN", "error": "Unknown token"}, status=401)
