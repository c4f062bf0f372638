"""The pages of finished games: everyone who has the address may read them, while their server allows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from aiohttp import hdrs, web

from play.match.match import Match
from play.refusal import Reason, Refused
from play.services.public_games import PublicGames
from rules.dots import Dots
from web.access.links import LinkSigner
from web.boards import match_of
from web.pages.page import PublicPages, answer
from web.ports import Gallery

ADDRESS: Final = r"/game/{match:[0-9]{1,18}}-{tag:[A-Za-z0-9_-]{16}}"

GRAPH_WIDTH, GRAPH_HEIGHT = 600, 120
"""The size of the graph in its own units; pages show it as wide as they are."""

MARKS = "●○◆▲"
"""The marks of the seats, beside their colours."""


class GamePages:
    """The routes of the pages."""

    def __init__(self, pages: PublicPages, games: PublicGames, signer: LinkSigner, gallery: Gallery) -> None:
        self._pages = pages
        self._games = games
        self._signer = signer
        self._gallery = gallery

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(ADDRESS, self._show)
        app.router.add_get(ADDRESS + "/board.png", self._send_picture)
        app.router.add_get(ADDRESS + "/moves.json", self._send_moves)
        app.router.add_get(ADDRESS + "/game.sgf", self._send_record)

    async def _show(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        language = await self._pages.language(request, match.guild)
        story = await self._gallery.tell(match, language)
        return self._pages.show(
            request,
            "game.html",
            language,
            story.theme,
            title=f"{' – '.join(story.names)}, {story.score}",
            description=f"{story.result} {story.facts[0]}.",
            picture=f"{request.path}/board.png",
            match=match,
            story=story,
            marks=MARKS,
            lines=graph(story.scores),
            size=(GRAPH_WIDTH, GRAPH_HEIGHT),
            has_record=isinstance(match.game, Dots) and bool(match.moves),
        )

    async def _send_picture(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        language = await self._pages.language(request, match.guild)
        return answer(request, await self._gallery.picture(match, language), "image/png")

    async def _send_moves(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        language = await self._pages.language(request, match.guild)
        return answer(request, await self._gallery.moves(match, language), "application/json")

    async def _send_record(self, request: web.Request) -> web.Response:
        match = await self._load(request)
        response = answer(request, await self._gallery.record(match), "application/x-go-sgf")
        response.headers[hdrs.CONTENT_DISPOSITION] = f'attachment; filename="kropka-{match.id}.sgf"'
        return response

    async def _load(self, request: web.Request) -> Match:
        """Returns the game of the address. A wrong tag costs no query. Raises Refused (`no_page`, `too_fast`)."""
        self._pages.admit(request)
        number = match_of(request)
        if not self._signer.knows(number, request.match_info["tag"]):
            raise Refused(Reason.NO_PAGE)
        return await self._games.load(number)


def graph(scores: Sequence[Sequence[float]]) -> list[str]:
    """Returns the points of a line for each seat, as SVG has them, from the left to the right."""
    low, high = min(map(min, scores)), max(map(max, scores))
    across, up = GRAPH_WIDTH / max(1, len(scores) - 1), GRAPH_HEIGHT / max(1.0, high - low)
    return [
        " ".join(
            f"{number * across:.0f},{GRAPH_HEIGHT - (points - low) * up:.0f}" for number, points in enumerate(line)
        )
        for line in zip(*scores, strict=True)
    ]
