"""The page at which a user links their account for roles: Discord asks them, and they come back with a code.

Source: https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
"""

from __future__ import annotations

import hmac
import re
import secrets
from typing import Final

import yarl
from aiohttp import web

from play.community.linked_account import FigureName
from play.refusal import Reason, Refused
from play.services.linked_accounts import LinkedAccounts
from web.access.visitors import Visitors
from web.answers import USER
from web.pages.page import PublicPages
from web.ports import LinkDiscord

PATH: Final = "/linked-roles"
"""The address of the page, which the application at Discord has as its Linked Roles Verification URL."""

RETURN: Final = f"{PATH}/return"
"""Where a user comes back to: a redirect of the application."""

CODE: Final = re.compile(r"[\w-]{1,300}", re.ASCII)

STATE_BYTES: Final = 32

STATE_SECONDS: Final = 600
"""Seconds that a user has for Discord's question."""


class LinkedRoles:
    """The routes of the page. A random state, which a cookie keeps, shows that the browser which began comes back."""

    def __init__(
        self, pages: PublicPages, visitors: Visitors, discord: LinkDiscord, accounts: LinkedAccounts, address: yarl.URL
    ) -> None:
        """`address` is that of the site in a browser."""
        self._pages = pages
        self._visitors = visitors
        self._discord = discord
        self._accounts = accounts
        self._return = str(address.origin().with_path(RETURN))
        self._is_secure = address.scheme == "https"
        self._cookie = f"{'__Host-' if self._is_secure else ''}kropka-linking"

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(PATH, self._show)
        app.router.add_get(f"{PATH}/begin", self._begin)
        app.router.add_get(RETURN, self._come_back)
        app.router.add_get(f"{PATH}/linked", self._show_linked)

    async def _show(self, request: web.Request) -> web.Response:
        return await self._page(request, "about")

    async def _show_linked(self, request: web.Request) -> web.Response:
        return await self._page(request, "linked")

    async def _begin(self, request: web.Request) -> web.Response:
        """Leads to Discord's question."""
        self._visitors.admit(request)
        state = secrets.token_urlsafe(STATE_BYTES)
        answer = web.Response(status=303, headers={"Location": self._discord.consent(self._return, state)})
        self._write_cookie(answer, state, STATE_SECONDS)
        return answer

    async def _come_back(self, request: web.Request) -> web.Response:
        """Links the account of a user who comes back from Discord. Its cookie is used up."""
        self._visitors.admit(request)
        self._require_state(request)
        if request.query.get("error") == "access_denied":
            answer = await self._page(request, "denied")
        else:
            await self._link(request)
            answer = web.Response(status=303, headers={"Location": f"{PATH}/linked"})
        self._write_cookie(answer, "", 0)
        return answer

    async def _link(self, request: web.Request) -> None:
        code = request.query.get("code", "")
        if not CODE.fullmatch(code):
            raise Refused(Reason.LINK_NOT_TAKEN)
        with self._visitors.entering(request):
            grant = await self._discord.grant(code, self._return)
        request[USER] = grant.user
        await self._accounts.link(grant.user, grant.refresh)

    def _require_state(self, request: web.Request) -> None:
        """Raises Refused (`link_not_taken`) for a browser that has not begun, or that comes back from elsewhere."""
        kept, given = request.cookies.get(self._cookie, ""), request.query.get("state", "")
        if not kept or not hmac.compare_digest(kept.encode(), given.encode(errors="replace")):
            raise Refused(Reason.LINK_NOT_TAKEN)

    def _write_cookie(self, answer: web.Response, state: str, seconds: int) -> None:
        answer.set_cookie(
            self._cookie, state, max_age=seconds, path="/", secure=self._is_secure, httponly=True, samesite="Lax"
        )

    async def _page(self, request: web.Request, step: str) -> web.Response:
        """Answers with the page: before, after, or after the user has declined."""
        self._pages.admit(request)
        language = await self._pages.language(request, None)
        words = self._pages.readers.words(language)
        return await self._pages.show(
            request,
            "linked_roles.html",
            language,
            "",
            title=words("web.linked.title"),
            description=words(f"web.linked.{step}"),
            picture=None,
            step=step,
            figures=[(words(f"linked.{name}.name"), words(f"linked.{name}.about")) for name in FigureName],
            begin=f"{PATH}/begin",
        )
