"""The page of the site's own address: it says what Kropka is, beside a board that takes the visitor's first dot, or
without a computer shows a recorded game that plays itself."""

import asyncio
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import yarl
from aiohttp import web
from aiohttp.typedefs import Handler

from play.records import sgf
from renderer.board import draw
from renderer.theme import PAPER
from rules.dots import Dots
from rules.registry import GAMES
from web.access.links import SIGN_IN
from web.access.visitors import AS, Visitors, public_id
from web.live.plies import encode_plies
from web.pages.page import Content, PublicPages, answer
from web.pages.visitor_game import VisitorGame

RECORD = Path(__file__).parent / "game.sgf"
"""A short game of the computer against itself: levels 6 and 5 on 13x13. README.md and docs/pictures.py show it, too."""

PATHS: Final = ("/", "/front")
"""Where the page is; the second one in the try-out, which has its own page at the first."""

LINKS: Final = ("support", "source", "terms", "privacy")
"""The operator's pages, in the order of the page's foot."""

FEATURES: Final = ("where", "whom", "pace", "server")
"""What the page tells of Kropka, each in a heading and a sentence."""

STEPS: Final = ("place", "capture", "win")
"""The rules, in three sentences."""


class RecordedGame(NamedTuple):
    """A game as its page needs it: its positions as web/pages/gallery.py writes them, its last board as PNG, and how it
    ended."""

    plies: bytes
    picture: bytes
    score: tuple[float, ...]


@cache
def recorded_game() -> RecordedGame:
    """Returns the game, which takes 100 ms the first time."""
    preset, record = GAMES["zagram"], sgf.read(RECORD.read_bytes())
    assert isinstance(preset, Dots)
    positions = [*record.replay(preset)]
    pictures, scores = [each.picture() for each in positions], [each.score for each in positions]
    return RecordedGame(encode_plies(pictures, scores, "paper"), draw(pictures[-1], None, PAPER), scores[-1])


class FrontPage:
    """The routes of the page and of its game."""

    def __init__(
        self,
        pages: PublicPages,
        visitors: Visitors,
        game: VisitorGame,
        links: Mapping[str, str | None],
        invitation: Callable[[], str | None],
        show_activity: Handler | None,
        *,
        signs_in: bool,
    ) -> None:
        """`links` are those of `LINKS` that the operator has; `invitation` returns the address that adds the bot to a
        server, once the bot has logged in; `show_activity` answers a frame of a chat; where `signs_in`, visitors can
        sign in with the platform."""
        self._pages = pages
        self._visitors = visitors
        self._game = game
        self._links = [(name, address) for name in LINKS if (address := links.get(name))]
        self._invitation = invitation
        self._show_activity = show_activity
        self._signs_in = signs_in

    def add_routes(self, app: web.Application) -> None:
        for path in PATHS:
            app.router.add_get(path, self._show)
        self._game.add_routes(app)
        app.router.add_get("/front/moves.json", self._send_moves)
        app.router.add_get("/front/board.png", self._send_picture)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        if self._show_activity is not None and _is_framed(request):
            return await self._show_activity(request)
        self._pages.admit(request)
        language = await self._pages.language(request, None)
        invitation, home = self._invitation(), await self._home(request)
        write = partial(self._write, language, invitation, home)
        if home is None:
            content = await self._pages.keep(("front", language, invitation, self._game.is_there), write)
        else:
            content = await asyncio.to_thread(write)
        return answer(request, content, is_listed=True)

    async def _home(self, request: web.Request) -> str | None:
        """Returns the address of the games of a browser's user, if it has a session that goes on."""
        digests = [cookie.digest for cookie in self._visitors.cookies.of(request)]
        current = await self._visitors.sessions.current(digests) if digests else ()
        own = next((digest for digest in digests if digest in current), None)
        return None if own is None else str(yarl.URL("/home") % {AS: public_id(own)})

    def _write(self, language: str, invitation: str | None, home: str | None) -> Content:
        film, words = recorded_game(), self._pages.readers.words(language)
        return self._pages.write(
            "/",
            "front.html",
            language,
            "",
            title=words("web.front.title"),
            description=words("web.front.lead"),
            picture="/front/board.png",
            is_listed=True,
            invitation=invitation,
            home=home,
            sign_in=SIGN_IN if self._signs_in else None,
            game=self._game.start(words) if self._game.is_there else None,
            links=self._links,
            features=FEATURES,
            steps=STEPS,
            score=[words.number(points) for points in film.score],
        )

    async def _send_moves(self, request: web.Request) -> web.Response:
        return await self._send(request, "moves", lambda: Content.of(recorded_game().plies, "application/json"))

    async def _send_picture(self, request: web.Request) -> web.Response:
        return await self._send(request, "picture", lambda: Content.of(recorded_game().picture, "image/png"))

    async def _send(self, request: web.Request, name: str, make: Callable[[], Content]) -> web.Response:
        self._pages.admit(request)
        return answer(request, await self._pages.keep(name, make), is_listed=True)


def _is_framed(request: web.Request) -> bool:
    """Returns whether a page asks for what its frame shows: the chat's client names the frame in the address, and newer
    browsers say it. No other page of the site may be in a frame."""
    return "frame_id" in request.query or request.headers.get("Sec-Fetch-Dest") == "iframe"
