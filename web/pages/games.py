"""The pages of finished games: everyone who has the address may read them, while their server allows it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import jinja2
from aiohttp import hdrs, web

from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from play.services.public_games import PublicGames
from rules.dots import Dots
from web.access.links import LinkSigner
from web.boards import match_of
from web.ports import Gallery, Readers

ADDRESS: Final = r"/game/{match:[0-9]{1,18}}-{tag:[A-Za-z0-9_-]{16}}"

GRAPH_WIDTH, GRAPH_HEIGHT = 600, 120
"""The size of the graph in its own units; pages show it as wide as they are."""

_pages = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class GamePages:
    """The routes of the pages, which browsers reach at `site`."""

    def __init__(self, games: PublicGames, signer: LinkSigner, gallery: Gallery, readers: Readers, site: str) -> None:
        self._games = games
        self._signer = signer
        self._gallery = gallery
        self._readers = readers
        self._site = site.rstrip("/")

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(ADDRESS, self._show)
        app.router.add_get(ADDRESS + "/board.png", self._send_picture)
        app.router.add_get(ADDRESS + "/game.gif", self._send_film)
        app.router.add_get(ADDRESS + "/game.sgf", self._send_record)

    async def _show(self, request: web.Request) -> web.Response:
        match, language = await self._load(request), await self._language(request)
        story, words = await self._gallery.tell(match, language), self._readers.words(language)
        page = _pages.get_template("game.html").render(
            language=language,
            number=words("web.game.title", number=match.id),
            title=" – ".join(story.names),
            story=story,
            site=self._site,
            path=request.path,
            score=[(name, words.number(points)) for name, points in zip(story.names, match.score, strict=True)],
            lines=graph(story.scores),
            size=(GRAPH_WIDTH, GRAPH_HEIGHT),
            has_record=isinstance(match.game, Dots) and bool(match.moves),
            graph=words("web.game.score"),
            film=words("web.game.film"),
            moves=words("web.game.moves"),
            record=words("web.game.record"),
        )
        return _answer(request, page.encode(), "text/html")

    async def _send_picture(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        return _answer(request, await self._gallery.picture(match, await self._language(request)), "image/png")

    async def _send_film(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        return _answer(request, await self._gallery.film(match, await self._language(request)), "image/gif")

    async def _send_record(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        response = _answer(request, await self._gallery.record(match), "application/x-go-sgf")
        response.headers[hdrs.CONTENT_DISPOSITION] = f'attachment; filename="kropka-{match.id}.sgf"'
        return response

    async def _load(self, request: web.Request) -> Match:
        """Returns the game of the address. A wrong tag costs no query. Raises Refused (`no_match`, `too_fast`)."""
        number: MatchId = match_of(request)
        if not self._signer.knows(number, request.match_info["tag"]):
            raise Refused(Reason.NO_MATCH)
        self._gallery.admit(number)
        return await self._games.load(number)

    async def _language(self, request: web.Request) -> str:
        return await self._readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))


def graph(scores: Sequence[Sequence[float]]) -> list[str]:
    """Returns the points of a line for each seat, as SVG has them, from the left to the right."""
    low, high = min(map(min, scores)), max(map(max, scores))
    across, up = GRAPH_WIDTH / max(1, len(scores) - 1), GRAPH_HEIGHT / max(1.0, high - low)
    return [
        " ".join(
            f"{number * across:.1f},{GRAPH_HEIGHT - (points - low) * up:.1f}" for number, points in enumerate(line)
        )
        for line in zip(*scores, strict=True)
    ]


def _answer(request: web.Request, body: bytes, kind: str) -> web.Response:
    """Returns an answer that browsers may keep, but have to ask about each time: the page may be gone."""
    tag = sha256(body).hexdigest()[:32]
    headers = {hdrs.CACHE_CONTROL: "private, no-cache", hdrs.VARY: hdrs.ACCEPT_LANGUAGE, "X-Robots-Tag": "noindex"}
    known = request.if_none_match or ()
    response = web.Response(status=304, headers=headers)
    if not any(each.value == tag for each in known):
        charset = "utf-8" if kind == "text/html" else None
        response = web.Response(body=body, content_type=kind, charset=charset, headers=headers)
    response.etag = tag
    return response
