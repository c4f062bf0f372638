"""The page of a player's figures about their own games, which they alone see, and the parts of it that they share."""

from collections.abc import Mapping

from aiohttp import hdrs, web

from play.community.shared_figures import FigurePart, SharedFigures, read_parts
from play.ids import UserId
from presentation.people import Names
from presentation.words.words import Words
from presentation.years import own_year_card
from use_cases import UseCases
from use_cases.own_figures import load_figures
from web import bodies
from web.access.links import FIGURES, SHARED_FIGURES, UNLISTED
from web.access.visitors import Visitors, network_of
from web.bodies import Json
from web.pages.page import Lane, PublicPages
from web.pages.ways import PageWays, Shown, show_own
from web.presentation.figures import tell_parts, tell_shared


class FiguresPage:
    """The routes of both pages, of which a frame has the player's own. `lane` bounds what all who read by links ask for
    together."""

    def __init__(self, pages: PublicPages, visitors: Visitors, use_cases: UseCases, names: Names, lane: Lane) -> None:
        self._pages = pages
        self._visitors = visitors
        self._use_cases = use_cases
        self._names = names
        self._lane = lane

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(FIGURES, self._show)
        app.router.add_post(f"{FIGURES}/share", self._share)
        app.router.add_get(f"{SHARED_FIGURES}/{{link:{UNLISTED}}}", self._show_shared)

    async def _show(self, request: web.Request) -> web.Response:
        return await show_own(self, FIGURES, request, self._pages, self._visitors)

    async def tell(self, user: UserId, _: Mapping[str, str], ways: PageWays) -> Shown:
        """Returns the page of a player."""
        told = await load_figures(self._use_cases.store, user)
        shared = await self._use_cases.figure_sharing.of_user(user)
        readers = self._pages.readers
        language, theme = await readers.look(told.settings)
        words = readers.words(language)
        parts = {
            "title": words("web.figures.title"),
            "description": words("web.figures.about", games=told.figures.games),
            "picture": None,
            "who": await readers.introduce(user, language),
            "parts": tell_parts(told, words),
            "shares": _tell_shares(shared, words),
            "link": self._address(shared) or "",
            "ways": ways,
        }
        return Shown("figures.html", language, theme, parts)

    async def _share(self, request: web.Request) -> web.Response:
        self._visitors.require_origin(request)
        visitor = await self._visitors.identify(request)
        message = await bodies.read_object(request)
        sharing, parts = self._use_cases.figure_sharing, bodies.names(message, "parts", len(FigurePart))
        if parts:
            await sharing.share(visitor.user, read_parts(parts))
        else:
            await sharing.end_sharing(visitor.user)
        return web.json_response(self._tell(await sharing.of_user(visitor.user)))

    async def _show_shared(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        link, readers = request.match_info["link"], self._pages.readers
        await self._use_cases.figure_sharing.open(link)  # a link that is none waits in no lane
        async with self._lane.turn(network_of(request)):
            shown = await self._use_cases.figure_sharing.load(link)
        language = await readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        words, name = readers.words(language), await self._names.of(shown.user, None)
        return await self._pages.show(
            request,
            "shared_figures.html",
            language,
            "",
            title=words("web.figures.of.title", name=words.literal(name)),
            description=words("web.figures.of.about"),
            picture=None,
            parts=tell_shared(shown.told, shown.parts, words),
            card=own_year_card(shown.year, name, words) if shown.year and not shown.year.is_empty else None,
            drawing=f"{request.path}/year.png",
        )

    def _tell(self, shared: SharedFigures | None) -> Json:
        """Returns what is shared now."""
        return {"parts": sorted(shared.parts) if shared else [], "link": self._address(shared)}

    def _address(self, shared: SharedFigures | None) -> str | None:
        return None if shared is None else f"{self._pages.site}{SHARED_FIGURES}/{shared.link}"


def _tell_shares(shared: SharedFigures | None, words: Words) -> list[tuple[FigurePart, str, bool]]:
    """Returns each part with its name, and whether it is shared."""
    return [(part, words(f"web.figures.share.{part}"), bool(shared and part in shared.parts)) for part in FigurePart]
