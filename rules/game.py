"""The contract of every game: values that say what is legal, and nothing about people, time or pixels.

Crossings have names: columns A to Z, then AA and on; rows from 1 at the bottom. The visible part of a position is a
picture, as shapes on the crossings: no pixels, no colours, no words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, NewType, Protocol, Self, TypeVar

from rules.typed_text import plain_text, without_number

Seat = NewType("Seat", int)
"""A player at the table, counted from 0 in the order of the first moves; never a colour."""

M = TypeVar("M")

MAX_CHARACTERS = 32
"""A longer text is no point, and is not parsed."""

_LOOKALIKES = str.maketrans("АВЕІЈКМНОРСТУХЅҮ", "ABEIJKMHOPCTYXSY")
_EDGES = " .,:;()[]«»„“”\"'"
"""Characters around a point that mean nothing."""

_SIGNS = "-‐‑‒–—−.,:;/|"
_JOINED = rf"(?: ?[{_SIGNS}] ?| ?)"
_APART = rf"(?: ?[{_SIGNS}] ?| )"
_POINT = re.compile(
    rf"[-–— ]*(?:(?P<column>[A-Z]{{1,2}}){_JOINED}(?P<row>\d{{1,3}})|"
    rf"(?P<row2>\d{{1,3}}){_JOINED}(?P<column2>[A-Z]{{1,2}}))"
)
_PAIR = re.compile(rf"([1-9]\d{{0,2}}){_APART}([1-9]\d{{0,2}})")
_SIZE = re.compile(r"(\d{1,3})(?:\s*[x×хX*: ]\s*(\d{1,3}))?")


class Point(NamedTuple):
    """A crossing of the field: `x` to the right and `y` up from the bottom left corner, both from 0.

    Players read the field this way: K12 is column 11 and row 12 from the bottom. So a move has a name that does not
    depend on the height of its field. Formats that count rows from the top (SGF, pixels, diagrams) convert at their
    edge.
    """

    x: int
    y: int


def steps_between(one: Point, other: Point) -> int:
    """Returns the steps of a king between two crossings."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


@dataclass(frozen=True, slots=True)
class Stone:
    """A dot on a crossing. It is `captured` while it lies inside another player's base. It is `credited` while it is
    part of a five of Dot Dash (drawn as a diamond)."""

    point: Point
    seat: Seat
    captured: bool = False
    credited: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A base. `ring` is its chain, each dot once, in order, closed from the last to the first. Older bases come
    first in a picture, so that a later area covers the ones that it contains."""

    seat: Seat
    ring: tuple[Point, ...]

    @property
    def steps(self) -> Iterator[tuple[Point, Point]]:
        """The steps of the chain, the one from the last dot to the first included."""
        return zip(self.ring, self.ring[1:] + self.ring[:1], strict=True)


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle of crossings, both corners included."""

    low: Point
    high: Point

    @classmethod
    def square(cls, middle: Point, reach: int) -> Self:
        """Returns all crossings at most `reach` columns and rows from `middle`, also beyond the edge of a field."""
        x, y = middle
        return cls(Point(x - reach, y - reach), Point(x + reach, y + reach))

    @classmethod
    def around(cls, point: Point, reach: int, width: int, height: int) -> Self:
        """Returns the square of `2 * reach + 1` crossings a side with `point` in its middle. It is moved and cut so
        that it lies in a field of `width` x `height`."""
        side = 2 * reach + 1
        left, bottom = max(0, min(point.x - reach, width - side)), max(0, min(point.y - reach, height - side))
        right, top = min(left + side, width) - 1, min(bottom + side, height) - 1
        return cls(Point(left, bottom), Point(right, top))

    def grown(self, reach: int) -> Self:
        """Returns the rectangle with so many more crossings on each side, also beyond the edge of a field."""
        (left, bottom), (right, top) = self.low, self.high
        return type(self)(Point(left - reach, bottom - reach), Point(right + reach, top + reach))

    def contains(self, point: Point) -> bool:
        return self.low.x <= point.x <= self.high.x and self.low.y <= point.y <= self.high.y


@dataclass(frozen=True, slots=True)
class Number:
    """A number on a free crossing, for players who choose it by a button."""

    point: Point
    value: int


@dataclass(frozen=True, slots=True)
class Line:
    """A chain as far as a player has drawn it: its dots in order, from the first to the newest."""

    seat: Seat
    points: tuple[Point, ...]

    @property
    def steps(self) -> Iterator[tuple[Point, Point]]:
        return pairwise(self.points)


@dataclass(frozen=True, slots=True)
class Bar:
    """A line through a credited five of Dot Dash, from its first stone to its last."""

    seat: Seat
    first: Point
    last: Point


