"""The page of a board, and the words and colours that pages ask for."""

import html
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any

import yarl
from aiohttp import web

from play.ids import MatchId
from play.refusal import Reason, Refused
from renderer.theme import PAPER, THEMES
from use_cases.web_sessions import Place
from web.access.visitors import AS, Visitor, Visitors
from web.answers import MATCH
from web.presentation.readers import Audience, Readers

PAGE = Path(__file__).parent / "static" / "board" / "index.html"
"""The page of a board, with places for its language and its parts."""

HTML = PAGE.read_text(encoding="utf-8")

PARTS = (PAGE.parent / "parts.html").read_text(encoding="utf-8")
"""What the page has in its body, also in the Activity; with a place for the same sentence."""

PAGES = frozenset({"board", "sheet"})
"""The pages whose scripts ask for words; the Activity shows them too."""

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
        match = request[MATCH] = match_of(request)
        try:
            visitor = await self._visitors.identify(request)
        except Refused as refused:
            if refused.key != Reason.NO_SESSION:
                raise
            return await self._lead_on(request, match)
        place = await self._visitors.sessions.arrive(visitor.user, match)
        language = (await self._audience_at(visitor, place)).language
        unreachable = html.escape(self._readers.words(language)("web.board.unreachable"))
        page = HTML.format(language=html.escape(language), parts=PARTS.format(unreachable=unreachable))
        return web.Response(text=page, content_type="text/html")

    async def _lead_on(self, request: web.Request, match: MatchId) -> web.Response:
        """Leads to the same board by a session that the browser has: the address may be a friend's, which names
        another. Raises Refused (`signed_out`)."""
        cookie = await self._visitors.find_current(request, match)
        if cookie is None:
            raise Refused(Reason.SIGNED_OUT)
        return web.Response(status=303, headers={"Location": str(yarl.URL(request.path) % {AS: cookie.id})})

    async def _send_words(self, request: web.Request) -> web.Response:
        page, game = request.query.get("for", ""), _chosen_match(request)
        return await self._words(await self._visitors.identify(request), page, game)

    async def send_framed_words(self, request: web.Request, token: str, page: str, game: MatchId) -> web.Response:
        """Answers as `/words.json` does, to one who has the token of a session. Raises Refused."""
        return await self._words(await self._visitors.identify_token(request, token), page, game)

    async def _words(self, visitor: Visitor, page: str, game: MatchId | None) -> web.Response:
        if page not in PAGES:
            raise Refused(Reason.BAD_MESSAGE)
        language, theme, *_ = await self._audience_of(visitor, game)
        told = {
            "language": language,
            "words": self._readers.page_words(language, page),
            "who": await self._readers.introduce(visitor.user, language),
            "theme": theme_json(theme),
        }
        return web.json_response(told)

    async def _audience_of(self, visitor: Visitor, game: MatchId | None) -> Audience:
        """Returns the audience of a visitor: a game's server has a language for those who have chosen none. Raises
        Refused."""
        if game is None:
            return await self._readers.audience(visitor.user, None, None)
        return await self._audience_at(visitor, await self._visitors.sessions.enter(visitor.user, game))

    async def _audience_at(self, visitor: Visitor, place: Place) -> Audience:
        return await self._readers.audience(visitor.user, place.match.guild, place.seat, away=place.match.is_turned)


def match_of(request: web.Request) -> MatchId:
    """Returns the match that the address names. Raises Refused (`no_match`)."""
    return read_match(request.match_info["match"])


def _chosen_match(request: web.Request) -> MatchId | None:
    """Returns the match that the query names, if it names one. Raises Refused (`no_match`)."""
    number = request.query.get("match")
    return None if number is None else read_match(number)


def read_match(number: str) -> MatchId:
    """Returns the match of a number. Raises Refused (`no_match`)."""
    if not (number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS):
        raise Refused(Reason.NO_MATCH)
    return MatchId(int(number))


def themes_json(name: str) -> dict[str, Any]:
    """Returns a theme, and the one for a dark screen where the first is the default."""
    return {"theme": theme_json(name), "dark": theme_json("dark") if THEMES[known_theme(name)] is PAPER else None}


def theme_json(name: str) -> dict[str, Any]:
    """Returns a theme as docs/web-protocol.md has it."""

    def plain(fields: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key: value.value if isinstance(value, Enum) else value for key, value in fields}

    known = known_theme(name)
    return {"name": known, **asdict(THEMES[known], dict_factory=plain)}


def known_theme(name: str) -> str:
    """Returns the name of a theme that there is: this one, or the default."""
    return name if name in THEMES else next(key for key, theme in THEMES.items() if theme is PAPER)
