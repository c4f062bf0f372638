"""The pages of finished games: everyone who has the address may read them, while their server allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from aiohttp import web
from cachetools import TTLCache

from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from play.services.public_games import PublicGames
from play.services.sheets import Sheets
from rules.dots import Dots
from rules.point import Seat
from web.access.links import LinkSigner
from web.access.paths import Paths
from web.boards import match_of
from web.pages.charts import HEIGHT, WIDTH, chart
from web.pages.notes import Note, list_notes
from web.pages.page import PublicPages, answer
from web.ports import Gallery

ADDRESS: Final = r"/game/{match:[0-9]{1,18}}-{tag:[A-Za-z0-9_-]{16}}"

CACHE_BYTES, CACHE_SECONDS = 16 * 1024 * 1024, 600.0
"""Bytes of pages and their parts that are kept, and seconds: a player's name may change."""

_Key = tuple[MatchId, int, str, str, tuple[tuple[Seat, int], ...]]
LockOf = Callable[[MatchId], asyncio.Lock]
Make = Callable[[Match, str], Awaitable[bytes]]
"""Makes a part of a game's page in a language."""

MARKS = "●○◆▲"
"""The marks of the seats, beside their colours."""


class GamePages:
    """The routes of the pages."""

    def __init__(
        self,
        pages: PublicPages,
        games: PublicGames,
        sheets: Sheets,
        signer: LinkSigner,
        gallery: Gallery,
        lock_of: LockOf,
    ) -> None:
        """`lock_of` has the lock of a game, whose parts are made once however many readers wait for them."""
        self._pages = pages
        self._games = games
        self._sheets = sheets
        self._signer = signer
        self._paths = Paths(signer)
        self._gallery = gallery
        self._lock_of = lock_of
        self._made: TTLCache[_Key, bytes] = TTLCache(CACHE_BYTES, CACHE_SECONDS, getsizeof=len)

    def add_routes(self, app: web.Application) -> None:
        parts: tuple[tuple[str, str, Make], ...] = (
            ("/board.png", "image/png", self._gallery.picture),
            ("/moves.json", "application/json", self._gallery.moves),
            ("/game.sgf", "application/x-go-sgf", self._gallery.record),
        )
        app.router.add_get(ADDRESS, self._send_page)
        for part, kind, make in parts:
            app.router.add_get(ADDRESS + part, partial(self._send_part, kind, make))

    async def _send_page(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        sheets = await self._sheets.list_published(match)
        notes = tuple((seat, sheet.version) for seat, sheet in sorted(sheets.items()))
        return await self._send(request, match, "text/html", partial(self._write, list_notes(match, sheets)), notes)

    async def _send_part(self, kind: str, make: Make, request: web.Request) -> web.Response:
        return await self._send(request, await self._load(request), kind, make)

    async def _send(
        self, request: web.Request, match: Match, kind: str, make: Make, notes: tuple[tuple[Seat, int], ...] = ()
    ) -> web.Response:
        """Sends a part of a page; `notes` are the versions of the published ones on it."""
        language = await self._pages.language(request, match.guild)
        key = match.id, match.version, language, kind, notes
        body = self._made.get(key)
        if body is None:
            async with self._lock_of(match.id):
                body = self._made[key] = self._made.get(key) or await make(match, language)
        return answer(request, body, kind)

    async def _write(self, notes: list[Note], match: Match, language: str) -> bytes:
        story, path = await self._gallery.tell(match, language), self._paths.game(match.id)
        return self._pages.write(
            path,
            "game.html",
            language,
            story.theme,
            title=f"{' – '.join(story.names)}, {story.score}",
            description=f"{story.result} {story.facts[0]}.",
            picture=f"{path}/board.png",
            match=match,
            story=story,
            notes=notes,
            marks=MARKS,
            paths=self._paths,
            chart=chart(story.scores),
            size=(WIDTH, HEIGHT),
            has_record=isinstance(match.game, Dots) and bool(match.moves),
        )

    async def _load(self, request: web.Request) -> Match:
        """Returns the game of the address. A wrong tag costs no query. Raises Refused (`no_page`, `too_fast`)."""
        self._pages.admit(request)
        number = match_of(request)
        if not self._signer.knows(number, request.match_info["tag"]):
            raise Refused(Reason.NO_PAGE)
        return await self._games.load(number)
