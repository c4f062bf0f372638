"""The explorer of openings: what games have gone on with from a position, whose address is its dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import yarl
from aiohttp import web

from play.ids import UserId
from play.records.openings import MAX_PLIES, Board, Branch, Dot, Opening
from play.refusal import Reason, Refused
from presentation.words.words import Words
from rules.dots import Dots
from rules.game import IllegalMove, Point, RuleError, Seat, parse_point, point_name
from rules.registry import make_game
from storage import Database
from use_cases.explorer import Explorer, Scope
from use_cases.lobby import latest_places
from web.access.links import FIGURES
from web.access.visitors import AS, Visitors
from web.pages.page import PublicPages
from web.presentation.figures import MAX_SHOWN, Line, branch_line

PATH: Final = "/openings"

MAX_BRANCHES: Final = 12
"""Dots that are listed, those of the most games."""

MAX_TEXT: Final = 80
"""Characters of a parameter: twelve dots have some fifty."""

FIRST: Final = ("zagram", "20x20", "cross")
"""The rules, size and start of a reader without a game."""


class Asked(NamedTuple):
    """A position that is asked for: a game, the dots that were placed in it, and whose games count."""

    rules: str
    size: str
    start: str
    dots: tuple[Point, ...]
    scope: Scope
    opening: Opening

    @classmethod
    def read(cls, request: web.Request, usual: Sequence[str]) -> Asked:
        """Returns what an address asks for; what it does not name is as `usual`. Raises Refused (`no_page`)."""
        names = ("rules", "size", "start")
        rules, size, start = (_text(request, name, each) for name, each in zip(names, usual, strict=True))
        try:
            game = make_game(rules, {"size": size, "start": start}).resolve_chance(0)
            dots = tuple(parse_point(each) for each in _text(request, "dots", "").split("-") if each)
            scope = Scope(_text(request, "scope", Scope.OWN))
        except (RuleError, ValueError, IllegalMove):
            raise Refused(Reason.NO_PAGE) from None
        if not isinstance(game, Dots) or len(dots) > MAX_PLIES:
            raise Refused(Reason.NO_PAGE)
        board = Board(game.width, game.height)
        there = [Dot(*each.point, each.seat) for each in game.start(0).picture().stones]
        there += [Dot(*dot, Seat(number % game.seats)) for number, dot in enumerate(dots)]
        if len({(x, y) for x, y, _ in there}) < len(there) or not all(_is_on(board, dot) for dot in dots):
            raise Refused(Reason.NO_PAGE)
        return cls(rules, size, start, dots, scope, Opening.of(board, there))

    def address(self, session: str, *, dots: Sequence[Point] | None = None, scope: Scope | None = None) -> str:
        """Returns the address of this position, or of one with other dots or games."""
        placed = self.dots if dots is None else dots
        query = {"rules": self.rules, "size": self.size, "start": self.start, "scope": str(scope or self.scope)}
        return str(yarl.URL(PATH) % (query | {"dots": "-".join(map(point_name, placed)), AS: session}))


def _text(request: web.Request, name: str, usual: str) -> str:
    text = request.query.get(name, usual)
    if len(text) > MAX_TEXT:
        raise Refused(Reason.NO_PAGE)
    return text


def _is_on(board: Board, dot: Point) -> bool:
    return 0 <= dot.x < board.width and 0 <= dot.y < board.height


class OpeningsPage:
    """The route of the explorer, for players with a session."""

    def __init__(self, pages: PublicPages, visitors: Visitors, store: Database, explorer: Explorer) -> None:
        self._pages = pages
        self._visitors = visitors
        self._store = store
        self._explorer = explorer

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(PATH, self._show)

    async def _show(self, request: web.Request) -> web.Response:
        visitor = await self._visitors.identify_or_lead(request, PATH)
        if isinstance(visitor, web.Response):
            return visitor
        asked = Asked.read(request, await self._usual(visitor.user))
        branches = (await self._branches(visitor.user, asked))[:MAX_BRANCHES]
        async with self._store.read() as reader:
            settings = await reader.people.get(visitor.user)
        language, theme = await self._pages.readers.look(settings)
        words, session = self._pages.readers.words(language), visitor.cookie.id
        lines = [(self._way(asked, each, session), _line(asked, each, words)) for each in branches]
        rules = words(f"preset.{asked.rules}.name")
        return await self._pages.show(
            request,
            "openings.html",
            language,
            theme,
            title=words("web.openings.title"),
            description=f"{rules} · {asked.size.replace('x', '×')}",
            picture=None,
            asked=asked,
            dots=[(dot.x, asked.opening.board.height - 1 - dot.y, dot.seat) for dot in _dots(asked)],
            lines=lines,
            marks=[(point.x, asked.opening.board.height - 1 - point.y) for point in _places(asked, branches)],
            scopes=[(each, asked.address(session, scope=each)) for each in Scope],
            back=asked.address(session, dots=asked.dots[:-1]) if asked.dots else None,
            home=str(yarl.URL(FIGURES) % {AS: session}),
            session=yarl.URL.build(query={AS: session}).query_string,
        )

    async def _usual(self, user: UserId) -> Sequence[str]:
        """Returns the rules, size and start of a player's latest game of Dots for two."""
        async with self._store.read() as reader:
            games = await reader.own_figures.games(user, 1)
        found = games[0] if games else None
        if found is None or not {"size", "start"} <= found.options.keys():
            return FIRST
        return found.rules, found.options["size"], found.options["start"]

    async def _branches(self, user: UserId, asked: Asked) -> list[Branch]:
        match asked.scope:
            case Scope.OWN:
                return await self._explorer.own(user, asked.opening, asked.rules)
            case Scope.PUBLIC:
                return await self._explorer.public(asked.opening, asked.rules)
        places = await latest_places(self._store, user)
        return await self._explorer.of_server(user, places[0][0], asked.opening, asked.rules) if places else []

    def _way(self, asked: Asked, branch: Branch, session: str) -> str | None:
        """Returns the address of the position after a branch, unless that ends there."""
        if branch.place is None or len(asked.dots) >= MAX_PLIES:
            return None
        return asked.address(session, dots=(*asked.dots, asked.opening.crossing_at(branch.place)))


def _line(asked: Asked, branch: Branch, words: Words) -> Line:
    name = words("web.openings.over") if branch.place is None else point_name(asked.opening.crossing_at(branch.place))
    return branch_line(name, branch.tallies[len(asked.dots) % 2], branch.games[:MAX_SHOWN], words)


def _places(asked: Asked, branches: Sequence[Branch]) -> list[Point]:
    return [asked.opening.crossing_at(each.place) for each in branches if each.place is not None]


def _dots(asked: Asked) -> list[Dot]:
    """Returns the dots as the game has them, not as the image does."""
    opening = asked.opening
    turned = ((opening.board.turn_back((dot.x, dot.y), opening.symmetries[0]), dot.seat) for dot in opening.dots)
    return [Dot(*point, seat) for point, seat in turned]
