"""The browsers that ask: whose they are, and whether the request comes from a page of the site."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from aiohttp import hdrs, web

from play.ids import UserId
from play.refusal import Reason, Refused
from play.services.web_sessions import WebSessions
from web.access.cookies import Cookie, Cookies
from web.access.networks import network_of
from web.answers import USER
from web.presentation.readers import Readers


class Visitor(NamedTuple):
    """A browser's session, and its user."""

    cookie: Cookie
    user: UserId


class Visitors:
    """The sessions of requests. `origins` are the pages that may send them."""

    def __init__(
        self,
        sessions: WebSessions,
        readers: Readers,
        cookies: Cookies,
        origins: Collection[str],
    ) -> None:
        self.sessions = sessions
        self.cookies = cookies
        self._readers = readers
        self._origins = frozenset(origins)

    def require_origin(self, request: web.Request, further: Collection[str] = ()) -> None:
        """Raises Refused (`foreign_page`) unless a page of the site has sent the request, or one of the `further`
        origins."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None or origin not in {*self._origins, *further}:
            raise Refused(Reason.FOREIGN_PAGE)

    def admit(self, request: web.Request) -> None:
        """Counts a request of a browser, before it is known whose it is. Raises Refused (`closing`, `too_fast`)."""
        self._readers.limits.admit_network(network_of(request))

    @contextmanager
    def entering(self, request: web.Request) -> Iterator[None]:
        """Counts an attempt of a network to have a code exchanged, which fails unless the block ends. That Discord
        takes no code is no fault of theirs. Raises Refused (`too_fast`)."""
        network = network_of(request)
        self._readers.limits.admit_entry(network)
        try:
            yield
        except Refused as refused:
            if refused.key == Reason.ENTRANCE_BUSY:
                self._readers.limits.give_back_entry(network)
            raise
        self._readers.limits.give_back_entry(network)

    async def identify(self, request: web.Request) -> Visitor:
        """Returns who asks, and counts what they open. Raises Refused (`no_session`, `closing`, `too_fast`)."""
        self.admit(request)
        return await self._know(request, self.cookies.chosen(request))

    async def identify_token(self, request: web.Request, token: str) -> Visitor:
        """Returns who asks by the token of a session, and counts what they open, but not the request. Its cookies
        do not count. Raises Refused (`no_session`, `closing`, `too_fast`)."""
        return await self._know(request, Cookie(token))

    async def _know(self, request: web.Request, cookie: Cookie | None) -> Visitor:
        if cookie is None:
            raise Refused(Reason.NO_SESSION)
        user = await self.sessions.identify(cookie.digest)
        self._readers.limits.admit_load(user)
        request[USER] = user
        return Visitor(cookie, user)
