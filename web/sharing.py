"""The Activity shows others something in its user's Discord, when they ask for it: a picture, and their status.

Discord's client does neither before it has an access token of its user (AUTHENTICATE). The page gets one for that
alone, by a code of its own: docs/decisions/web.md#0175.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from play.match.match import Match
from play.refusal import Reason, Refused
from use_cases.public_games import PublicGames
from web.access.visitors import Visitors
from web.activity import Activity, read_number, read_text
from web.bodies import read_object
from web.ports import Discord, Grant
from web.presentation.readers import Readers

Draw = Callable[[Match, str], Awaitable[bytes]]
"""Returns the newest board of a match as PNG, in a language."""


class Sharing:
    """The routes by which a user's client gets their access token, and a picture at Discord."""

    def __init__(
        self,
        activity: Activity,
        visitors: Visitors,
        readers: Readers,
        discord: Discord,
        public: PublicGames,
        draw: Draw,
    ) -> None:
        self._activity = activity
        self._visitors = visitors
        self._readers = readers
        self._discord = discord
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
        """Answers with the access token, and the address of the newest board at Discord."""
        grant, match, language = await self._enter(request)
        picture = await self._draw(match, language)
        return web.json_response({"access": grant.access, "media": await self._discord.upload(grant, picture)})

    async def _enter(self, request: web.Request) -> tuple[Grant, Match, str]:
        """Returns the grant of the session's user, a match that they may see, and their language. Raises Refused."""
        self._activity.require_frame(request)
        body = await read_object(request)
        token, code, number = (read_text(body, name) for name in ("token", "code", "match"))
        visitor = await self._visitors.identify_token(request, token)
        match, seat = await self._visitors.sessions.enter(visitor.user, read_number(number))
        self._readers.limits.admit_user(visitor.user, match.guild)
        with self._visitors.entering(request, str(visitor.user)):
            grant = await self._discord.exchange(code, visitor.user)
            if grant.user != visitor.user:
                raise Refused(Reason.NOT_CONFIRMED)
        return grant, match, (await self._readers.audience(visitor.user, match.guild, seat)).language
