"""The browsers that ask: whose they are, and whether the request comes from a page of the site."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from aiohttp import hdrs, web

from play.ids import UserId
from play.refusal import Reason, Refused
from play.services.web_sessions import WebSessions
from web.access.cookies import Cookie, Cookies
from web.access.networks import network_of
from web.answers import USER
from web.ports import Readers


class Visitor(NamedTuple):
    """A browser's session, and its user."""

    cookie: Cookie
    user: UserId


class Visitors:
    """The sessions of requests. `origins` are the pages that may send them, and `embedded` tells of one more, if any:
    that of Discord's proxy for the Activity."""

    def __init__(
        self,
        sessions: WebSessions,
        readers: Readers,
        cookies: Cookies,
        origins: Collection[str],
        embedded: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.sessions = sessions
        self.cookies = cookies
        self._readers = readers
        self._origins = frozenset(origins)
        self._embedded = embedded

    def require_origin(self, request: web.Request) -> None:
        """Raises Refused (`foreign_page`) unless a page of the site has sent the request."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None or (origin not in self._origins and origin != self._embedded()):
            raise Refused(Reason.FOREIGN_PAGE)

    def admit(self, request: web.Request) -> None:
        """Counts a request of a browser, before it is known whose it is. Raises Refused (`closing`, `too_fast`)."""
        self._readers.admit_network(network_of(request))

    async def identify(self, request: web.Request) -> Visitor:
        """Returns who asks, and counts what they open. Raises Refused (`no_session`, `closing`, `too_fast`)."""
        self.admit(request)
        cookie = self.cookies.chosen(request)
        if cookie is None:
            raise Refused(Reason.NO_SESSION)
        user = await self.sessions.identify(cookie.digest)
        self._readers.admit_load(user)
        request[USER] = user
        return Visitor(cookie, user)
