"""One open board: what it was sent, and what waits to be sent to it."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import ClientConnectionResetError, WSMsgType, web

from play.ids import MatchId, UserId
from play.match.match import Match
from web.ports import Audience

MAX_WAITING = 100
"""Answers that wait for a slow browser; with more it is closed."""

SEND_SECONDS = 20.0
"""Seconds that a browser may take for one frame."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A version of a match for an audience, as a frame."""

    version: int
    frame: bytes


class Watcher:
    """A socket's side that sends. Of boards that wait only the newest is sent; answers keep their order."""

    def __init__(
        self, socket: web.WebSocketResponse, match: Match, user: UserId, digest: str, audience: Audience
    ) -> None:
        self.match: MatchId = match.id
        self.user = user
        self.digest = digest
        self.audience = audience
        self._socket = socket
        self._board: Rendered | None = None
        self._answers: deque[bytes] = deque()
        self._wakes = asyncio.Event()
        self._closing: int | None = None

    def show(self, board: Rendered) -> None:
        """Sends a board, unless a newer one waits already."""
        if self._board is None or board.version >= self._board.version:
            self._board = board
            self._wakes.set()

    def send(self, message: dict[str, Any]) -> None:
        """Sends an answer."""
        if len(self._answers) >= MAX_WAITING:
            self.close(1008)
        else:
            self._answers.append(orjson.dumps(message))
            self._wakes.set()

    def close(self, code: int, line: str = "") -> None:
        """Closes the socket after what waits, with a `line` that says why."""
        if self._closing is None:
            if line:
                self._answers.append(orjson.dumps({"is": "gone", "line": line}))
            self._closing = code
            self._wakes.set()

    async def run(self) -> None:
        """Sends what is given to it until the socket is closed."""
        with suppress(ClientConnectionResetError, ConnectionError, TimeoutError):
            while not self._socket.closed:
                await self._wakes.wait()
                self._wakes.clear()
                await self._flush()
                if self._closing is not None:
                    await self._socket.close(code=self._closing)
                    return
        await self._socket.close(code=1011)

    async def _flush(self) -> None:
        while self._board is not None or self._answers:
            frame, self._board = (self._answers.popleft(), self._board) if self._answers else (self._frame(), None)
            async with asyncio.timeout(SEND_SECONDS):
                await self._socket.send_frame(frame, WSMsgType.TEXT)

    def _frame(self) -> bytes:
        assert self._board is not None, "it waits"
        return self._board.frame
