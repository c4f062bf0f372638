"""The page of a player's figures about their own games, which they alone see."""

import yarl
from aiohttp import web

from storage import Database
from use_cases.own_figures import load_figures
from web.access.links import FIGURES
from web.access.visitors import AS, Visitors
from web.pages.page import PublicPages
from web.presentation.figures import tell_parts


class FiguresPage:
    """The route of the page."""

    def __init__(self, pages: PublicPages, visitors: Visitors, store: Database) -> None:
        self._pages = pages
        self._visitors = visitors
        self._store = store

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(FIGURES, self._show)

    async def _show(self, request: web.Request) -> web.Response:
        visitor = await self._visitors.identify_or_lead(request, FIGURES)
        if isinstance(visitor, web.Response):
            return visitor
        told = await load_figures(self._store, visitor.user)
        readers = self._pages.readers
        language, theme = await readers.look(told.settings)
        words = readers.words(language)
        session = {AS: visitor.cookie.id}
        return await self._pages.show(
            request,
            "figures.html",
            language,
            theme,
            title=words("web.figures.title"),
            description=words("web.figures.about", games=told.figures.games),
            picture=None,
            who=await readers.introduce(visitor.user, language),
            parts=tell_parts(told, words),
            home=str(yarl.URL("/home") % session),
            openings=str(yarl.URL("/openings") % session),
            session=yarl.URL.build(query=session).query_string,
        )
