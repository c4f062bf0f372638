"""The figures of a player about their own games in words: parts of lines, each with the games behind it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeVar

from play.clock import Speed
from play.community.exercise import Kind
from play.community.own_figures import Losses, Results, Times
from play.community.shared_figures import FigurePart
from play.ids import MatchId
from play.people.career import Tally
from play.records.openings import Opening
from presentation.exercises import figure_text, kind_name
from presentation.words.words import Words
from use_cases.own_figures import Told

MAX_SHOWN: Final = 20
"""Games that a line leads to, the latest: more would make the page heavy."""

SPEEDS: Final = {Speed.LIVE: "seek.button.live", Speed.DAYS: "seek.button.days"}

SHARED: Final[Mapping[FigurePart, tuple[str, ...]]] = {
    FigurePart.YEAR: (),
    FigurePart.LOSSES: ("causes", "months"),
    FigurePart.RESULTS: ("rules", "sizes"),
    FigurePart.STRENGTH: ("strengths",),
    FigurePart.OPENINGS: ("openings",),
    FigurePart.TIME: ("times",),
    FigurePart.PUZZLES: ("puzzles",),
    FigurePart.STREAKS: ("streaks",),
}
"""The parts of the page that are shared together. The year has a page of its own."""

K = TypeVar("K")


class Diagram(NamedTuple):
    """The part of a board with the dots of an opening: its box from the top left, and the dots with their seats."""

    box: tuple[int, int, int, int]
    dots: tuple[tuple[int, int, int], ...]


class Line(NamedTuple):
    """A figure: what it is of, what it says, the shares of a bar in hundredths, the games behind it, and the address of
    the exercise that trains it."""

    name: str
    told: str
    shares: tuple[float, ...] = ()
    games: tuple[MatchId, ...] = ()
    train: str | None = None
    diagram: Diagram | None = None


class Part(NamedTuple):
    """Lines of one kind; without any, what has to happen first, and where."""

    key: str
    title: str
    lines: tuple[Line, ...]
    empty: str = ""
    way: str | None = None


def tell_parts(told: Told, words: Words) -> list[Part]:
    """Returns the parts of the page, in their order."""
    figures = told.figures
    parts = {
        "causes": _causes(figures.causes, words),
        "months": _months(figures.months, words),
        "rules": _results(figures.rules, lambda key: words(f"preset.{key}.name"), words),
        "sizes": _results(figures.sizes, lambda key: key.replace("x", "×"), words),
        "strengths": _results(figures.strengths, lambda key: words(f"web.figures.against.{key}"), words),
        "openings": _openings(figures.openings, words),
        "times": [line for speed, times in figures.times.items() for line in _times(speed, times, words)],
        "puzzles": [
            Line(figure_text(kind, told.puzzles[kind], words), "", train=f"train:{kind}")
            for kind in Kind
            if kind in told.puzzles
        ],
        "streaks": list(_streaks(told, words)),
    }
    empty = {"causes": ("web.figures.unreviewed", "mistakes"), "months": ("web.figures.unreviewed", "mistakes")}
    empty["puzzles"] = ("web.figures.untried", "kinds")
    return [
        Part(key, words(f"web.figures.part.{key}"), tuple(lines), *_beginning(empty.get(key), words))
        for key, lines in parts.items()
        if lines or key in empty
    ]


def tell_shared(told: Told, shared: Collection[FigurePart], words: Words) -> list[Part]:
    """Returns those of the parts that are shared and have figures: without games and exercises, which are the
    player's."""
    keys = {key for part in shared for key in SHARED[part]}
    found = [part for part in tell_parts(told, words) if part.key in keys and part.lines]
    return [part._replace(lines=tuple(line._replace(games=(), train=None) for line in part.lines)) for part in found]


def _beginning(found: tuple[str, str] | None, words: Words) -> tuple[str, str | None]:
    return (words(found[0]), found[1]) if found else ("", None)


def _tally(tally: Tally, words: Words) -> str:
    return words("tally", won=tally.won, drawn=tally.drawn, lost=tally.lost)


def _shares(tally: Tally) -> tuple[float, ...]:
    whole = tally.games or 1
    return tuple(round(100 * part / whole, 1) for part in (tally.won, tally.drawn, tally.lost))


def branch_line(name: str, tally: Tally, games: tuple[MatchId, ...], words: Words) -> Line:
    """Returns the results of games that have something in common, under its name."""
    return Line(name, _tally(tally, words), _shares(tally), games)


def _results(found: Mapping[K, Results], name: Callable[[K], str], words: Words) -> list[Line]:
    return [branch_line(name(key), each.tally, each.games[:MAX_SHOWN], words) for key, each in found.items()]


def _openings(found: Mapping[Opening, Results], words: Words) -> list[Line]:
    lines = _results(found, lambda opening: f"{opening.board.width}×{opening.board.height}", words)
    return [line._replace(diagram=_diagram(opening)) for line, opening in zip(lines, found, strict=True)]


def _diagram(opening: Opening) -> Diagram:
    """Returns an opening as SVG has it, whose second axis goes down."""
    dots = tuple((dot.x, opening.board.height - 1 - dot.y, int(dot.seat)) for dot in opening.dots)
    left, top = min(x for x, _, _ in dots) - 1, min(y for _, y, _ in dots) - 1
    right, bottom = max(x for x, _, _ in dots) + 1, max(y for _, y, _ in dots) + 1
    return Diagram((left, top, right - left, bottom - top), dots)


def _per_move(losses: Losses, words: Words) -> str:
    return words("web.figures.per_move", lost=words.number(round(losses.per_move, 2)))


def _months(found: Mapping[str, Losses], words: Words) -> list[Line]:
    most = max((each.per_move for each in found.values()), default=0) or 1
    return [
        Line(
            words.month(month),
            _per_move(each, words),
            (round(100 * each.per_move / most, 1),),
            each.games[:MAX_SHOWN],
        )
        for month, each in found.items()
    ]


def _causes(found: Mapping[Kind | None, Losses], words: Words) -> list[Line]:
    most = max((each.lost for each in found.values()), default=0) or 1
    return [
        Line(
            kind_name(kind, words) if kind else words("web.figures.other"),
            words("web.figures.lost", lost=words.number(round(each.lost, 1))),
            (round(100 * each.lost / most, 1),),
            each.games[:MAX_SHOWN],
            f"train:{kind}" if kind else None,
        )
        for kind, each in found.items()
    ]


def _times(speed: Speed, times: Times, words: Words) -> Iterator[Line]:
    usual = words("web.figures.usual", time=words.left(times.usual), moves=times.moves)
    yield Line(words(SPEEDS[speed]), usual, games=times.games[:MAX_SHOWN])
    if times.trouble:
        pressed = words("web.figures.pressed", moves=times.trouble, tally=_tally(times.pressed.tally, words))
        yield Line(words("web.figures.trouble"), pressed, _shares(times.pressed.tally), times.pressed.games[:MAX_SHOWN])


def _streaks(told: Told, words: Words) -> Iterable[Line]:
    runs = {"wins": (told.figures.streak, told.figures.longest), "days": (told.days, told.longest)}
    for key, (now, best) in runs.items():
        if best:
            yield Line(words(f"web.figures.row.{key}"), words("web.figures.run", now=now, best=best))
