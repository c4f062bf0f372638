"""The page at which a user links their account for roles: Discord asks them, and they come back with a code."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

import yarl
from aiohttp import web

from play.community.linked_account import FigureName
from play.refusal import Reason, Refused
from use_cases.linked_accounts import LinkedAccounts
from web.access.errands import Errand
from web.access.visitors import Visitors
from web.answers import USER
from web.pages.page import Content, PublicPages, answer
from web.ports import LinkDiscord

PATH: Final = "/linked-roles"
"""The address of the page, which the application at Discord has as its Linked Roles Verification URL."""

RETURN: Final = f"{PATH}/return"
"""Where a user comes back to: a redirect of the application."""

CODE: Final = re.compile(r"[\w-]{1,300}", re.ASCII)


class LinkedRoles:
    """The routes of the page."""

    def __init__(
        self, pages: PublicPages, visitors: Visitors, discord: LinkDiscord, accounts: LinkedAccounts, address: yarl.URL
    ) -> None:
        """`address` is that of the site in a browser."""
        self._pages = pages
        self._visitors = visitors
        self._discord = discord
        self._accounts = accounts
        self._errand = Errand(address, RETURN, "kropka-linking")

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
        return self._errand.begin(self._discord.consent)

    async def _come_back(self, request: web.Request) -> web.Response:
        """Links the account of a user who comes back from Discord. Its cookie is used up."""
        self._visitors.admit(request)
        self._errand.come_back(request, Reason.LINK_NOT_TAKEN)
        if request.query.get("error") == "access_denied":
            answer = await self._page(request, "denied")
        else:
            await self._link(request)
            answer = web.Response(status=303, headers={"Location": f"{PATH}/linked"})
        self._errand.end(answer)
        return answer

    async def _link(self, request: web.Request) -> None:
        code = request.query.get("code", "")
        if not CODE.fullmatch(code):
            raise Refused(Reason.LINK_NOT_TAKEN)
        room = await self._visitors.room_of(request, RETURN)
        with self._visitors.entering(request, room):
            grant = await self._discord.grant(code, self._errand.back)
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
            PATH,
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
