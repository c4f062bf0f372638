"""The way in of Discord's Activity: a code that the Discord client gives is exchanged for a session."""

from __future__ import annotations

import re
from pathlib import Path

import yarl
from aiohttp import web

from play.ids import ChannelId, UserId
from play.refusal import Reason, Refused
from web.access.cookies import AS, Cookie, public_id
from web.access.networks import network_of
from web.access.visitors import Visitors
from web.answers import USER
from web.bodies import read_object
from web.ports import Discord, Readers

PAGE = Path(__file__).parent / "static" / "activity" / "index.html"

SAFE = re.compile(r"[\w-]{1,300}", re.ASCII)
"""A code, and an instance's id, which becomes a part of an address."""


class Activity:
    """The routes of the Activity. Discord's proxy has the page at `/`, the try-out at `/activity`."""

    def __init__(self, visitors: Visitors, readers: Readers, discord: Discord) -> None:
        self._visitors = visitors
        self._readers = readers
        self._discord = discord

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
        network = network_of(request)
        self._readers.admit_entry(network)
        try:
            user, channel = await self._ask(*await _read(request))
        except Refused as refused:
            if refused.key == Reason.ENTRANCE_BUSY:  # which is no fault of theirs
                self._readers.give_back_entry(network)
            raise
        self._readers.give_back_entry(network)
        request[USER] = user
        new, present = Cookie.new(), [cookie.digest for cookie in self._visitors.cookies.of(request)]
        match, digest = await self._visitors.sessions.launch(user, channel, new.digest, present)
        answer = web.json_response({"to": str(yarl.URL(f"/board/{match}") % {AS: public_id(digest)})})
        if digest == new.digest:
            self._visitors.cookies.set(answer, new, embedded=True)
        return answer

    async def _ask(self, code: str, instance: str) -> tuple[UserId, ChannelId]:
        """Returns who has given a code, and the channel of the instance that they have open. Raises Refused
        (`bad_link`, `entrance_busy`), Unavailable."""
        user = await self._discord.identify(code)
        place = await self._discord.instance(instance)  # after the code: strangers spend none of the bot's requests
        if user not in place.users:
            raise Refused(Reason.BAD_LINK)
        return user, place.channel


async def _read(request: web.Request) -> tuple[str, str]:
    """Returns the code and the instance in a request's body. Raises Refused (`bad_message`)."""
    body = await read_object(request)
    given = [body.get(name) for name in ("code", "instance")]
    texts = [text for text in given if isinstance(text, str) and SAFE.fullmatch(text)]
    if len(texts) != 2:
        raise Refused(Reason.BAD_MESSAGE)
    return texts[0], texts[1]
