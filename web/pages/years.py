"""The page of a player's year in dots, which they alone see, and its card, which a link may show to others."""

from collections.abc import Mapping

from aiohttp import hdrs, web

from play.community.year import OwnYear
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.people import Names
from presentation.words.words import Words
from presentation.years import own_year_card
from renderer.theme import PAPER, THEMES
from renderer.year import YearCard, draw_year
from use_cases import UseCases
from use_cases.years import ToldYear, load_own_year
from web.access.links import SHARED_FIGURES, UNLISTED, YEAR
from web.access.visitors import Visitors, network_of
from web.pages.page import Content, Lane, PublicPages, answer
from web.pages.ways import PageWays, Shown, show_own
from web.ports import JobQueue

YEAR_DIGITS = 4


class YearPages:
    """The routes of the page and of both pictures. `lane` bounds what all who see one by a link ask for together."""

    def __init__(
        self,
        pages: PublicPages,
        visitors: Visitors,
        use_cases: UseCases,
        names: Names,
        queue: JobQueue,
        lane: Lane,
    ) -> None:
        self._pages = pages
        self._visitors = visitors
        self._use_cases = use_cases
        self._names = names
        self._queue = queue
        self._lane = lane

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(YEAR, self._show)
        app.router.add_get(f"{YEAR}.png", self._draw)
        app.router.add_get(f"{SHARED_FIGURES}/{{link:{UNLISTED}}}/year.png", self._draw_shared)

    async def _show(self, request: web.Request) -> web.Response:
        return await show_own(self, YEAR, request, self._pages, self._visitors)

    async def tell(self, user: UserId, query: Mapping[str, str], ways: PageWays) -> Shown:
        """Returns the page of a player's year. Raises Refused (`no_page`)."""
        told, readers = await self._load(query, user), self._pages.readers
        language, theme = await readers.look(told.settings)
        words, year = readers.words(language), told.year

        def address(path: str, number: int) -> str:
            return ways.address(path, {"year": str(number)})

        parts = {
            "title": words("year.title", year=year.year),
            "description": words("web.figures.year.about"),
            "picture": None,
            "who": await readers.introduce(user, language),
            "card": None if year.is_empty else await self._card(user, year, words),
            "empty": words("year.none", year=year.year),
            "drawing": address(f"{YEAR}.png", year.year),
            "years": [(each, address(YEAR, each)) for each in (told.before, told.after) if each is not None],
            "ways": ways,
        }
        return Shown("year.html", language, theme, parts)

    async def _draw(self, request: web.Request) -> web.Response:
        visitor = await self._visitors.identify(request)
        told, readers = await self._load(request.query, visitor.user), self._pages.readers
        language, theme = await readers.look(told.settings)
        words = readers.words(language)
        card = await self._card(visitor.user, told.year, words)
        look = THEMES.get(theme, PAPER)
        png = await self._queue.make(visitor.user, draw_year, card, words("milestone.someone"), look)
        return answer(request, Content.of(png, "image/png"))

    async def _draw_shared(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        link, readers = request.match_info["link"], self._pages.readers
        await self._use_cases.figure_sharing.open(link)  # a link that is none waits in no lane
        language = await readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        words = readers.words(language)
        async with self._lane.turn(network_of(request)):
            user, year = await self._use_cases.figure_sharing.load_year(link)
            card = own_year_card(year, await self._names.of(user, None), words)
            png = await self._queue.make(-user, draw_year, card, words("milestone.someone"))
        return answer(request, Content.of(png, "image/png"))

    async def _load(self, query: Mapping[str, str], user: UserId) -> ToldYear:
        """Returns the year that a query names, or the present one. Raises Refused (`no_page`)."""
        number = query.get("year")
        if number is not None and not (number.isascii() and number.isdecimal() and len(number) == YEAR_DIGITS):
            raise Refused(Reason.NO_PAGE)
        try:
            return await load_own_year(
                self._use_cases.store, user, None if number is None else int(number), self._names.own_id
            )
        except Refused as refused:
            raise Refused(Reason.NO_PAGE) from refused

    async def _card(self, user: UserId, year: OwnYear, words: Words) -> YearCard:
        friend = None if year.friend is None else await self._names.of(year.friend[0], None)
        return own_year_card(year, await self._names.of(user, None), words, friend)
