"""The sign-in of a browser that comes without a link: Discord says who it is, and it goes on to where it wanted."""

from __future__ import annotations

import re
from typing import Final

import yarl
from aiohttp import web

from play.ids import MatchId
from play.refusal import Reason, Refused
from web.access.cookies import AS, Cookie, public_id
from web.access.errands import Errand
from web.access.networks import network_of
from web.access.visitors import Visitors
from web.access.ways import SIGN_IN
from web.answers import MATCH, USER
from web.boards import read_match
from web.ports import Discord

RETURN: Final = f"{SIGN_IN}/return"
"""Where a user comes back to: a redirect of the application."""

CODE: Final = re.compile(r"[\w-]{1,300}", re.ASCII)


class SignIn:
    """The routes of the sign-in. The board that a visitor wants waits in the cookie of their errand, by its number: so
    nobody is led to another place."""

    def __init__(self, visitors: Visitors, discord: Discord, address: yarl.URL) -> None:
        """`address` is that of the site in a browser."""
        self._visitors = visitors
        self._discord = discord
        self._errand = Errand(address, RETURN, "kropka-signing-in")

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(SIGN_IN, self._begin)
        app.router.add_get(RETURN, self._come_back)

    async def _begin(self, request: web.Request) -> web.Response:
        """Leads to Discord, which asks whether the user lets the bot know who they are."""
        wanted = request.query.get("match", "")
        return self._errand.begin(self._discord.consent, str(read_match(wanted)) if wanted else "")

    async def _come_back(self, request: web.Request) -> web.Response:
        """Opens a session for a user who comes back from Discord, and leads to the board that they wanted, or home."""
        carried = self._errand.come_back(request, Reason.NOT_CONFIRMED)
        wanted = read_match(carried) if carried else None
        if wanted is not None:
            request[MATCH] = wanted
        answer = await self._enter(request, wanted)
        self._errand.end(answer)
        return answer

    async def _enter(self, request: web.Request, wanted: MatchId | None) -> web.Response:
        code = request.query.get("code", "")
        if not CODE.fullmatch(code):  # there is none where the user has said no
            raise Refused(Reason.NOT_CONFIRMED)
        room = await self._visitors.room_of(request, RETURN)
        with self._visitors.entering(request, room):
            asker = hash((network_of(request), room))
            user = (await self._discord.exchange(code, asker, self._errand.back)).user
        request[USER] = user
        new, present = Cookie.new(), [cookie.digest for cookie in self._visitors.cookies.of(request)]
        digest = await self._visitors.sessions.sign_in(user, new.digest, present)
        to = yarl.URL("/home" if wanted is None else f"/board/{wanted}") % {AS: public_id(digest)}
        answer = web.Response(status=303, headers={"Location": f"{to}#in"})
        if digest == new.digest:
            self._visitors.cookies.set(answer, new)
        return answer
