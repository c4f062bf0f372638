"""The page of the game between strangers that everybody may watch now."""

from typing import Final

from aiohttp import web

from play.ids import MatchId
from web.featured import PATH, FeaturedTeller
from web.pages.page import PublicPages

MAX_DIGITS: Final = 18
"""Digits of the number of a game."""


class FeaturedPage:
    """The routes of the page and of its game."""

    def __init__(self, pages: PublicPages, teller: FeaturedTeller) -> None:
        self._pages = pages
        self._teller = teller

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(PATH, self._show)
        app.router.add_get(f"{PATH}.json", self._send)

    async def _show(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        language = await self._pages.language(request, None)
        words = self._pages.readers.words(language)
        about = {"title": words("web.watch.title"), "description": words("web.watch.about")}
        return await self._pages.show(request, "watch.html", language, "", **about, picture=None, is_listed=True)

    async def _send(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        language = await self._pages.language(request, None)
        told = await self._teller.tell(language, _read_shown(request))
        return web.json_response(told or {"match": None})


def _read_shown(request: web.Request) -> MatchId | None:
    """Returns the game that a page has shown before; none if the address names no number."""
    asked = request.query.get("match", "")
    return MatchId(int(asked)) if asked.isascii() and asked.isdecimal() and len(asked) <= MAX_DIGITS else None
