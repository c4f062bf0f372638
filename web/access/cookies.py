"""The cookies of sessions: one for each person who uses a browser, named by the session's public id."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from aiohttp import hdrs, web

from play.people.web_session import SESSION_MILLIS

AS = "as"
"""The parameter of an address that says which of a browser's sessions counts."""

_PREFIX = "kropka-"
_HOST_PREFIX = f"__Host-{_PREFIX}"
"""How names begin that browsers let no other host set, by https alone: docs/decisions/web.md#0132."""

_ID_CHARACTERS = 12
_SECRET_BYTES = 32
MAX_COOKIES = 20
"""Sessions of one browser that are looked at."""


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
