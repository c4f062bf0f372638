"""The socket of a board in a study: strokes come in by it, and go out to all who are there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from aiohttp import WSMsgType, hdrs, web

from play.ids import ChapterId
from play.refusal import Reason, Refused
from presentation.people import Names
from storage.errors import Unavailable
from use_cases.studies import Studies
from web import bodies
from web.access.links import UNLISTED
from web.access.visitors import Visitor, Visitors
from web.answers import user_of
from web.bodies import Json
from web.live.allowance import Allowance
from web.live.hub import SERVER_CLOSES, closing_code
from web.live.socket import HEARTBEAT_SECONDS, MAX_BAD_MESSAGES, MESSAGE_BURST, MESSAGE_SECONDS, POLICY, Identify
from web.own.pages import OwnBoardPages
from web.presentation.own_boards import read_point, write_board
from web.presentation.readers import Readers
from web.studies.acts import STROKES, BoardDeeds
from web.studies.rooms import Attendee, StudyRooms

log = logging.getLogger(__name__)

LIVE = f"/study/{{study:{UNLISTED}}}/{{chapter:[0-9]{{1,15}}}}/live"
"""The path of a socket."""

MAX_POINT = 6
"""Characters of a crossing."""


class StudySockets:
    """The route of sockets."""

    def __init__(
        self,
        visitors: Visitors,
        readers: Readers,
        names: Names,
        studies: Studies,
        pages: OwnBoardPages,
        deeds: BoardDeeds,
        rooms: StudyRooms,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._visitors = visitors
        self._readers = readers
        self._names = names
        self._studies = studies
        self._pages = pages
        self._deeds = deeds
        self._rooms = rooms
        self._clock = clock

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(LIVE, self._serve)
        app.on_shutdown.append(self._stop)

    async def _stop(self, _: web.Application) -> None:
        self._rooms.close()

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        self._visitors.require_origin(request)
        return await self.open(request, lambda _: self._visitors.identify(request))

    async def open(self, request: web.Request, identify: Identify) -> web.WebSocketResponse:
        """Lets the visitor whom `identify` finds draw at a board. Raises Refused (`bad_message`)."""
        socket = web.WebSocketResponse(compress=False, heartbeat=HEARTBEAT_SECONDS, max_msg_size=bodies.MAX_FRAME_BYTES)
        if not socket.can_prepare(request).ok:
            raise Refused(Reason.BAD_MESSAGE)
        await socket.prepare(request)
        try:
            await self._attend(socket, await self._join(request, socket, await identify(socket)))
        except Refused as refused:
            language = await self._readers.language(user_of(request), request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
            await socket.send_json({"is": "gone", "line": await self._readers.explain(refused, language, None)})
            await socket.close(code=closing_code(refused))
        except Unavailable as error:
            log.warning("the database does not answer a board of a study: %s", error)
            await socket.close(code=SERVER_CLOSES)
        return socket

    async def _join(self, request: web.Request, socket: web.WebSocketResponse, visitor: Visitor) -> Attendee:
        """Returns the attendee of a visitor. Raises Refused."""
        code, number = request.match_info["study"], request.match_info["chapter"]
        opened = await self._studies.open(code, visitor.user)
        guest = await self._pages.welcome(visitor.user, None)
        name = await self._names.of(visitor.user, None)
        if not self._rooms.has_room(visitor.user):
            raise Refused(Reason.TOO_MANY_BOARDS)
        told = ChapterId(int(number)), opened.role, name
        return Attendee(socket, request.transport, guest, visitor.cookie.digest, code, *told)

    async def _attend(self, socket: web.WebSocketResponse, attendee: Attendee) -> None:
        """Takes strokes until the socket is closed. Raises Refused, Unavailable."""
        board = await self._studies.load(attendee.code, attendee.chapter, attendee.user)
        words = self._readers.words(attendee.guest.language)
        told = await asyncio.to_thread(write_board, board, words)
        sending = asyncio.create_task(attendee.run())
        try:
            with self._rooms.attending(attendee, board) as newest:
                attendee.send({"is": "board", "board": told})
                if newest.version > board.version:  # by a stroke that was made meanwhile
                    attendee.send({"is": "renewed", "version": newest.version, "who": None})
                await self._receive(socket, attendee)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _receive(self, socket: web.WebSocketResponse, attendee: Attendee) -> None:
        allowance = Allowance(MESSAGE_BURST, MESSAGE_SECONDS, self._clock())
        async for frame in socket:
            is_allowed = allowance.takes(self._clock()) and allowance.bad < MAX_BAD_MESSAGES
            if not is_allowed or frame.type is not WSMsgType.TEXT:
                attendee.close(POLICY)
                break
            allowance.bad += not await self._answer(attendee, frame.data)
        async for _ in socket:  # until the browser knows that it is closed
            pass

    async def _answer(self, attendee: Attendee, data: str) -> bool:
        """Answers a message; returns whether it was one of the protocol."""
        message: Json = {}
        try:
            message = bodies.read_message(data)
            if (answer := await self._handle(attendee, message)) is not None:
                attendee.send(answer | {"id": bodies.id_of(message)})
        except Refused as refused:
            line = await self._readers.explain(refused, attendee.guest.language, None)
            attendee.send({"is": "refused", "id": bodies.id_of(message), "line": line})
            return refused.key != Reason.BAD_MESSAGE
        except Unavailable as error:
            # No answer: the browser sends the stroke again by its next socket.
            log.warning("the database does not answer a board of a study: %s", error)
            attendee.close(SERVER_CLOSES)
        return True

    async def _handle(self, attendee: Attendee, message: Json) -> Json | None:
        name = message.get("do")
        if name == "ping":
            return {"is": "pong"}
        if name == "cursor":
            named = message.get("point") is not None
            point = read_point(bodies.text(message, "point", MAX_POINT)) if named else None
            self._rooms.point(attendee, bodies.optional_number(message, "turn"), point)
            return None
        if name not in STROKES:
            raise Refused(Reason.BAD_MESSAGE)
        place = {"study": attendee.code, "chapter": attendee.chapter}
        async with self._readers.limits.place(attendee.user, plays=False):
            await self._visitors.sessions.identify(attendee.digest)
            return await self._deeds.act(attendee.guest, {**message, **place})
