"""The way in and out: a link is exchanged for a session, and a session ends on request."""

from __future__ import annotations

from pathlib import Path

import yarl
from aiohttp import web

from play.refusal import Reason, Refused
from web.access.cookies import AS, Cookie, public_id
from web.access.links import LinkSigner
from web.access.visitors import Visitors
from web.answers import USER
from web.bodies import read_object

PAGE = Path(__file__).parent / "static" / "enter" / "index.html"


class Entrance:
    """The routes by which sessions begin and end."""

    def __init__(self, visitors: Visitors, signer: LinkSigner) -> None:
        self._visitors = visitors
        self._signer = signer

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/enter", self._show)
        app.router.add_post("/enter", self._enter)
        app.router.add_post("/leave", self._leave)

    async def _show(self, _: web.Request) -> web.FileResponse:
        return web.FileResponse(PAGE)

    async def _enter(self, request: web.Request) -> web.Response:
        self._visitors.require_origin(request)
        self._visitors.admit(request)
        link = self._signer.read(await _token(request))
        request[USER] = link.user
        new, present = Cookie.new(), [*self._visitors.cookies.of(request)]
        digest = await self._visitors.sessions.exchange(link, new.digest, [cookie.digest for cookie in present])
        path = "/home" if link.match is None else f"/board/{link.match}"
        to = yarl.URL(path) % {AS: public_id(digest)}
        answer = web.json_response({"to": str(to)})
        if digest == new.digest:
            self._visitors.cookies.set(answer, new)
        return answer

    async def _leave(self, request: web.Request) -> web.Response:
        self._visitors.require_origin(request)
        self._visitors.admit(request)
        answer, cookie = web.Response(status=204), self._visitors.cookies.chosen(request)
        if cookie is not None:
            await self._visitors.sessions.leave(cookie.digest)
            self._visitors.cookies.delete(answer, cookie)
        return answer


async def _token(request: web.Request) -> str:
    """Returns the token in a request's body. Raises Refused (`bad_message`)."""
    token = (await read_object(request)).get("token")
    if not isinstance(token, str):
        raise Refused(Reason.BAD_MESSAGE)
    return token
