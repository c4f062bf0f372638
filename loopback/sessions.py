"""A gateway connection, and the session that may outlive it."""

import asyncio
import json
import secrets
import zlib
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from aiohttp import web

from loopback.dispatches import Intent

Json = dict[str, Any]

MAX_KEPT_EVENTS = 1000  # that a session keeps for a client that resumes it


class Op(IntEnum):
    """Discord's gateway opcodes, as far as a bot of this kind needs them."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class CloseCode(IntEnum):
    """The code with which a WebSocket closes."""

    CLOSED = 1000
    GOING_AWAY = 1001
    LOST = 1006
    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SHARD = 4010
    SHARDING_REQUIRED = 4011
    INVALID_API_VERSION = 4012
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


class Connection:
    """One WebSocket with a queue of payloads, compressed if the client asks for that; a full queue aborts it."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse, max_payloads: int) -> None:
        self.socket = socket
        self.session: Session | None = None
        self._transport = request.transport
        self._queue: asyncio.Queue[Json | CloseCode] = asyncio.Queue(max_payloads)
        # a client that asks for zstd-stream gets plain text frames, which it takes as well
        self._zlib = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None

    def send(self, payload: Json) -> None:
        """Queues a payload."""
        self._put(payload)

    def close(self, code: CloseCode) -> None:
        """Closes the socket after the queued payloads."""
        self._put(code)

    def _put(self, item: Json | CloseCode) -> None:
        try:
            self._queue.put_nowait(item)
        except asyncio.QueueFull:
            self.abort()

    def abort(self) -> None:
        """Breaks the connection without a close frame."""
        if self._transport is not None:
            self._transport.abort()

    async def write(self) -> None:
        """Sends the queued payloads, until the socket is closed."""
        while not isinstance(item := await self._queue.get(), CloseCode):
            text = json.dumps(item, ensure_ascii=False)
            if self._zlib is None:
                await self.socket.send_str(text)
            else:
                await self.socket.send_bytes(self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH))
        await self.socket.close(code=item)


@dataclass(eq=False, slots=True)
class Session:
    """A session that one IDENTIFY began; it outlives its connection for a while.

    ``lost_at`` is when the connection broke, in seconds.
    """

    connection: Connection | None
    intents: Intent
    shard: tuple[int, int]
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    sequence: int = 0
    sent: deque[Json] = field(default_factory=lambda: deque(maxlen=MAX_KEPT_EVENTS))
    lost_at: float = 0.0

    def dispatch(self, name: str, data: Json) -> None:
        """Sends an event, or keeps it for a client that resumes."""
        self.sequence += 1
        payload = {"op": Op.DISPATCH, "t": name, "s": self.sequence, "d": data}
        self.sent.append(payload)
        if self.connection is not None:
            self.connection.send(payload)

    def events_after(self, sequence: int) -> list[Json] | None:
        """Returns the events after a sequence number; None if some are not kept any more."""
        missed = [payload for payload in self.sent if payload["s"] > sequence]
        return missed if sequence <= self.sequence and len(missed) == self.sequence - sequence else None
