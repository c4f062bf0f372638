"""A browser's errands at Discord: it is led to Discord's question, and comes back with a code.

Source: https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import Final

import yarl
from aiohttp import web

from play.refusal import Reason, Refused

STATE_BYTES: Final = 32

STATE_SECONDS: Final = 600
"""Seconds that a user has for Discord's question."""


class Errand:
    """The way there and back. A random state, which a cookie keeps, shows that the browser which began comes back."""

    def __init__(self, address: yarl.URL, back: str, name: str) -> None:
        """`address` is that of the site in a browser; `back` is the path to which Discord leads, a redirect of the
        application; `name` is that of the cookie."""
        self.back = str(address.origin().with_path(back))
        self._is_secure = address.scheme == "https"
        self._cookie = f"{'__Host-' if self._is_secure else ''}{name}"

    def begin(self, consent: Callable[[str, str], str], carried: str = "") -> web.Response:
        """Leads to Discord's question, whose address `consent` makes of the redirect and the state. What is `carried`
        waits in the cookie."""
        state = secrets.token_urlsafe(STATE_BYTES)
        answer = web.Response(status=303, headers={"Location": consent(self.back, state)})
        self._write_cookie(answer, f"{state}.{carried}", STATE_SECONDS)
        return answer

    def come_back(self, request: web.Request, foreign: Reason) -> str:
        """Returns what a browser has carried. Raises Refused: `no_cookies` for one that brings no cookie, and `foreign`
        for one that brings the state of another."""
        state, _, carried = request.cookies.get(self._cookie, "").partition(".")
        if not state:
            raise Refused(Reason.NO_COOKIES)
        given = request.query.get("state", "")
        if not hmac.compare_digest(state.encode(errors="replace"), given.encode(errors="replace")):
            raise Refused(foreign)
        return carried

    def end(self, answer: web.Response) -> None:
        """Has the browser forget the state: it counts once."""
        self._write_cookie(answer, "", 0)

    def _write_cookie(self, answer: web.Response, value: str, seconds: int) -> None:
        answer.set_cookie(
            self._cookie, value, max_age=seconds, path="/", secure=self._is_secure, httponly=True, samesite="Lax"
        )