@dataclass(frozen=True, slots=True)
class Trail:
    """The way of the last dash of Dot Dash: the crossings where the stone left and where it arrived."""

    seat: Seat
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Picture:
    """A field of `width` x `height` crossings and the shapes on it. `last` are the points of the last move.

    `zone` is the part in which the next dot must lie. `blocks` says that stones move, as in Dot Dash, and are no dots.
    `open` are areas that their seats may still paint.

    The rest is shown on request:

    - `houses` are closed areas without prisoners.
    - `ghost` is a stone that is not placed yet, `plans` the areas that it would close.
    - `falling` are the stones that would be captured or lost.
    - `offers` are areas that may be closed now; players know them as 1, 2 and on in this order. `taken` are the numbers
      of those that the player has chosen.
    - `line` is a chain that the player draws, `choices` the crossings that may be chosen next.
    - `focus` is the part that matters; everything outside it fades.
    """

    width: int
    height: int
    stones: tuple[Stone, ...] = ()
    areas: tuple[Area, ...] = ()
    last: tuple[Point, ...] = ()
    zone: Zone | None = None
    open: tuple[Area, ...] = ()
    bars: tuple[Bar, ...] = ()
    trail: Trail | None = None
    houses: tuple[Area, ...] = ()
    ghost: Stone | None = None
    plans: tuple[Area, ...] = ()
    falling: tuple[Point, ...] = ()
    offers: tuple[Area, ...] = ()
    taken: frozenset[int] = frozenset()
    line: Line | None = None
    choices: frozenset[Point] = frozenset()
    numbers: tuple[Number, ...] = ()
    focus: Zone | None = None
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a contest. `winners` has one seat for a win, several for a draw, none where nothing was decided.
    `reason` is a key (`full`, `resign`, `time`, `abort`), never prose."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Opening:
    """The turns before the first move of a game that begins in the middle of another one, in their notation. They are
    those of a `match` up to its `move` of that number, or of an imported record where the match is 0.

    They belong to the game and to none of its players: no clock runs for them, and nobody takes them back. Dots alone
    could not say the same: which areas were drawn or painted, and who has stopped, follow from the turns.
    """

    turns: tuple[str, ...]
    match: int
    move: int


class RuleError(Exception):
    """A request that the rules reject: a reason key, and the details that its sentence needs. The tree:

    RuleError
    ├── BadNotation   the text is no move
    ├── BadOption     the options make no game
    └── IllegalMove   a move, but not here and now
    """

    def __init__(self, key: str, **details: str | int) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details


class BadNotation(RuleError):
    """A text that cannot be read as a move of this game."""


class BadOption(RuleError):
    """Options that make no game, alone or together."""


class IllegalMove(RuleError):
    """A readable move that the position does not allow."""


class Position(Protocol[M]):
    """A moment of a game. Immutable: `play` returns the next one."""

    @property
    def to_act(self) -> Seat:
        """The seat whose move it is; seats do not always alternate."""

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game by its own rules, or None while it goes on."""

    @property
    def score(self) -> tuple[float, ...]:
        """Points won so far, one entry a seat."""

    def moves(self) -> Iterable[M]:
        """Lists the legal moves, each once; empty exactly when there is an outcome."""

    def play(self, move: M) -> Self:
        """Returns the position after `move` by the seat to act. Raises IllegalMove."""

    def picture(self) -> Picture:
        """Returns the visible shapes."""


class Game(Protocol[M]):
    """A configured rule set: a frozen, hashable value. Its `key` names the preset that it was made from."""

    def __hash__(self) -> int: ...

    @property
    def key(self) -> str: ...

    @property
    def seats(self) -> int: ...

    @property
    def options(self) -> Mapping[str, str]:
        """Every option as text, for storage and for display; `with_options` reads it back."""

    def with_options(self, options: Mapping[str, str]) -> Self:
        """Returns this game with some options changed. Raises BadOption for an unknown, unreadable or impossible
        one."""

    @property
    def opening(self) -> Opening | None:
        """The turns before the first move; None for a game that begins at its own start."""

    @property
    def score_unit(self) -> str:
        """The unit of the score, as a key: `dots`, `fives`."""

    def resolve_chance(self, seed: int) -> Self:
        """Returns this game with everything left to chance decided by `seed`. A match stores the game that it began
        with."""

    def start(self, seed: int) -> Position[M]:
        """Returns the first position, with chance decided by `seed`."""

    def parse(self, text: str) -> M:
        """Returns the move that `text` names: `parse(str(move)) == move`. Raises BadNotation."""


AnyGame = Game[Any]
AnyPosition = Position[Any]
"""A match does not know which game it plays, so its moves are of any type."""


@lru_cache(maxsize=128)
def column_name(x: int) -> str:
    """Returns the letters of column `x` (from 0): A, B, ... Z, AA, AB and on, as in a spreadsheet."""
    letters = ""
    x += 1
    while x:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def point_name(point: Point) -> str:
    """Returns the name of a crossing, as in K12."""
    return f"{column_name(point.x)}{point.y + 1}"


def parse_point(text: str) -> Point:
    """Returns the crossing that `text` names, which may lie on no field.

    Case and order do not matter, and one sign or spaces may stand between column and row: `K12`, `k-12`, `12 K`. Two
    numbers are column and row: `11 12`. A numbered move is the one that it names: `1. K12`. Cyrillic letters that look
    like Latin ones are read as them, and `rules.typed_text` says what is passed over. Raises BadNotation (`no_point`).
    """
    if len(text) > MAX_CHARACTERS:
        raise BadNotation("no_point")
    plain = without_number(plain_text(text).strip(_EDGES)).upper().translate(_LOOKALIKES)
    if pair := _PAIR.fullmatch(plain):
        column, row = int(pair[1]), int(pair[2])
    elif match := _POINT.fullmatch(plain):
        column = 0
        for letter in match["column"] or match["column2"]:
            column = column * 26 + ord(letter) - ord("A") + 1
        row = int(match["row"] or match["row2"])
    else:
        raise BadNotation("no_point")
    if column < 1 or row < 1:
        raise BadNotation("no_point")
    return Point(column - 1, row - 1)


def parse_size(text: str) -> tuple[int, int] | None:
    """Returns the columns and rows of a field (`39x32`, or `20` for a square), or None for any other text."""
    match = _SIZE.fullmatch(text.strip())
    return (int(match[1]), int(match[2] or match[1])) if match else None
