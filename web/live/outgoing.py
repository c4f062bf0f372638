"""A socket's side that sends: what waits for a browser, and how it is closed."""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any

import orjson
from aiohttp import WSMsgType, web

MAX_WAITING_BYTES = 1_000_000
"""Bytes of answers that wait for a slow browser; with more it is closed."""

SEND_SECONDS = 20.0
"""Seconds that a browser may take for one frame, and to close."""

SERVER_FAILS, TOO_SLOW = 1011, 1008
"""Close codes of docs/web-protocol.md."""


class Outgoing:
    """A socket's side that sends, in the order in which it is given messages."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.BaseTransport | None,
        send_seconds: float = SEND_SECONDS,
    ) -> None:
        """`transport` is what the socket sends by; it has none if the browser has gone already."""
        self._socket = socket
        self._transport = transport
        self._send_seconds = send_seconds
        self._answers: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._wakes = asyncio.Event()
        self._closing: int | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message."""
        self.send_frame(orjson.dumps(message))

    def send_frame(self, frame: bytes) -> None:
        """Sends a message that is written already."""
        if self._waiting_bytes + len(frame) > MAX_WAITING_BYTES:
            self.close(TOO_SLOW)
        else:
            self._queue(frame)

    def close(self, code: int, line: str = "") -> None:
        """Closes the socket after what waits, with a `line` that says why."""
        if self._closing is None:
            if line:
                self._queue(orjson.dumps({"is": "gone", "line": line}))
            self._closing = code
            self._wakes.set()

    async def run(self) -> None:
        """Sends what is given to it until the socket is closed."""
        with suppress(ConnectionError):
            try:
                await self._send_all()
            except TimeoutError:
                self._drop()

    def _queue(self, frame: bytes) -> None:
        self._waiting_bytes += len(frame)
        self._answers.append(frame)
        self._wakes.set()

    async def _send_all(self) -> None:
        """Sends until the socket is closed. Raises TimeoutError if the browser does not read."""
        while not self._socket.closed:
            await self._wakes.wait()
            self._wakes.clear()
            while (frame := self._next()) is not None:
                async with asyncio.timeout(self._send_seconds):
                    await self._socket.send_frame(frame, WSMsgType.TEXT)
            if self._closing is not None:
                break
        async with asyncio.timeout(self._send_seconds):
            await self._socket.close(code=self._closing or SERVER_FAILS)

    def _next(self) -> bytes | None:
        """Returns the next frame."""
        if not self._answers:
            return None
        frame = self._answers.popleft()
        self._waiting_bytes -= len(frame)
        return frame

    def _drop(self) -> None:
        """Cuts the connection: what is left to send would wait for a browser that does not read."""
        if isinstance(self._transport, asyncio.WriteTransport):
            self._transport.abort()
