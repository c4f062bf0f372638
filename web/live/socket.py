"""The socket of a board: who may open it, the messages that it takes, and how it ends."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import WSMessage, WSMsgType, hdrs, web

from play.refusal import Reason, Refused
from rules.game import RuleError
from storage.errors import Unavailable
from use_cases.matches import Matches
from web import bodies
from web.access.visitors import Visitor, Visitors
from web.answers import user_of
from web.boards import match_of
from web.bodies import Json
from web.live.allowance import Allowance
from web.live.hub import SERVER_CLOSES, Hub, closing_code
from web.live.sender import Handler, Sender
from web.live.watcher import Watcher
from web.ports import Voters
from web.presentation.readers import Readers

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 30.0
"""Seconds after which a silent browser is asked whether it is there."""

MAX_BAD_MESSAGES = 10
"""Messages that are none of the protocol, after which a socket is closed."""

MESSAGE_BURST, MESSAGE_SECONDS = 60, 0.05
"""Messages of a socket at once, and the seconds for each further one."""

POLICY = 1008
"""A close code of docs/web-protocol.md."""

DEEDS = frozenset({"play", "act", "lay", "note", "erase", "restore", "plan", "unplan", "publish"})
"""What is done in the name of a user, whose session must not have ended meanwhile, in any process."""

POSTS = frozenset({("act", "rematch"), ("act", "rematch:accept"), ("publish", True)})
"""Deeds, with the first two parts of their `action`, or their `on`, that show others something new. All other deeds
belong to a player's seat, whose board the bot sends them even where they have left the server
(docs/decisions/web.md#0134)."""

SLOW = ("weigh", "hint", "review")
"""Messages whose answer takes seconds: one at a time of a socket, while others are answered."""

PUBLIC = frozenset({"describe", "ask", "ping", "replay", "review"})
"""What one who watches may send."""

VOTED = PUBLIC | {"try", "play", "act"}
"""What one who votes may send."""


Identify = Callable[[web.WebSocketResponse], Awaitable[Visitor]]
"""Finds whose socket it is that was opened. Raises Refused."""


class LiveBoards:
    """The route of sockets. `families` answer the messages, by their names."""

    def __init__(
        self,
        visitors: Visitors,
        readers: Readers,
        matches: Matches,
        hub: Hub,
        voters: Voters,
        families: Mapping[str, Handler],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._visitors = visitors
        self._readers = readers
        self._matches = matches
        self._hub = hub
        self._voters = voters
        self.families = families
        self._clock = clock

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/live/{match}", self._serve)
        app.on_shutdown.append(self._stop)

    async def _stop(self, _: web.Application) -> None:
        self._hub.close()

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        self._visitors.require_origin(request)
        return await self.open(request, lambda _: self._visitors.identify(request))

    async def open(self, request: web.Request, identify: Identify) -> web.WebSocketResponse:
        """Shows a board to the visitor whom `identify` finds. Raises Refused (`bad_message`)."""
        socket = web.WebSocketResponse(
            compress=False, heartbeat=HEARTBEAT_SECONDS, max_msg_size=bodies.MAX_FRAME_BYTES
        )  # docs/decisions/boards-and-panels.md#0122
        if not socket.can_prepare(request).ok:
            raise Refused(Reason.BAD_MESSAGE)
        await socket.prepare(request)
        try:
            watcher = await self._join(request, socket, await identify(socket))
            await self._watch(socket, watcher)
        except Refused as refused:
            await self._turn_away(request, socket, refused)
        except Unavailable as error:
            log.warning("the database does not answer a board: %s", error)
            await socket.close(code=SERVER_CLOSES)
        return socket

    async def _watch(self, socket: web.WebSocketResponse, watcher: Watcher) -> None:
        """Shows the board until the socket is closed. Raises Unavailable if that cannot begin."""
        sending = asyncio.create_task(watcher.run())
        try:
            with self._hub.watching(watcher):
                newest = await self._matches.load(watcher.match)
                watcher.show(await self._hub.render(newest, watcher.audience))
                await self._receive(socket, watcher)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _join(self, request: web.Request, socket: web.WebSocketResponse, visitor: Visitor) -> Watcher:
        """Returns the watcher of a visitor. Raises Refused."""
        match, seat = await self._visitors.sessions.enter(visitor.user, match_of(request))
        side = await self._voters.seat(match, visitor.user) if seat is None else None
        own = seat if side is None else side
        audience = await self._readers.audience(
            visitor.user, match.guild, own, votes=side is not None, away=match.is_turned
        )
        if not self._hub.has_room(visitor.user):  # last, so that of many at once none is let in before it counts
            raise Refused(Reason.TOO_MANY_BOARDS)
        return Watcher(socket, request.transport, match, visitor.user, visitor.cookie.digest, audience)

    async def _turn_away(self, request: web.Request, socket: web.WebSocketResponse, refused: Refused) -> None:
        """Says why a socket is closed: a script learns no status of a request that opens one."""
        language = await self._readers.language(user_of(request), request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        line = await self._readers.explain(refused, language, None)
        await socket.send_json({"is": "gone", "line": line})
        await socket.close(code=closing_code(refused))

    async def _receive(self, socket: web.WebSocketResponse, watcher: Watcher) -> None:
        allowance, slow = Allowance(MESSAGE_BURST, MESSAGE_SECONDS, self._clock()), set[asyncio.Task[bool]]()
        try:
            await self._answer_all(socket, watcher, allowance, slow)
        finally:
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)

    async def _answer_all(
        self,
        socket: web.WebSocketResponse,
        watcher: Watcher,
        allowance: Allowance,
        slow: set[asyncio.Task[bool]],
    ) -> None:
        async for frame in socket:
            if not allowance.takes(self._clock()) or allowance.bad >= MAX_BAD_MESSAGES:
                watcher.close(POLICY)
                return await self._drain(socket)
            if frame.type is not WSMsgType.TEXT:
                watcher.close(POLICY)
                return await self._drain(socket)
            if not await self._answer(watcher, frame, slow):
                allowance.bad += 1
        return None

    async def _drain(self, socket: web.WebSocketResponse) -> None:
        """Waits until the browser knows that the socket is closed."""
        async for _ in socket:
            pass

    async def _answer(self, watcher: Watcher, frame: WSMessage, slow: set[asyncio.Task[bool]]) -> bool:
        """Answers a message, or begins to in a task of `slow`; returns whether it was one of the protocol."""
        try:
            message = bodies.read_message(frame.data)
        except Refused as refused:
            await self._refuse(watcher, {}, refused)
            return False
        if message.get("do") not in SLOW:
            return await self._reply(watcher, message)
        if slow:
            await self._refuse(watcher, message, Refused(Reason.LANE_YOURS))
        else:
            task = asyncio.create_task(self._reply(watcher, message))
            slow.add(task)
            task.add_done_callback(slow.discard)
        return True

    async def _reply(self, watcher: Watcher, message: Json) -> bool:
        """Answers a message; returns whether it was one of the protocol."""
        try:
            answer = await self.handle(watcher, message)
        except Refused as refused:
            await self._refuse(watcher, message, refused)
            if refused.key == Reason.NO_SESSION:
                self._hub.sign_out(watcher)
            return refused.key != Reason.BAD_MESSAGE
        except RuleError as error:
            await self._refuse(watcher, message, Refused.by_rules(error))
        except Unavailable as error:
            log.warning("the database does not answer a board: %s", error)
            self._say(watcher, message, "error.unavailable")
        except Exception:
            log.exception("a message of a board failed")
            self._say(watcher, message, "web.page.failed")
        else:
            watcher.send(answer)
        return True

    async def handle(self, watcher: Watcher, message: Json) -> Json:
        """Returns the answer to a message. Raises Refused, RuleError and Unavailable."""
        name = message.get("do")
        handler = self.families.get(name) if isinstance(name, str) else None
        if handler is None or not isinstance(name, str):
            raise Refused(Reason.BAD_MESSAGE)
        if watcher.audience.seat is None and name not in PUBLIC:
            raise Refused(Reason.ONLY_WATCHING)
        if watcher.audience.votes and name not in VOTED:
            raise Refused(Reason.ONLY_WATCHING)
        sender = Sender(watcher.user, watcher.match, watcher.audience)
        if name not in DEEDS:
            return await handler(sender, message)
        async with self._readers.limits.place(watcher.user, plays=name == "play"):
            await self._visitors.sessions.identify(watcher.digest)
            if posts(name, message):
                await self._visitors.sessions.check_posting(watcher.user, watcher.match)
            return await handler(sender, message)

    async def _refuse(self, watcher: Watcher, message: Json, refused: Refused) -> None:
        line = await self._readers.explain(refused, watcher.audience.language, None)
        watcher.send({"is": "refused", "id": bodies.id_of(message), "line": line})

    def _say(self, watcher: Watcher, message: Json, key: str) -> None:
        line = self._readers.words(watcher.audience.language)(key)
        watcher.send({"is": "refused", "id": bodies.id_of(message), "line": line})


def posts(name: str, message: Json) -> bool:
    """Returns whether a deed shows others something new, as only members do who may write there."""
    value = message.get("on" if name == "publish" else "action")
    if isinstance(value, str):
        value = ":".join(value.split(":")[:2])
    return (name, value) in POSTS if isinstance(value, str | bool) else False
