"""The browsers that ask: whose they are, and whether the request comes from a page of the site."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from aiohttp import hdrs, web

from play.ids import MatchId, UserId
from play.refusal import Reason, Refused
from use_cases.web_sessions import WebSessions
from web.access.cookies import Cookie, Cookies
from web.access.networks import network_of
from web.answers import USER
from web.presentation.readers import Readers

FAILURES: Final = frozenset(
    {
        *(Reason.NOT_CONFIRMED, Reason.ACTIVITY_ENDED, Reason.LINK_NOT_TAKEN),
        *(Reason.USED_LINK, Reason.EXPIRED_LINK),
    }
)
"""The refusals of those who come with a code or a link that is good for nothing."""


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
        """Counts a request of one without a session. Raises Refused (`closing`, `too_fast`)."""
        self._readers.limits.admit_network(network_of(request))

    @contextmanager
    def entering(self, request: web.Request, room: str) -> Iterator[None]:
        """Counts an attempt of a network to enter by a code or a link: of an Activity its instance is the `room`, of
        a link its id, of a return from Discord what `room_of` returns. It counts as failed while it goes on, and if the
        code or link is good for nothing. Raises Refused (`closing`, `entrance_busy`)."""
        network, has_failed = network_of(request), False
        self._readers.limits.admit_entry(network, room)
        try:
            yield
        except Refused as refused:
            has_failed = refused.key in FAILURES
            raise
        finally:
            if not has_failed:
                self._readers.limits.give_back_entry(network, room)

    async def room_of(self, request: web.Request, back: str) -> str:
        """Returns in which room those count who come `back` from Discord to an address: a browser with a session has
        one of its own there, which nobody else of its network can close."""
        current = await self.find_current(request)
        return back if current is None else f"{back} {current.id}"

    async def find_current(self, request: web.Request, match: MatchId | None = None) -> Cookie | None:
        """Returns a session of a browser that goes on: the one that the address names, else one whose user plays or
        watches a match, else the first."""
        own = [*self.cookies.of(request)]
        current = await self.sessions.current([cookie.digest for cookie in own]) if own else ()
        found = [cookie for cookie in own if cookie.digest in current]
        chosen = self.cookies.chosen(request)
        if chosen in found:
            return chosen
        if match is not None and len(found) > 1:
            for cookie in found:
                with suppress(Refused):
                    await self.sessions.enter(await self.sessions.identify(cookie.digest), match)
                    return cookie
        return found[0] if found else None

    async def identify(self, request: web.Request) -> Visitor:
        """Returns who asks, and counts what they open. Raises Refused (`no_session`, `closing`, `too_fast`)."""
        return await self._know(request, self.cookies.chosen(request))

    async def identify_token(self, request: web.Request, token: str) -> Visitor:
        """Returns who asks by the token of a session, and counts what they open. The request's cookies do not count.
        Raises Refused (`no_session`, `closing`, `too_fast`)."""
        return await self._know(request, Cookie(token))

    async def _know(self, request: web.Request, cookie: Cookie | None) -> Visitor:
        """Returns whose the session of a cookie is. Only one that is none counts against the network: a cookie may be
        made up, and strangers must not use up what the players behind the same proxy ask for."""
        try:
            if cookie is None:
                raise Refused(Reason.NO_SESSION)
            user = await self.sessions.identify(cookie.digest)
        except Refused:
            self.admit(request)
            raise
        self._readers.limits.admit_load(user)
        request[USER] = user
        return Visitor(cookie, user)
