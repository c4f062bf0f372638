"""The Mini App: the page that a chat's client shows with data that the chat has signed, which open a session once."""

from __future__ import annotations

from aiohttp import web

from play.people.web_session import WebLink
from play.refusal import Reason, Refused
from web.access.visitors import Cookie, Visitors
from web.answers import MATCH, USER
from web.bodies import Json, read_object
from web.framed import Framed, FramedPage, read_wanted
from web.ports import Launcher

MAX_DATA = 4096
"""Characters of the signed data; a chat's have some 600."""


class MiniApp:
    """The routes by which a Mini App begins. What its page asks for then, web/framed.py answers."""

    def __init__(self, visitors: Visitors, launcher: Launcher, page: FramedPage, framed: Framed) -> None:
        self._visitors = visitors
        self._launcher = launcher
        self._page = page
        self._framed = framed

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/app", self._show)
        app.router.add_post("/app/enter", self._enter)

    async def _show(self, request: web.Request) -> web.Response:
        return await self._page.show(request, "app", self._launcher.frames)

    async def _enter(self, request: web.Request) -> web.Response:
        """Exchanges signed data for a session: its token, the game to show, and a link to it in a browser."""
        self._framed.require_frame(request)
        body = await read_object(request)
        link = await self._read(request, body)
        request[USER] = link.user
        if link.match is not None:
            request[MATCH] = link.match
        session = Cookie.new()
        with self._visitors.entering(request, link.id):
            match = await self._visitors.sessions.open_app(link, session.digest)
        url = await self._page.link(link.user, match)
        return web.json_response({"match": match and str(match), "here": None, "token": session.secret, "link": url})

    async def _read(self, request: web.Request, body: Json) -> WebLink:
        """Returns what the data of a body say. Only data that no chat has signed count against the network. Raises
        Refused (`launch_not_taken`, `closing`, `too_fast`), Unavailable."""
        data, now = body.get("data"), await self._visitors.sessions.now()
        try:
            if not isinstance(data, str) or len(data) > MAX_DATA:
                raise Refused(Reason.LAUNCH_NOT_TAKEN)
            return await self._launcher.read(data, read_wanted(body.get("wanted")), now)
        except Refused:
            self._visitors.admit(request)
            raise
