"""The way in and out: a link is exchanged for a session, and a session ends on request."""

import html

import orjson
import yarl
from aiohttp import hdrs, web

from play.people.web_session import WebLink
from play.refusal import Reason, Refused
from web.access.links import LinkSigner
from web.access.visitors import AS, Cookie, Visitors, public_id
from web.answers import MATCH, USER, ListWays, write_notice
from web.bodies import read_object
from web.presentation.readers import Readers

SCRIPT = '<script type="module" src="/static/enter/page.js" data-told="{told}" id="script"></script>\n'
"""What the page has beside a notice; its words, and the ways on, are JSON."""


class Entrance:
    """The routes by which sessions begin and end."""

    def __init__(self, visitors: Visitors, readers: Readers, signer: LinkSigner, list_ways: ListWays) -> None:
        self._visitors = visitors
        self._readers = readers
        self._signer = signer
        self._list_ways = list_ways

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/enter", self._show)
        app.router.add_post("/enter", self._enter)
        app.router.add_post("/leave", self._leave)

    async def _show(self, request: web.Request) -> web.Response:
        language = await self._readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        words, said = self._readers.words(language), self._readers.page_words(language, "enter")
        ways = await self._list_ways(request, Reason.NO_SESSION, words)
        told = {"words": said, "ways": [way._asdict() for way in ways]}
        script = SCRIPT.format(told=html.escape(orjson.dumps(told).decode()))
        page = write_notice(language, words("web.front.lead"), words("web.enter.wait"), (), script)
        return web.Response(text=page, content_type="text/html")

    async def _enter(self, request: web.Request) -> web.Response:
        self._visitors.require_origin(request)
        link = self._read(request, await _token(request))
        request[USER] = link.user
        if link.match is not None:
            request[MATCH] = link.match
        new, present = Cookie.new(), [cookie.digest for cookie in self._visitors.cookies.of(request)]
        with self._visitors.entering(request, link.id):
            digest = await self._visitors.sessions.exchange(link, new.digest, present)
        path = "/home" if link.match is None else f"/board/{link.match}"
        to = yarl.URL(path) % {AS: public_id(digest)}
        answer = web.json_response({"to": str(to)})
        if digest == new.digest:
            self._visitors.cookies.set(answer, new)
        return answer

    def _read(self, request: web.Request, token: str) -> WebLink:
        """Returns the link of a token. Only one that this bot has not made counts against the network. Raises Refused
        (`bad_link`, `closing`, `too_fast`)."""
        try:
            return self._signer.read(token)
        except Refused:
            self._visitors.admit(request)
            raise

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
