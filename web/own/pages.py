"""The page of boards of one's own, and what it asks for. A player's boards are kept here, a visitor's in their browser
alone, which sends all of it with each question and gets it back."""

from __future__ import annotations

import html
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Final

import orjson
from aiohttp import web

from opponent.choice import LEVELS
from play.ids import ChannelId, UserId
from play.refusal import Reason, Refused
from presentation.terms import level_label
from rules.dots import Dots
from rules.registry import GAMES
from web import bodies
from web.access.links import SIGN_IN
from web.access.visitors import AS, Visitor, Visitors, network_of
from web.boards import themes_json
from web.bodies import Json
from web.own.boards import MAX_VALUE
from web.own.deeds import BoardParts, Deed
from web.own.guest import Guest
from web.own.sharing import PATH, SHARED, Sharing, path_of, read_turn
from web.pages.page import Lane, PublicPages, answer

MAX_BODY_BYTES: Final = 512 * 1024
"""Bytes of a question: a whole board of a visitor, or a file as text."""

HTML = (Path(__file__).parents[1] / "static" / "analysis" / "index.html").read_text(encoding="utf-8")
"""The page, with places for its language, its title and what it is told."""


class OwnBoardPages:
    """The routes of boards of one's own. `lane` bounds what all visitors together ask for."""

    def __init__(
        self,
        visitors: Visitors,
        pages: PublicPages,
        parts: BoardParts,
        sharing: Sharing,
        lane: Lane,
        *,
        signs_in: bool,
    ) -> None:
        self._signs_in = signs_in
        self._visitors = visitors
        self._pages = pages
        self._readers = pages.readers
        self._coach = parts.computer.coach
        self._lane = lane
        self._sharing = sharing
        self._strangers = count(-1, -1)
        boards = parts.boards
        self._deeds: Mapping[str, Deed] = {
            **parts.deeds,
            "tell": self.tell,
            "new": boards.new,
            "load": boards.load,
            "last": boards.load_last,
            "import": boards.import_file,
            "game": boards.of_game,
            "list": boards.list,
            "keep": boards.keep,
            "rename": boards.rename,
            "delete": boards.delete,
            "put": boards.put,
            "link": sharing.tell,
            "share": sharing.share,
            "unshare": sharing.end_sharing,
        }

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(PATH, self._show)
        app.router.add_get(SHARED, self._show_shared)
        app.router.add_get(f"{SHARED}/board.png", self._send_picture)
        app.router.add_post(f"{PATH}/do", self._act)

    async def _show(self, request: web.Request) -> web.Response:
        try:
            visitor = await self.identify(request)
        except Refused as refused:
            if refused.key != Reason.NO_SESSION:
                raise
            visitor = None  # what was begun before the session ended goes on in the browser
        guest = await self.guest(request, visitor)
        title = self._readers.words(guest.language)("web.own.title")
        return self._page(guest, title, await self.tell(guest))

    async def _show_shared(self, request: web.Request) -> web.Response:
        guest = await self.guest(request, await self.identify(request))
        link, turn = request.match_info["link"], read_turn(request)
        board = await self._sharing.shelf.use_cases.own_boards.load_shared(link)
        rules = self._readers.words(guest.language)(f"preset.{board.game.key}.name")
        about = f"{rules}, {board.game.width}×{board.game.height}"
        picture = path_of(link, turn, "/board.png")
        preview = self._pages.preview(path_of(link, turn), guest.language, board.name, about, picture)
        return self._page(
            guest, board.name, await self.tell(guest) | {"shared": link, "title": board.name, "turn": turn}, preview
        )

    def _page(self, guest: Guest, title: str, told: Json, preview: str = "") -> web.Response:
        page = HTML.format(
            language=html.escape(guest.language),
            title=html.escape(title),
            preview=preview,
            told=html.escape(orjson.dumps(told).decode()),
        )
        return web.Response(text=page, content_type="text/html", headers={"X-Robots-Tag": "noindex"})

    async def _send_picture(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        guest = await self.guest(request, None)
        async with self._lane.turn(network_of(request)):
            content = await self._sharing.draw(guest, request.match_info["link"], read_turn(request))
        return answer(request, content)

    async def _act(self, request: web.Request) -> web.Response:
        self._visitors.require_origin(request)
        visitor = await self.identify(request)
        message = await read_large(request)
        guest = await self.guest(request, visitor)
        if visitor is not None:
            return web.json_response(await self.act(guest, message))
        async with self._lane.turn(network_of(request)):
            return web.json_response(await self.act(guest, message))

    async def identify(self, request: web.Request) -> Visitor | None:
        """Returns whose browser it is; None for a visitor's. Raises Refused (`no_session` for a session that has ended,
        which the address or the only cookie names)."""
        if self._visitors.cookies.chosen(request) is None and AS not in request.query:
            cookie = await self._visitors.find_current(request)
            if cookie is None:
                self._pages.admit(request)
                return None
            return Visitor(cookie, await self._visitors.sessions.identify(cookie.digest))
        return await self._visitors.identify(request)

    async def guest(self, request: web.Request, visitor: Visitor | None) -> Guest:
        """Returns who asks."""
        if visitor is None:
            return Guest(None, next(self._strangers), await self._pages.language(request, None), "paper")
        return await self.welcome(visitor.user, None)

    async def welcome(self, user: UserId, here: ChannelId | None) -> Guest:
        """Returns a player as one who asks."""
        audience = await self._readers.audience(user, None, None)
        return Guest(user, user, audience.language, audience.theme, here)

    async def tell(self, guest: Guest, _: Json | None = None) -> Json:
        """Returns what a page needs before there is a board."""
        words = self._readers.words(guest.language)
        sheet = self._readers.page_words(guest.language, "sheet")
        return {
            "language": guest.language,
            "words": {**sheet, **self._readers.page_words(guest.language, "own")},
            **themes_json(guest.theme),
            "player": guest.user is not None,
            "sign_in": SIGN_IN if self._signs_in else None,
            "who": "" if guest.user is None else await self._readers.introduce(guest.user, guest.language),
            "rules": [[key, words(f"preset.{key}.name")] for key, game in GAMES.items() if isinstance(game, Dots)],
            "levels": [[level.number, level_label(level.number, words)] for level in LEVELS],
            "computer": self._coach.has_computer and guest.user is not None,
        }

    async def act(self, guest: Guest, message: Json) -> Json:
        """Does what a page asks for."""
        deed = self._deeds.get(bodies.text(message, "do", MAX_VALUE))
        if deed is None:
            raise Refused(Reason.BAD_MESSAGE)
        if guest.user is not None:
            self._readers.limits.admit_look(guest.user)
        return await deed(guest, message)


async def read_large(request: web.Request) -> Json:
    """Returns the object in a body that may be as long as a board. Raises as `bodies.read_object` does."""
    larger = request.clone(client_max_size=MAX_BODY_BYTES)
    return await bodies.read_object(larger)
