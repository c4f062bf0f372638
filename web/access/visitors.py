"""The browsers that ask: whose they are, whether the request comes from a page of the site, and where the refused go
on.

A browser has a cookie for each person who uses it, named by the public id of the session. The networks of requests are
told apart without keeping their addresses.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b, sha256
from typing import Final, NamedTuple

import yarl
from aiohttp import hdrs, web

from play.ids import MatchId, UserId
from play.people.web_session import SESSION_MILLIS
from play.refusal import Reason, Refused
from presentation.words.words import Words
from storage.errors import Unavailable
from use_cases.web_sessions import WebSessions
from web.access.links import SIGN_IN
from web.answers import CODE, MATCH, USER, Way
from web.ports import Addresses
from web.presentation.readers import Readers

SITE_BITS = {4: 32, 6: 48}
"""Bits of an address that name one network: docs/decisions/load.md#0131 says why not 64 in IPv6."""

_KEY = secrets.token_bytes(32)

AS = "as"
"""The parameter of an address that says which of a browser's sessions counts."""

_PREFIX = "kropka-"
_HOST_PREFIX = f"__Host-{_PREFIX}"
"""How names begin that browsers let no other host set, by https alone: docs/decisions/web.md#0132."""

_ID_CHARACTERS = 12
_SECRET_BYTES = 32
MAX_COOKIES = 20
"""Sessions of one browser that are looked at."""

FAILURES: Final = frozenset(
    {
        *(Reason.NOT_CONFIRMED, Reason.ACTIVITY_ENDED, Reason.LINK_NOT_TAKEN, Reason.LAUNCH_NOT_TAKEN),
        *(Reason.USED_LINK, Reason.EXPIRED_LINK, Reason.NO_FRIEND_CODE),
    }
)
"""The refusals of those who come with a code or a link that is good for nothing."""

STRANGERS: Final = frozenset(
    {
        *(Reason.NO_SESSION, Reason.SIGNED_OUT, Reason.NOT_CONFIRMED, Reason.NO_COOKIES),
        *(Reason.BAD_LINK, Reason.EXPIRED_LINK, Reason.USED_LINK),
    }
)
"""The refusals of those whom the site does not know."""

OUTSIDERS: Final = frozenset({Reason.NOT_YOUR_BOARD, Reason.WATCH_OVER})
"""The refusals of those who do not see a game."""


def network_of(request: web.Request) -> int:
    """Returns a number for the network of a request's browser. No address follows from it, and each process has others.

    A peer in a private network is the reverse proxy, which writes the address that it sees last.
    """
    peer = _parse(request.remote or "")
    forwarded = ",".join(request.headers.getall("X-Forwarded-For", ())).rpartition(",")[2].strip()
    address = _parse(forwarded) if peer.is_private and forwarded else peer
    network = ipaddress.ip_network((address, SITE_BITS[address.version]), strict=False)
    return int.from_bytes(blake2b(network.network_address.packed, key=_KEY, digest_size=8).digest())


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ipaddress.IPv4Address(0)  # all whose address cannot be read share their allowance
    return address.ipv4_mapped or address if isinstance(address, ipaddress.IPv6Address) else address


class Cookie(NamedTuple):
    """A session as its browser has it."""

    secret: str

    @classmethod
    def new(cls) -> Cookie:
        return cls(secrets.token_urlsafe(_SECRET_BYTES))

    @property
    def digest(self) -> str:
        """The hash by which the session is stored."""
        return sha256(self.secret.encode()).hexdigest()

    @property
    def id(self) -> str:
        """The public id of the session, for addresses."""
        return public_id(self.digest)


def public_id(digest: str) -> str:
    """Returns the public id of a session."""
    return digest[:_ID_CHARACTERS]


