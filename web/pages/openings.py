"""The explorer of openings: what games have gone on with from a position, whose address is its dots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from aiohttp import web

from play.ids import UserId
from play.people.settings import PlayerSettings
from play.records.openings import MAX_PLIES, Board, Branch, Dot, Opening, recorded_branches
from play.refusal import Reason, Refused
from presentation.offered_rules import SIZES
from presentation.words.words import Words
from rules.dots import Dots, Setup
from rules.game import IllegalMove, Point, RuleError, Seat, parse_point, point_name
from rules.registry import GAMES, make_game
from storage import Database
from use_cases.explorer import Explorer, Scope
from use_cases.lobby import latest_places
from use_cases.player_settings import change_player
from web.access.visitors import Visitors
from web.pages.page import PublicPages
from web.pages.ways import OPENINGS, PageWays, Shown, show_own
from web.presentation.figures import MAX_SHOWN, Line, branch_line

MAX_BRANCHES: Final = 12
"""Dots that are listed, those of the most games."""

MAX_TEXT: Final = 80
"""Characters of a parameter: twelve dots have some fifty."""

STARTS: Final = (Setup.CROSS, Setup.EMPTY, Setup.DOUBLE, Setup.FOUR)
"""The starts that are the same in each game."""


class Usual(NamedTuple):
    """What is explored where an address does not say it."""

    rules: str
    size: str
    start: str
    scope: str = Scope.OWN

    def __str__(self) -> str:
        return " ".join(self)


FIRST: Final = Usual("zagram", "20x20", "cross")
"""What a reader without a game explores."""


class Menu(NamedTuple):
    """A choice: its name in the address and for readers, what there is by its value, and what is chosen."""

    name: str
    label: str
    values: Mapping[str, str]
    chosen: str


class Asked(NamedTuple):
    """A position that is asked for: a game, the dots that were placed in it, and whose games count."""

    rules: str
    size: str
    start: str
    dots: tuple[Point, ...]
    scope: Scope
    opening: Opening

    @classmethod
    def read(cls, query: Mapping[str, str], usual: Usual) -> Asked:
        """Returns what a query asks for; what it does not name is as `usual`. Raises Refused (`no_page`)."""
        rules = _text(query, "rules", usual.rules)
        start = _text(query, "start", usual.start if rules == usual.rules else "")
        size, scope = _text(query, "size", usual.size), _text(query, "scope", usual.scope)
        try:
            options = {"size": size} | ({"start": start} if start else {})
            game = make_game(rules, options).resolve_chance(0)
            dots = tuple(parse_point(each) for each in _text(query, "dots", "").split("-") if each)
            whose = Scope(scope)
        except (RuleError, ValueError, IllegalMove):
            raise Refused(Reason.NO_PAGE) from None
        if not isinstance(game, Dots) or game.seats > 2 or len(dots) > MAX_PLIES:
            raise Refused(Reason.NO_PAGE)
        board = Board(game.width, game.height)
        there = [Dot(*each.point, each.seat) for each in game.start(0).picture().stones]
        there += [Dot(*dot, Seat(number % game.seats)) for number, dot in enumerate(dots)]
        if len({(x, y) for x, y, _ in there}) < len(there) or not all(_is_on(board, dot) for dot in dots):
            raise Refused(Reason.NO_PAGE)
        return cls(rules, f"{board.width}x{board.height}", game.setup.value, dots, whose, Opening.of(board, there))

    @property
    def usual(self) -> Usual:
        return Usual(self.rules, self.size, self.start, self.scope)

    def query(self, *, dots: Sequence[Point] | None = None, scope: Scope | None = None) -> dict[str, str]:
        """Returns what asks for this position, or for one with other dots or games."""
        placed = self.dots if dots is None else dots
        query = {"rules": self.rules, "size": self.size, "start": self.start, "scope": str(scope or self.scope)}
        return query | {"dots": "-".join(map(point_name, placed))}


def _text(query: Mapping[str, str], name: str, usual: str) -> str:
    text = query.get(name, usual)
    if len(text) > MAX_TEXT:
        raise Refused(Reason.NO_PAGE)
    return text


def _is_on(board: Board, dot: Point) -> bool:
    return 0 <= dot.x < board.width and 0 <= dot.y < board.height


class OpeningsPage:
    """The route of the explorer, for players with a session; a frame has it as well."""

    def __init__(self, pages: PublicPages, visitors: Visitors, store: Database, explorer: Explorer) -> None:
        self._pages = pages
        self._visitors = visitors
        self._store = store
        self._explorer = explorer

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(OPENINGS, self._show)

    async def _show(self, request: web.Request) -> web.Response:
        return await show_own(self, OPENINGS, request, self._pages, self._visitors)

    async def tell(self, user: UserId, query: Mapping[str, str], ways: PageWays) -> Shown:
        """Returns the page, and remembers the choices in the query. Raises Refused (`no_page`, `chat_away`)."""
        async with self._store.read() as reader:
            settings = await reader.people.get(user)
        asked = Asked.read(query, await self._usual(settings))
        if not {*Usual._fields}.isdisjoint(query) and settings.explored != str(asked.usual):
            await change_player(self._store, user, {"explored": str(asked.usual)})
        branches = (await self._branches(user, asked))[:MAX_BRANCHES]
        language, theme = await self._pages.readers.look(settings)
        words = self._pages.readers.words(language)
        rules = words(f"preset.{asked.rules}.name")
        parts = {
            "title": words("web.openings.title"),
            "description": f"{rules} · {asked.size.replace('x', '×')}",
            "picture": None,
            "asked": asked,
            "dots": [(dot.x, asked.opening.board.height - 1 - dot.y, dot.seat) for dot in _dots(asked)],
            "lines": [(_way(asked, each, ways), _line(asked, each, words)) for each in branches],
            "marks": [(point.x, asked.opening.board.height - 1 - point.y) for point in _places(asked, branches)],
            "menus": menus(asked, words),
            "scopes": [(each, ways.openings(asked.query(scope=each))) for each in Scope],
            "back": ways.openings(asked.query(dots=asked.dots[:-1])) if asked.dots else None,
            "ways": ways,
        }
        return Shown("openings.html", language, theme, parts)

    async def _usual(self, settings: PlayerSettings) -> Usual:
        """Returns what a player has asked for last, else their latest game of Dots for two."""
        if settings.explored:
            return Usual(*settings.explored.split())
        async with self._store.read() as reader:
            games = await reader.own_figures.games(settings.id, 1)
        found = games[0] if games else None
        if found is None or found.seats > 2 or not {"size", "start"} <= found.options.keys():
            return FIRST
        start = found.options["start"]  # of a game that was played on from a position, it is none
        return Usual(found.rules, found.options["size"], start if start in STARTS else "")

    async def _branches(self, user: UserId, asked: Asked) -> list[Branch]:
        match asked.scope:
            case Scope.OWN:
                return await self._explorer.own(user, asked.opening, asked.rules)
            case Scope.PUBLIC:
                return await self._explorer.public(asked.opening, asked.rules)
            case Scope.RECORDED:
                return recorded_branches(asked.opening)
        places = await latest_places(self._store, user)
        return await self._explorer.of_server(user, places[0][0], asked.opening, asked.rules) if places else []


def menus(asked: Asked, words: Words) -> list[Menu]:
    """Returns what a reader chooses from: rules, size and first dots."""
    rules = {
        key: words(f"preset.{key}.name") for key, game in GAMES.items() if isinstance(game, Dots) and game.seats == 2
    }
    sizes = {each: each.replace("x", "×") for each in dict.fromkeys((asked.size, *SIZES))}
    starts = {each.value: words(f"short.start.{each}") for each in STARTS}
    return [
        Menu("rules", words("terms.rules"), rules, asked.rules),
        Menu("size", words("terms.size"), sizes, asked.size),
        Menu("start", words("web.openings.start"), starts, asked.start),
    ]


def _way(asked: Asked, branch: Branch, ways: PageWays) -> str | None:
    """Returns the address of the position after a branch, unless that ends there."""
    if branch.place is None or len(asked.dots) >= MAX_PLIES:
        return None
    return ways.openings(asked.query(dots=(*asked.dots, asked.opening.crossing_at(branch.place))))


def _line(asked: Asked, branch: Branch, words: Words) -> Line:
    name = words("web.openings.over") if branch.place is None else point_name(asked.opening.crossing_at(branch.place))
    games = () if asked.scope is Scope.RECORDED else branch.games[:MAX_SHOWN]
    return branch_line(name, branch.tallies[len(asked.dots) % 2], games, words)


def _places(asked: Asked, branches: Sequence[Branch]) -> list[Point]:
    return [asked.opening.crossing_at(each.place) for each in branches if each.place is not None]


def _dots(asked: Asked) -> list[Dot]:
    """Returns the dots as the game has them, not as the image does."""
    opening = asked.opening
    turned = ((opening.board.turn_back((dot.x, dot.y), opening.symmetries[0]), dot.seat) for dot in opening.dots)
    return [Dot(*point, seat) for point, seat in turned]
