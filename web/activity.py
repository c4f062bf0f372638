"""The way in of Discord's Activity: a code that the Discord client gives is exchanged for a session."""

from __future__ import annotations

import re
from pathlib import Path

import yarl
from aiohttp import web

from play.refusal import Reason, Refused
from web.access.cookies import AS, Cookie, cookies_of, public_id, set_cookie
from web.access.networks import network_of
from web.access.visitors import Visitors
from web.answers import USER
from web.ports import Discord, Readers

PAGE = Path(__file__).parent / "static" / "activity" / "index.html"

SAFE = re.compile(r"[\w-]{1,300}", re.ASCII)
"""A code, and an instance's id, which becomes a part of an address."""


class Activity:
    """The routes of the Activity. Discord's proxy has the page at `/`, the try-out at `/activity`."""

    def __init__(self, visitors: Visitors, readers: Readers, discord: Discord, *, secure: bool) -> None:
        """A `secure` site has cookies that browsers keep for the frame alone, and send by https only."""
        self._visitors = visitors
        self._readers = readers
        self._discord = discord
        self._secure = secure

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._show)
        app.router.add_get("/activity", self._show)
        app.router.add_get("/activity/client", self._tell_client)
        app.router.add_post("/activity/enter", self._enter)

    async def _show(self, _: web.Request) -> web.FileResponse:
        return web.FileResponse(PAGE)

    async def _tell_client(self, _: web.Request) -> web.Response:
        return web.json_response({"client": str(self._discord.application)})

    async def _enter(self, request: web.Request) -> web.Response:
        """Exchanges a code for a session, and answers where to go: to the game of the channel, or to an own one."""
        self._visitors.require_origin(request)
        self._readers.admit_visit(network_of(request))
        code, instance = await _read(request)
        user = await self._discord.identify(code)
        place = await self._discord.instance(instance)  # after the code: strangers spend none of the bot's requests
        if user not in place.users:
            raise Refused(Reason.BAD_LINK)
        request[USER] = user
        new, present = Cookie.new(), [cookie.digest for cookie in cookies_of(request)]
        match, digest = await self._visitors.sessions.launch(user, place.channel, new.digest, present)
        answer = web.json_response({"to": str(yarl.URL(f"/board/{match}") % {AS: public_id(digest)})})
        if digest == new.digest:
            set_cookie(answer, new, secure=self._secure, embedded=self._secure)
        return answer


async def _read(request: web.Request) -> tuple[str, str]:
    """Returns the code and the instance in a request's body. Raises Refused (`bad_message`)."""
    try:
        body = await request.json()
    except ValueError:
        raise Refused(Reason.BAD_MESSAGE) from None
    given = [body.get(name) for name in ("code", "instance")] if isinstance(body, dict) else []
    texts = [text for text in given if isinstance(text, str) and SAFE.fullmatch(text)]
    if len(texts) != 2:
        raise Refused(Reason.BAD_MESSAGE)
    return texts[0], texts[1]
