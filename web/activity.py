"""The Activity, which the chat's own client shows: a code that it gives is exchanged for a session, and then the board.

What it shows others in its user's chat, a picture and their status, it shows when they ask for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from aiohttp import web

from play.ids import ChannelId, MatchId, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from use_cases.public_pages import PublicGames
from web.access.visitors import Cookie, Visitors, network_of
from web.answers import USER
from web.bodies import Json, read_object
from web.framed import Framed, FramedPage, read_number, read_text, read_wanted
from web.ports import Application, Grant, Place
from web.presentation.readers import Readers

Draw = Callable[[Match, str], Awaitable[bytes]]
"""Returns the newest board of a match as PNG, in a language."""


class Activity:
    """The routes of the Activity. The proxy of the platform has the page at `/`, which web/pages/front.py leaves to
    `show` in frames, the try-out at `/activity`."""

    def __init__(self, visitors: Visitors, application: Application, page: FramedPage, framed: Framed) -> None:
        self._visitors = visitors
        self._application = application
        self._page = page
        self._framed = framed

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/activity", self.show)
        app.router.add_get("/activity/client", self._tell_client)
        app.router.add_post("/activity/enter", self._enter)

    async def show(self, request: web.Request) -> web.StreamResponse:
        """Answers with the page."""
        return await self._page.show(request, "activity")

    async def _tell_client(self, _: web.Request) -> web.Response:
        return web.json_response({"client": str(self._application.id)})

    async def _enter(self, request: web.Request) -> web.Response:
        """Exchanges a code for a session: its token, the game to show, and a link to the same board in a browser."""
        self._framed.require_frame(request)
        entry = _read_entry(await read_object(request))
        # Before the code: who knows no room that is open closes none.
        place = await self._application.find_instance(entry.instance, network_of(request))
        with self._visitors.entering(request, entry.instance):
            user, channel = await self._ask(entry, place)
        request[USER] = user
        session = Cookie.new()
        launch = await self._visitors.sessions.launch(user, channel, session.digest, entry.wanted)
        link = await self._page.link(user, launch.match, launch.seen)
        match = None if launch.match is None else str(launch.match)
        told = {"match": match, "here": str(channel), "token": session.secret, "link": link}
        return web.json_response(told)

    async def _ask(self, entry: _Entry, place: Place) -> tuple[UserId, ChannelId]:
        """Returns who has given a code, and the channel of the instance that they have open; `place` is what was last
        heard of it. Raises Refused (`not_confirmed`, `activity_ended`, `entrance_busy`), Unavailable."""
        user = (await self._application.exchange(entry.code, hash(entry.instance))).user
        if user not in place.users:
            place = await self._application.instance(entry.instance)
        if user not in place.users:
            raise Refused(Reason.ACTIVITY_ENDED)
        return user, place.channel


class _Entry(NamedTuple):
    """The code and the instance that a client gives, and the game that the Activity's link names."""

    code: str
    instance: str
    wanted: MatchId | None


def _read_entry(body: Json) -> _Entry:
    """Returns what a body enters by. Raises Refused (`bad_message`)."""
    return _Entry(read_text(body, "code"), read_text(body, "instance"), read_wanted(body.get("custom")))


class Sharing:
    """The routes by which a user's client gets their access token, and a picture on the platform."""

    def __init__(
        self,
        framed: Framed,
        visitors: Visitors,
        readers: Readers,
        application: Application,
        public: PublicGames,
        draw: Draw,
    ) -> None:
        self._framed = framed
        self._visitors = visitors
        self._readers = readers
        self._application = application
        self._public = public
        self._draw = draw

    def add_routes(self, app: web.Application) -> None:
        app.router.add_post("/activity/status", self._begin_status)
        app.router.add_post("/activity/picture", self._share_picture)

    async def _begin_status(self, request: web.Request) -> web.Response:
        """Answers with the access token, and whether the status may name the players: everyone may read that."""
        grant, match, _ = await self._enter(request)
        return web.json_response({"access": grant.access, "named": await self._public.is_open(match)})

    async def _share_picture(self, request: web.Request) -> web.Response:
        """Answers with the access token, and the address of the newest board there."""
        grant, match, language = await self._enter(request)
        picture = await self._draw(match, language)
        return web.json_response({"access": grant.access, "media": await self._application.upload(grant, picture)})

    async def _enter(self, request: web.Request) -> tuple[Grant, Match, str]:
        """Returns the grant of the session's user, a match that they may see, and their language. Raises Refused."""
        self._framed.require_frame(request)
        body = await read_object(request)
        token, code, number = (read_text(body, name) for name in ("token", "code", "match"))
        visitor = await self._visitors.identify_token(request, token)
        match, seat = await self._visitors.sessions.enter(visitor.user, read_number(number))
        self._readers.limits.admit_user(visitor.user, match.guild)
        with self._visitors.entering(request, str(visitor.user)):
            grant = await self._application.exchange(code, visitor.user)
            if grant.user != visitor.user:
                raise Refused(Reason.NOT_CONFIRMED)
        return grant, match, (await self._readers.audience(visitor.user, match.guild, seat)).language