class Cookies:
    """The cookies of a site. A `secure` one has browsers send them by https only, and take them from no other host."""

    def __init__(self, *, secure: bool) -> None:
        self._secure = secure
        self._prefix = _HOST_PREFIX if secure else _PREFIX
        self._name = re.compile(rf"{self._prefix}[0-9a-f]{{{_ID_CHARACTERS}}}")

    def of(self, request: web.Request) -> Iterator[Cookie]:
        """Yields the sessions of a browser."""
        named = [value for name, value in request.cookies.items() if self._name.fullmatch(name)]
        yield from map(Cookie, named[:MAX_COOKIES])

    def chosen(self, request: web.Request) -> Cookie | None:
        """Returns the session that the address names, or the browser's only one."""
        found, wanted = [*self.of(request)], request.query.get(AS)
        if wanted is None:
            return found[0] if len(found) == 1 else None
        return next((cookie for cookie in found if cookie.id == wanted), None)

    def set(self, response: web.StreamResponse, cookie: Cookie) -> None:
        """Gives the browser a session."""
        self._write(response, cookie.id, cookie.secret, SESSION_MILLIS // 1000)

    def delete(self, response: web.StreamResponse, cookie: Cookie) -> None:
        """Has the browser forget a session."""
        self._write(response, cookie.id, "", 0)

    def _write(self, response: web.StreamResponse, name: str, value: str, seconds: int) -> None:
        flags = f"Max-Age={seconds}; Path=/; HttpOnly{'; Secure' if self._secure else ''}; SameSite=Lax"
        response.headers.add(hdrs.SET_COOKIE, f"{self._prefix}{name}={value}; {flags}")


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
    def entering(self, request: web.Request, room: str, busy: Reason = Reason.ENTRANCE_BUSY) -> Iterator[None]:
        """Counts an attempt of a network to enter by a code or a link: of an Activity its instance is the `room`, of
        a link its id, of a return from the platform what `room_of` returns. It counts as failed while it goes on, and
        if the code or link is good for nothing. Raises Refused (`closing`, `busy` after too many)."""
        network, has_failed = network_of(request), False
        try:
            self._readers.limits.admit_entry(network, room)
        except Refused as refused:
            raise (Refused(busy, **refused.details) if refused.key == Reason.ENTRANCE_BUSY else refused) from None
        try:
            yield
        except Refused as refused:
            has_failed = refused.key in FAILURES
            raise
        finally:
            if not has_failed:
                self._readers.limits.give_back_entry(network, room)

    async def room_of(self, request: web.Request, back: str) -> str:
        """Returns in which room those count who come `back` from the platform to an address: a browser with a session
        has one of its own there, which nobody else of its network can close."""
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

    async def identify_or_lead(self, request: web.Request, path: str) -> Visitor | web.Response:
        """Returns who asks for a page, as `identify` does. A browser of several people is led to that of
        one of them."""
        try:
            return await self.identify(request)
        except Refused as refused:
            cookie = await self.find_current(request) if refused.key == Reason.NO_SESSION else None
            if cookie is None:
                raise
            return web.Response(status=303, headers={hdrs.LOCATION: str(yarl.URL(path) % {AS: cookie.id})})

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
        self._readers.note_language(user, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        request[USER] = user
        return Visitor(cookie, user)


class Ways:
    """The ways of a site. Where nobody `signs_in`, sessions begin in chats alone."""

    def __init__(self, visitors: Visitors, addresses: Addresses, *, signs_in: bool) -> None:
        self._addresses = addresses
        self._visitors = visitors
        self._signs_in = signs_in

    async def list_ways(self, request: web.Request, reason: str | None, words: Words) -> Sequence[Way]:
        """Returns the ways on from a refusal, or (None) from an error. The first is the likeliest."""
        ways = list[Way]()
        if reason in STRANGERS and self._signs_in:
            match, code = request.get(MATCH), request.get(CODE)
            to = yarl.URL(SIGN_IN) % ({"match": match} if match else {"friend": code} if code else {})
            ways.append(Way(words("web.way.sign_in"), str(to)))
        if (home := await self._home(request)) is not None:
            ways.append(Way(words("web.home.title"), home))
        if reason in OUTSIDERS | STRANGERS and (chat := self._addresses.home):
            ways.append(Way(words("web.way.chat", platform=chat.platform), chat.url))
        return [*ways, Way(words("web.way.front"), "/front")]

    async def _home(self, request: web.Request) -> str | None:
        """Returns the address of the home of the browser's user, of the first one who has a session."""
        with suppress(Unavailable):
            cookie = await self._visitors.find_current(request)
            return None if cookie is None else str(yarl.URL("/home") % {AS: cookie.id})
        return None
