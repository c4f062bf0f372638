"""One open board: what it was sent, and what waits; and who watches which game, noted for all processes."""

import asyncio
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import WSMsgType, web

from play.ids import MatchId, UserId
from play.match.match import Match
from play.people.web_session import Watching
from play.refusal import Refused
from presentation.people import Names
from use_cases.channel_rights import Spectators
from use_cases.matches import Matches
from web.bodies import Json
from web.presentation.readers import Audience, Readers

MAX_WAITING_BYTES = 1_000_000
"""Bytes of answers that wait for a slow browser; with more it is closed."""

SEND_SECONDS = 20.0
"""Seconds that a browser may take for one frame, and to close."""

SERVER_FAILS, TOO_SLOW = 1011, 1008
"""Close codes of docs/web-protocol.md."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A version of a match for an audience, as a frame."""

    version: int
    frame: bytes


class Watcher:
    """A socket's side that sends. Of boards that wait only the newest is sent; answers keep their order."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.BaseTransport | None,
        match: Match,
        user: UserId,
        digest: str,
        audience: Audience,
        send_seconds: float = SEND_SECONDS,
    ) -> None:
        """`transport` is what the socket sends by; it has none if the browser has gone already."""
        self.match: MatchId = match.id
        self.user = user
        self.digest = digest
        self.audience = audience
        self.checked = 0.0
        """When it was last asked whether the user may watch, on the hub's clock."""
        self.spectators: Sequence[UserId] = []
        """Who the browser was told watches the match."""
        self._socket = socket
        self._transport = transport
        self._send_seconds = send_seconds
        self._board: Rendered | None = None
        self._answers: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._wakes = asyncio.Event()
        self._closing: int | None = None

    def show(self, board: Rendered) -> None:
        """Sends a board, unless a newer one waits already."""
        if self._board is None or board.version >= self._board.version:
            self._board = board
            self._wakes.set()

    def send(self, message: dict[str, Any]) -> None:
        """Sends an answer."""
        frame = orjson.dumps(message)
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
        """Returns the next frame: an answer, or else the newest board."""
        if self._answers:
            frame = self._answers.popleft()
            self._waiting_bytes -= len(frame)
            return frame
        board, self._board = self._board, None
        return None if board is None else board.frame

    def _drop(self) -> None:
        """Cuts the connection: what is left to send would wait for a browser that does not read."""
        if isinstance(self._transport, asyncio.WriteTransport):
            self._transport.abort()


class Attendance:
    """The spectators of open boards. A player is none on any of their own boards, and a user with many counts once."""

    def __init__(self, spectators: Spectators, matches: Matches, names: Names, readers: Readers) -> None:
        self._spectators = spectators
        self._matches = matches
        self._names = names
        self._readers = readers
        self._noted: frozenset[Watching] = frozenset()

    async def refresh(self, boards: Mapping[MatchId, Collection[Watcher]], *, renews: bool) -> None:
        """Notes who has come and gone, or with `renews` all who are here, and tells each board what is new to it.

        Raises Unavailable.
        """
        here = frozenset(
            Watching(watcher.user, watcher.match)
            for watchers in boards.values()
            for watcher in watchers
            if watcher.audience.seat is None
        )
        come, gone = here if renews else here - self._noted, self._noted - here
        if come or gone:
            await self._spectators.note(come, gone)
            self._noted = here
        if boards:
            found = await self._spectators.of([*boards])
            for match, watchers in boards.items():
                spectators = found.get(match, [])
                if behind := [watcher for watcher in watchers if watcher.spectators != spectators]:
                    await self._tell(match, spectators, behind)

    async def _tell(self, match: MatchId, spectators: Sequence[UserId], watchers: Collection[Watcher]) -> None:
        try:
            stored = await self._matches.load(match)
        except Refused:  # it was deleted, and its boards close
            return
        for away in (False, True) if stored.away is not None else (False,):
            there = [watcher for watcher in watchers if watcher.audience.away is away]
            await self._tell_place(stored.look_from(away=away), spectators, there)

    async def _tell_place(self, match: Match, spectators: Sequence[UserId], watchers: Collection[Watcher]) -> None:
        """Tells those who see a match from one of its places, who read no names of the other."""
        named = await self._spectators.names_for({watcher.user for watcher in watchers}, match, spectators)
        told: dict[tuple[str, tuple[UserId, ...]], Json] = {}
        for watcher in watchers:
            key = watcher.audience.language, named[watcher.user]
            if key not in told:
                told[key] = await self._message(match, len(spectators), *key)
            watcher.send(told[key])
            watcher.spectators = spectators

    async def _message(self, match: Match, count: int, language: str, named: tuple[UserId, ...]) -> Json:
        words = self._readers.words(language)
        line = words("web.watchers", count=count) if count else ""
        if named:
            names = [*await self._names.of_all(named, match.guild), *(["…"] if len(named) < count else [])]
            line = f"{line}: {', '.join(names)}"
        return {"is": "watching", "count": count, "line": line}
