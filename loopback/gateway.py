"""The gateway: the bot's sessions over WebSockets, with their start, resumption and end.

Source: https://discord.com/developers/docs/events/gateway
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from aiohttp import WSMessage, WSMsgType, web

from loopback.access import secrets_match
from loopback.bounds import Bounds
from loopback.dispatches import PRIVILEGED, Dispatch, Intent, dispatches
from loopback.events import Event, PresenceChanged
from loopback.sessions import CloseCode, Connection, Op, Session
from loopback.wire import Wire

Json = dict[str, Any]

HEARTBEAT_MILLISECONDS = 41_250
RESUME_SECONDS = 120.0  # for which a lost session can be resumed
ALL_INTENTS = (1 << 26) - 1


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
