"""A browser is led to the platform's question and comes back with a code: to sign in without a link, or to link an
account for roles."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import yarl
from aiohttp import web

from play.codes import read_code
from play.community.roles import FigureName
from play.ids import MatchId
from play.refusal import Reason, Refused
from use_cases.linked_accounts import LinkedAccounts
from web.access.links import FRIEND, LINKING, LINKING_RETURN, SIGN_IN, SIGN_IN_RETURN
from web.access.visitors import AS, Cookie, Visitors, network_of, public_id
from web.answers import CODE, MATCH, USER
from web.boards import read_match
from web.pages.page import Content, PublicPages, answer
from web.ports import Application, RoleApplication

STATE_BYTES: Final = 32

STATE_SECONDS: Final = 600
"""Seconds that a user has for the platform's question."""

GIVEN: Final = re.compile(r"[\w-]{1,300}", re.ASCII)


class Errand:
    """The way there and back. A random state, which a cookie keeps, shows that the browser which began comes back."""

    def __init__(self, address: yarl.URL, back: str, name: str) -> None:
        """`address` is that of the site in a browser; `back` is the path to which the platform leads, a redirect of the
        application; `name` is that of the cookie."""
        self.back = str(address.origin().with_path(back))
        self._is_secure = address.scheme == "https"
        self._cookie = f"{'__Host-' if self._is_secure else ''}{name}"

    def begin(self, consent: Callable[[str, str], str], carried: str = "") -> web.Response:
        """Leads to the platform's question, whose address `consent` makes of the redirect and the state. What is
        `carried` waits in the cookie."""
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


class Aim(NamedTuple):
    """Where a visitor wants to go: to a board, to what a friend offers by the letters of a `code`, or home."""

    match: MatchId | None
    code: str

    @classmethod
    def read(cls, match: str, code: str) -> Aim:
        """Raises Refused (`no_match`, `no_friend_code`)."""
        letters = read_code(code) if code else ""
        if letters is None:
            raise Refused(Reason.NO_FRIEND_CODE)
        return cls(read_match(match) if match else None, letters)

    @property
    def carried(self) -> str:
        """Returns what a cookie has of it."""
        return f"{self.match or ''}.{self.code}"

    @property
    def path(self) -> str:
        """Returns the path of the page."""
        if self.match is not None:
            return f"/board/{self.match}"
        return f"{FRIEND}/{self.code}" if self.code else "/home"

    def note(self, request: web.Request) -> None:
        """Notes what a request is about, so that a refusal leads there by another try."""
        if self.match is not None:
            request[MATCH] = self.match
        request[CODE] = self.code


class SignIn:
    """The routes of the sign-in. What a visitor wants waits in the cookie of their errand, by its number or letters: so
    nobody is led to another place."""

    def __init__(self, visitors: Visitors, application: Application, address: yarl.URL) -> None:
        """`address` is that of the site in a browser."""
        self._visitors = visitors
        self._application = application
        self._errand = Errand(address, SIGN_IN_RETURN, "kropka-signing-in")

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(SIGN_IN, self._begin)
        app.router.add_get(SIGN_IN_RETURN, self._come_back)

    async def _begin(self, request: web.Request) -> web.Response:
        """Leads to the platform, which asks whether the user lets the bot know who they are."""
        aim = Aim.read(request.query.get("match", ""), request.query.get("friend", ""))
        return self._errand.begin(self._application.consent, aim.carried)

    async def _come_back(self, request: web.Request) -> web.Response:
        """Opens a session for a user who comes back from there, and leads to what they wanted."""
        match, _, code = self._errand.come_back(request, Reason.NOT_CONFIRMED).partition(".")
        aim = Aim.read(match, code)
        aim.note(request)
        answer = await self._enter(request, aim)
        self._errand.end(answer)
        return answer

    async def _enter(self, request: web.Request, aim: Aim) -> web.Response:
        code = request.query.get("code", "")
        if not GIVEN.fullmatch(code):  # there is none where the user has said no
            raise Refused(Reason.NOT_CONFIRMED)
        room = await self._visitors.room_of(request, SIGN_IN_RETURN)
        with self._visitors.entering(request, room):
            asker = hash((network_of(request), room))
            user = (await self._application.exchange(code, asker, self._errand.back)).user
        request[USER] = user
        new, present = Cookie.new(), [cookie.digest for cookie in self._visitors.cookies.of(request)]
        digest = await self._visitors.sessions.sign_in(user, new.digest, present)
        to = yarl.URL(aim.path) % {AS: public_id(digest)}
        answer = web.Response(status=303, headers={"Location": f"{to}#in"})
        if digest == new.digest:
            self._visitors.cookies.set(answer, new)
        return answer


class LinkedRoles:
    """The routes of the page."""

    def __init__(
        self,
        pages: PublicPages,
        visitors: Visitors,
        application: RoleApplication,
        accounts: LinkedAccounts,
        address: yarl.URL,
    ) -> None:
        """`address` is that of the site in a browser."""
        self._pages = pages
        self._visitors = visitors
        self._application = application
        self._accounts = accounts
        self._errand = Errand(address, LINKING_RETURN, "kropka-linking")

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(LINKING, self._show)
        app.router.add_get(f"{LINKING}/begin", self._begin)
        app.router.add_get(LINKING_RETURN, self._come_back)
        app.router.add_get(f"{LINKING}/linked", self._show_linked)

    async def _show(self, request: web.Request) -> web.Response:
        return await self._page(request, "about")

    async def _show_linked(self, request: web.Request) -> web.Response:
        return await self._page(request, "linked")

    async def _begin(self, request: web.Request) -> web.Response:
        """Leads to the platform's question."""
        self._visitors.admit(request)
        return self._errand.begin(self._application.consent)

    async def _come_back(self, request: web.Request) -> web.Response:
        """Links the account of a user who comes back from there. Its cookie is used up."""
        self._visitors.admit(request)
        self._errand.come_back(request, Reason.LINK_NOT_TAKEN)
        if request.query.get("error") == "access_denied":
            answer = await self._page(request, "denied")
        else:
            await self._link(request)
            answer = web.Response(status=303, headers={"Location": f"{LINKING}/linked"})
        self._errand.end(answer)
        return answer

    async def _link(self, request: web.Request) -> None:
        code = request.query.get("code", "")
        if not GIVEN.fullmatch(code):
            raise Refused(Reason.LINK_NOT_TAKEN)
        room = await self._visitors.room_of(request, LINKING_RETURN)
        with self._visitors.entering(request, room):
            grant = await self._application.grant(code, self._errand.back)
        request[USER] = grant.user
        await self._accounts.link(grant.user, grant.refresh)

    async def _page(self, request: web.Request, step: str) -> web.Response:
        """Answers with the page: before, after, or after the user has declined."""
        self._pages.admit(request)
        language = await self._pages.language(request, None)
        content = await self._pages.keep(("linked", language, step), partial(self._write, language, step))
        return answer(request, content)

    def _write(self, language: str, step: str) -> Content:
        words = self._pages.readers.words(language)
        return self._pages.write(
            LINKING,
            "linked_roles.html",
            language,
            "",
            title=words("web.linked.title"),
            description=words(f"web.linked.{step}"),
            picture=None,
            step=step,
            figures=[(words(f"linked.{name}.name"), words(f"linked.{name}.about")) for name in FigureName],
            begin=f"{LINKING}/begin",
        )
