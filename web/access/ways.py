"""Where those go on who are refused: the buttons below the sentence that says why."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import yarl
from aiohttp import web

from play.refusal import Reason
from presentation.addresses import DISCORD
from presentation.words.words import Words
from storage.errors import Unavailable
from web.access.cookies import AS
from web.access.visitors import Visitors
from web.answers import MATCH
from web.notices import Way

SIGN_IN: Final = "/sign-in"
"""The address at which a browser signs in."""

STRANGERS: Final = frozenset(
    {
        *(Reason.NO_SESSION, Reason.NOT_CONFIRMED, Reason.NO_COOKIES),
        *(Reason.BAD_LINK, Reason.EXPIRED_LINK, Reason.USED_LINK),
    }
)
"""The refusals of those whom the site does not know."""

OUTSIDERS: Final = frozenset({Reason.NOT_YOUR_BOARD, Reason.WATCH_OVER})
"""The refusals of those who do not see a game."""


class Ways:
    """The ways of a site. Where nobody `signs_in`, sessions begin in Discord alone."""

    def __init__(self, visitors: Visitors, *, signs_in: bool) -> None:
        self._visitors = visitors
        self._signs_in = signs_in

    async def list_ways(self, request: web.Request, reason: str | None, words: Words) -> Sequence[Way]:
        """Returns the ways on from a refusal, or (None) from an error. The first is the likeliest."""
        ways = list[Way]()
        if reason in STRANGERS and self._signs_in:
            match = request.get(MATCH)
            to = yarl.URL(SIGN_IN) % ({} if match is None else {"match": match})
            ways.append(Way(words("web.way.sign_in"), str(to)))
        if (home := await self._home(request)) is not None:
            ways.append(Way(words("web.home.title"), home))
        if reason in OUTSIDERS | STRANGERS:
            ways.append(Way(words("web.way.discord"), DISCORD))
        return [*ways, Way(words("web.way.front"), "/front")]

    async def _home(self, request: web.Request) -> str | None:
        """Returns the address of the home of the browser's user, of the first one who has a session."""
        with suppress(Unavailable):
            cookie = await self._visitors.find_current(request)
            return None if cookie is None else str(yarl.URL("/home") % {AS: cookie.id})
        return None
