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
_ID_CHARACTERS = 12
_NAME = re.compile(rf"{_PREFIX}([0-9a-f]{{{_ID_CHARACTERS}}})")
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


def cookies_of(request: web.Request) -> Iterator[Cookie]:
    """Yields the sessions of a browser."""
    named = [value for name, value in request.cookies.items() if _NAME.fullmatch(name)]
    yield from map(Cookie, named[:MAX_COOKIES])


def chosen_cookie(request: web.Request) -> Cookie | None:
    """Returns the session that the address names, or the browser's only one."""
    found, wanted = [*cookies_of(request)], request.query.get(AS)
    if wanted is None:
        return found[0] if len(found) == 1 else None
    return next((cookie for cookie in found if cookie.id == wanted), None)


def set_cookie(response: web.StreamResponse, cookie: Cookie, *, secure: bool, embedded: bool = False) -> None:
    """Gives the browser a session. An `embedded` page, in a frame of Discord, has a cookie of that frame alone."""
    name, age = _PREFIX + cookie.id, SESSION_MILLIS // 1000
    if embedded:  # the cookies of Python know `Partitioned` from 3.14 on
        flags = f"Max-Age={age}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned"
        response.headers.add(hdrs.SET_COOKIE, f"{name}={cookie.secret}; {flags}")
        return
    response.set_cookie(name, cookie.secret, max_age=age, path="/", secure=secure, httponly=True, samesite="Lax")


def delete_cookie(response: web.StreamResponse, cookie: Cookie) -> None:
    """Has the browser forget a session."""
    response.del_cookie(_PREFIX + cookie.id, path="/")
