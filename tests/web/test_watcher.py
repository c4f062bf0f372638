"""Browsers that do not read what they are sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from loopback import HANG_SECONDS
from play.ids import UserId
from tests.matches import a_match
from web.live.outgoing import MAX_WAITING_BYTES, TOO_SLOW
from web.live.watcher import Rendered, Watcher
from web.presentation.readers import Audience

WEBSOCKET = (
    b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)

FRAME_BYTES = 20_000_000
"""More than the system keeps for a connection that is not read."""

Sends = Callable[[Watcher], Awaitable[None]]


@asynccontextmanager
async def watched(sends: Sends) -> AsyncIterator[tuple[int, asyncio.Future[None]]]:
    """Yields the port of a board on which the server does one thing, and what is done when that is."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        audience = Audience("en", "paper", None)
        await sends(Watcher(socket, request.transport, a_match(), UserId(5), "digest", audience, send_seconds=0.1))
        done.set_result(None)
        return socket

    app = web.Application()
    app.router.add_get("/", serve)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield runner.addresses[0][1], done
    await runner.cleanup()


async def show_much(watcher: Watcher) -> None:
    watcher.show(Rendered(1, b"x" * FRAME_BYTES))
    await watcher.run()


async def close_after_much(watcher: Watcher) -> None:
    watcher.show(Rendered(1, b"x" * FRAME_BYTES))
    watcher.close(1012)
    await watcher.run()


@pytest.mark.parametrize("sends", [show_much, close_after_much])
async def test_a_browser_that_does_not_read_is_cut_off(sends: Sends) -> None:
    async with watched(sends) as (port, done):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(WEBSOCKET)
        async with asyncio.timeout(HANG_SECONDS):
            await done
        with pytest.raises((asyncio.IncompleteReadError, ConnectionResetError)):
            await reader.readexactly(FRAME_BYTES)
        writer.close()


async def test_a_browser_for_which_too_much_waits_is_closed() -> None:
    count = MAX_WAITING_BYTES // 100_000

    async def answer_much(watcher: Watcher) -> None:
        for _ in range(count + 1):
            watcher.send({"line": "x" * 100_000})
        await watcher.run()

    async with watched(answer_much) as (port, done), aiohttp.ClientSession() as http:
        async with http.ws_connect(f"http://127.0.0.1:{port}") as socket, asyncio.timeout(HANG_SECONDS):
            got = [frame async for frame in socket]
            await done
        assert len(got) < count
        assert socket.close_code == TOO_SLOW


async def test_one_that_reads_gets_as_much_as_there_is() -> None:
    count, read = 2 * MAX_WAITING_BYTES // 100_000, asyncio.Event()

    async def answer_in_turn(watcher: Watcher) -> None:
        sending = asyncio.create_task(watcher.run())
        for _ in range(count):
            watcher.send({"line": "x" * 100_000})
            await read.wait()
            read.clear()
        watcher.close(1012)
        await sending

    async with watched(answer_in_turn) as (port, _), aiohttp.ClientSession() as http:
        got = 0
        async with http.ws_connect(f"http://127.0.0.1:{port}") as socket, asyncio.timeout(HANG_SECONDS):
            async for _ in socket:
                read.set()
                got += 1
        assert (got, socket.close_code) == (count, 1012)
