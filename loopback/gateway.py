"""The gateway: connections over WebSockets, and the bot's sessions, which may outlive them: start, resumption and
end."""

import asyncio
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from aiohttp import WSMessage, WSMsgType, web

from loopback.access import Bounds, secrets_match
from loopback.dispatches import PRIVILEGED, Dispatch, Intent, dispatches
from loopback.events import Event, PresenceChanged
from loopback.wire import Wire

Json = dict[str, Any]

MAX_KEPT_EVENTS = 1000  # that a session keeps for a client that resumes it

HEARTBEAT_MILLISECONDS = 41_250
RESUME_SECONDS = 120.0  # for which a lost session can be resumed
ALL_INTENTS = (1 << 26) - 1


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


class Gateway:
    """The endpoint of the gateway; it sends each session the events of its intents and its shard.

    Args:
        token: the token that IDENTIFY must contain.
        address: the address of the gateway, for READY.
        report_problem: records a frame that no correct client sends.
        spread: every channel has the shard that a server of its own has, so that many shards have work.
    """

    def __init__(
        self,
        wire: Wire,
        token: str,
        address: str,
        report_problem: Callable[[str], None],
        bounds: Bounds,
        *,
        spread: bool = False,
    ) -> None:
        self._wire = wire
        self._token = token
        self._address = address
        self._report_problem = report_problem
        self._bounds = bounds
        self._spread = spread
        self._sessions: dict[str, Session] = {}
        self._connections: dict[Connection, None] = {}  # the oldest first
        self._refusal: CloseCode | None = None

    @property
    def online(self) -> bool:
        """Returns whether a session is connected."""
        return any(session.connection for session in self._sessions.values())

    @property
    def shards(self) -> set[int]:
        """Returns the numbers of the shards whose sessions are connected."""
        return {session.shard[0] for session in self._sessions.values() if session.connection}

    def on_event(self, event: Event) -> None:
        """Sends the gateway events for an event of the world."""
        for dispatch in dispatches(self._wire, event):
            for session in self._sessions.values():
                if self._receives(session, dispatch):
                    session.dispatch(dispatch.name, dispatch.data)

    def reconnect(self) -> None:
        """Asks the clients to reconnect and resume."""
        for connection in self._connections:
            connection.send({"op": Op.RECONNECT, "d": None})

    def drop(self) -> None:
        """Breaks all connections."""
        for connection in tuple(self._connections):
            connection.abort()

    def close(self) -> None:
        """Closes all connections, since the server stops."""
        for connection in self._connections:
            connection.close(CloseCode.GOING_AWAY)

    def refuse(self, code: CloseCode) -> None:
        """Closes all connections with a code, and from then on refuses every session with it."""
        self._refusal = code
        for connection in self._connections:
            connection.close(code)

    def invalidate(self) -> None:
        """Ends all sessions; the clients must identify anew."""
        self._sessions.clear()
        for connection in self._connections:
            connection.send({"op": Op.INVALID_SESSION, "d": False})

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serves one WebSocket, from HELLO to its end."""
        socket = web.WebSocketResponse(max_msg_size=4096, timeout=1.0, autoclose=False)
        await socket.prepare(request)
        connection = Connection(request, socket, self._bounds.queued_payloads)
        self._connections[connection] = None
        for oldest in [each for each in self._connections if each.session is None][: -self._bounds.unidentified]:
            oldest.abort()
        writer = asyncio.create_task(connection.write())
        connection.send({"op": Op.HELLO, "d": {"heartbeat_interval": HEARTBEAT_MILLISECONDS}})
        close_code = None
        try:
            while close_code is None:
                match await socket.receive():
                    case WSMessage(WSMsgType.TEXT, str() as text):
                        if code := self._receive(connection, text):
                            connection.close(code)
                    case WSMessage(WSMsgType.CLOSE, code):
                        close_code = int(code)
                    case WSMessage(WSMsgType.CLOSING | WSMsgType.CLOSED | WSMsgType.ERROR):
                        close_code = CloseCode.LOST
                    case _:
                        connection.close(CloseCode.DECODE_ERROR)
        finally:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            self._end(connection, clean=close_code in (CloseCode.CLOSED, CloseCode.GOING_AWAY))
            await socket.close()
        return socket

    def _receive(self, connection: Connection, text: str) -> CloseCode | None:
        """Handles a frame; returns the code to close the connection with, if it must be closed."""
        try:
            frame = json.loads(text)
            op, data = frame["op"], frame.get("d")
        except (ValueError, KeyError, TypeError):
            self._report_problem(f"gateway: a frame that cannot be read: {text[:200]}")
            return CloseCode.DECODE_ERROR
        if op == Op.HEARTBEAT:
            connection.send({"op": Op.HEARTBEAT_ACK, "d": None})
            return None
        if op in (Op.IDENTIFY, Op.RESUME) and self._refusal:
            return self._refusal
        if op in (Op.IDENTIFY, Op.RESUME) and not isinstance(data, dict):
            return CloseCode.DECODE_ERROR
        if op == Op.IDENTIFY:
            return CloseCode.ALREADY_AUTHENTICATED if connection.session else self._identify(connection, data)
        if op == Op.RESUME:
            return CloseCode.ALREADY_AUTHENTICATED if connection.session else self._resume(connection, data)
        if op == Op.PRESENCE:
            return None if connection.session else CloseCode.NOT_AUTHENTICATED
        self._report_problem(f"gateway: opcode {op} is unknown to the stand-in")
        return CloseCode.UNKNOWN_OPCODE

    def _identify(self, connection: Connection, data: Json) -> CloseCode | None:
        if not secrets_match(data.get("token"), self._token):
            return CloseCode.AUTHENTICATION_FAILED
        intents, shard = data.get("intents"), data.get("shard", [0, 1])
        if not isinstance(intents, int) or not 0 <= intents <= ALL_INTENTS:
            return CloseCode.INVALID_INTENTS
        if Intent(intents) & PRIVILEGED:
            self._report_problem(f"gateway: privileged intents asked for: {(Intent(intents) & PRIVILEGED).name}")
            return CloseCode.DISALLOWED_INTENTS
        if not 0 <= shard[0] < shard[1]:
            return CloseCode.INVALID_SHARD
        session = Session(connection, Intent(intents), (shard[0], shard[1]))
        connection.session = session
        self._sessions[session.id] = session
        world = self._wire.world
        sees_guilds = Intent.GUILDS in session.intents and self._has_shard(session, dm=False)
        guilds = [each for each in world.guilds if sees_guilds and world.is_member(world.bot.id, each)]
        application = {"id": str(self._wire.world.application_id), "flags": self._wire.application_flags}
        ready: Json = {
            "v": 10,
            "user": self._wire.myself(),
            "guilds": [{"id": str(each.id), "unavailable": True} for each in guilds],
            "session_id": session.id,
            "resume_gateway_url": self._address,
            "shard": list(session.shard),
            "application": application,
        }
        session.dispatch("READY", ready)
        for each in guilds:
            session.dispatch("GUILD_CREATE", self._wire.joined_guild(each) | {"unavailable": False})
        self._wire.world.publish(PresenceChanged(online=True))
        return None

    def _resume(self, connection: Connection, data: Json) -> CloseCode | None:
        if not secrets_match(data.get("token"), self._token):
            return CloseCode.AUTHENTICATION_FAILED
        self._drop_expired_sessions()
        session = self._sessions.get(data["session_id"])
        missed = None if session is None else session.events_after(data.get("seq") or 0)
        if session is None or missed is None:
            connection.send({"op": Op.INVALID_SESSION, "d": False})
            return None
        if session.connection is not None:
            session.connection.session = None
        connection.session, session.connection = session, connection
        for payload in missed:
            connection.send(payload)
        session.dispatch("RESUMED", {})
        self._wire.world.publish(PresenceChanged(online=True))
        return None

    def _end(self, connection: Connection, *, clean: bool) -> None:
        """Ends the session if the client closed with 1000 or 1001; otherwise keeps it for a resumption."""
        self._connections.pop(connection, None)
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection, session.lost_at = None, self._wire.world.now()
        if clean:
            self._sessions.pop(session.id, None)
        self._wire.world.publish(PresenceChanged(online=self.online))

    def _drop_expired_sessions(self) -> None:
        for session in list(self._sessions.values()):
            if session.connection is None and self._wire.world.now() - session.lost_at > RESUME_SECONDS:
                del self._sessions[session.id]

    def _receives(self, session: Session, dispatch: Dispatch) -> bool:
        channel = int(dispatch.data.get("channel_id", 0)) if self._spread else 0
        return dispatch.intent in session.intents and self._has_shard(session, dm=dispatch.dm, channel=channel)

    def _has_shard(self, session: Session, *, dm: bool, channel: int = 0) -> bool:
        """Returns whether the session's shard has the guild (or the channel in its place), or the DMs."""
        number, count = session.shard
        return number == (0 if dm else ((channel or self._wire.world.guild.id) >> 22) % count)
