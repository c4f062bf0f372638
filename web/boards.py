"""The page of a board, and the words and colours that pages ask for."""

from __future__ import annotations

import html
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any

from aiohttp import hdrs, web

from play.ids import MatchId
from play.refusal import Reason, Refused
from renderer.theme import PAPER, THEMES
from web.access.visitors import Visitor, Visitors
from web.presentation.readers import Audience, Readers

PAGE = Path(__file__).parent / "static" / "board" / "index.html"
"""The page of a board, with places for its language and its parts."""

HTML = PAGE.read_text(encoding="utf-8")

PARTS = (PAGE.parent / "parts.html").read_text(encoding="utf-8")
"""What the page has in its body, also in the Activity; with a place for the same sentence."""

FRAMED_PAGES = frozenset({"board", "sheet"})
"""The pages whose scripts have words, and that the Activity shows too."""

ENTRANCE = "enter"
"""The page that has words before there is a session."""

PAGES = FRAMED_PAGES | {ENTRANCE}

MAX_DIGITS = 18


class Boards:
    """The routes of boards, but for the socket."""

    def __init__(self, visitors: Visitors, readers: Readers) -> None:
        self._visitors = visitors
        self._readers = readers

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/board/{match}", self._show_board)
        app.router.add_get("/words.json", self._send_words)

    async def _show_board(self, request: web.Request) -> web.Response:
        language, *_ = await self._audience(request, match_of(request))
        unreachable = html.escape(self._readers.words(language)("web.board.unreachable"))
        page = HTML.format(language=html.escape(language), parts=PARTS.format(unreachable=unreachable))
        return web.Response(text=page, content_type="text/html")

    async def _send_words(self, request: web.Request) -> web.Response:
        page, game = request.query.get("for", ""), _chosen_match(request)
        if page not in PAGES:
            raise Refused(Reason.BAD_MESSAGE)
        if page == ENTRANCE:
            self._visitors.admit(request)
            language, theme = await self._readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, "")), ""
        else:
            language, theme, *_ = await self._audience(request, game)
        return self._words(language, theme, page)

    async def send_framed_words(self, request: web.Request, token: str, page: str, game: MatchId) -> web.Response:
        """Answers as `/words.json` does, to one who has the token of a session. Raises Refused."""
        visitor = await self._visitors.identify_token(request, token)
        if page not in FRAMED_PAGES:
            raise Refused(Reason.BAD_MESSAGE)
        language, theme, *_ = await self._audience_of(visitor, game)
        return self._words(language, theme, page)

    def _words(self, language: str, theme: str, page: str) -> web.Response:
        return web.json_response(
            {"language": language, "words": self._readers.page_words(language, page), "theme": theme_json(theme)}
        )

    async def _audience(self, request: web.Request, game: MatchId | None) -> Audience:
        return await self._audience_of(await self._visitors.identify(request), game)

    async def _audience_of(self, visitor: Visitor, game: MatchId | None) -> Audience:
        """Returns the audience of a visitor: a game's server has a language for those who have chosen none. Raises
        Refused."""
        if game is None:
            return await self._readers.audience(visitor.user, None, None)
        match, seat = await self._visitors.sessions.enter(visitor.user, game)
        return await self._readers.audience(visitor.user, match.guild, seat, away=match.is_turned)


def match_of(request: web.Request) -> MatchId:
    """Returns the match that the address names. Raises Refused (`no_match`)."""
    return _match(request.match_info["match"])


def _chosen_match(request: web.Request) -> MatchId | None:
    """Returns the match that the query names, if it names one. Raises Refused (`no_match`)."""
    number = request.query.get("match")
    return None if number is None else _match(number)


def _match(number: str) -> MatchId:
    if not (number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS):
        raise Refused(Reason.NO_MATCH)
    return MatchId(int(number))


def theme_json(name: str) -> dict[str, Any]:
    """Returns a theme as docs/web-protocol.md has it."""

    def plain(fields: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key: value.value if isinstance(value, Enum) else value for key, value in fields}

    known = known_theme(name)
    return {"name": known, **asdict(THEMES[known], dict_factory=plain)}


def known_theme(name: str) -> str:
    """Returns the name of a theme that there is: this one, or the default."""
    return name if name in THEMES else next(key for key, theme in THEMES.items() if theme is PAPER)
