"""The square round one crossing: all that decides its look, as a small key, with the parts of it that bases cover."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from renderer.cache import Cache
from rules.game import Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rules.game import Area, Line

DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""The eight neighbours, y up, against the clock from the right."""

_cache: Cache[tuple[Area, ...], tuple[dict[Point, Cover] | None]] = Cache(3_000_000)
_COVER, _DOT = 400, 120
"""Bytes of a crossing in the cache, and of a dot of a chain in its key."""

FAINT, GRID, FRAME = range(3)
"""The style of an arm of the squared paper: margin, field, or the field's edge."""
NOWHERE = bytes(4)


class Cover(NamedTuple):
    """A `Crossing` that no longer changes."""

    octants: bytes = bytes(8)
    links: bytes = bytes(8)
    corners: bytes = bytes(4)


BARE = Cover()


@dataclass(slots=True)
class Crossing:
    """The marks that bases put on the square round a crossing; each byte is a seat + 1, or 0 for nothing.

    `octants[k]` is the eighth of the square between directions k and k + 1. `links[k]` is the chain from the centre
    towards direction k. `corners[k]` is a chain that passes by the corner in direction 2k + 1, from one neighbour to
    the other. Steps of a chain follow the square's axes and diagonals, so an octant is covered whole or not at all.
    """

    octants: bytearray = field(default_factory=lambda: bytearray(8))
    links: bytearray = field(default_factory=lambda: bytearray(8))
    corners: bytearray = field(default_factory=lambda: bytearray(4))


def covers(areas: tuple[Area, ...]) -> dict[Point, Cover] | None:
    """Returns `crossings` as values; None if a chain has longer steps, which octants cannot show. Cached, since most
    moves close nothing; callers must not change the result."""
    known = _cache.get(areas)
    if known is None:
        covered = _covers(areas) if all(map(is_near, areas)) else None
        size = 500 + _COVER * len(covered or ()) + _DOT * sum(len(area.ring) for area in areas)
        known = _cache.put(areas, (covered,), size)
    return known[0]


def _covers(areas: tuple[Area, ...]) -> dict[Point, Cover]:
    return {
        point: Cover(bytes(crossing.octants), bytes(crossing.links), bytes(crossing.corners))
        for point, crossing in crossings(areas).items()
    }


def is_near(shape: Area | Line) -> bool:
    """Returns whether every step of a chain leads to one of the eight neighbours."""
    return all(max(abs(a.x - b.x), abs(a.y - b.y)) == 1 for a, b in shape.steps)


def strokes(paths: Iterable[tuple[int, Point, Point]]) -> dict[Point, Cover]:
    """Returns the crossings on or beside straight lines as `links` and `corners`. A line is a mark and its two ends.

    Of two lines on one step the later one counts. Raises ValueError for a line that does not run along rows, columns or
    diagonals.
    """
    found: dict[Point, Crossing] = defaultdict(Crossing)
    for mark, first, last in paths:
        length = max(abs(last.x - first.x), abs(last.y - first.y), 1)
        dx, dy = (last.x - first.x) // length, (last.y - first.y) // length
        way = _direction(first, Point(first.x + dx, first.y + dy))
        if Point(first.x + length * dx, first.y + length * dy) != last:
            raise ValueError(f"no straight line: {first} to {last}")
        for step in range(length):
            point = Point(first.x + step * dx, first.y + step * dy)
            found[point].links[way] = found[Point(point.x + dx, point.y + dy)].links[(way + 4) % 8] = mark
    _pass_corners(found)
    return {point: Cover(links=bytes(each.links), corners=bytes(each.corners)) for point, each in found.items()}


def crossings(areas: Iterable[Area]) -> dict[Point, Crossing]:
    """Returns the crossings that `areas` touch; a later area covers the older ones inside it, with their chains.
    Raises ValueError for a ring with a step that does not lead to one of the eight neighbours."""
    found: dict[Point, Crossing] = defaultdict(Crossing)
    for area in areas:
        mark, ring = area.seat + 1, _anticlockwise(area.ring)
        for before, point, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True):
            crossing, start, end = found[point], _direction(point, after), _direction(point, before)
            wedge = [(start + k) % 8 for k in range((end - start) % 8)]
            for k in wedge:
                crossing.octants[k] = mark
            for k in wedge[1:]:
                crossing.links[k] = 0
            crossing.links[start] = crossing.links[end] = mark
        for point in inside(ring):
            found[point].octants[:] = bytes([mark]) * 8
            found[point].links[:] = bytes(8)
    _pass_corners(found)
    return found


def inside(ring: tuple[Point, ...]) -> Iterator[Point]:
    """Lists the crossings strictly inside a chain: row by row, between the steps that leave the row upwards."""
    dots = frozenset(ring)
    rising: dict[int, list[int]] = defaultdict(list)
    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
        if a.y != b.y:
            low = min(a, b, key=lambda point: point.y)
            rising[low.y].append(low.x)
    for y, columns in rising.items():
        columns.sort()
        for left, right in zip(columns[::2], columns[1::2], strict=True):
            for x in range(left + 1, right):
                if (point := Point(x, y)) not in dots:
                    yield point


def _pass_corners(found: dict[Point, Crossing]) -> None:
    """Adds each diagonal step to the crossings beside it."""
    for point, crossing in list(found.items()):
        x, y = point
        if mark := crossing.links[1]:
            found[Point(x + 1, y)].corners[1] = found[Point(x, y + 1)].corners[3] = mark
        if mark := crossing.links[3]:
            found[Point(x - 1, y)].corners[0] = found[Point(x, y + 1)].corners[2] = mark


def _anticlockwise(ring: tuple[Point, ...]) -> tuple[Point, ...]:
    doubled = sum(a.x * b.y - b.x * a.y for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    return ring if doubled > 0 else ring[::-1]


def _direction(start: Point, end: Point) -> int:
    step = (end.x - start.x, end.y - start.y)
    if step not in DIRECTIONS:
        raise ValueError(f"no step to a neighbour: {start} to {end}")
    return DIRECTIONS.index(step)


class Form(IntEnum):
    """The form of a stone."""

    DOT = 0
    CAPTURED = 1
    GHOST = 2
    BLOCK = 3
    CREDITED = 4


class Label(NamedTuple):
    """The name of a column or row, or the part of it that reaches into a square.

    `strong` is true for every fifth. On a large board only those are named, in larger letters: `squares` is how wide a
    name may be there, and 0 elsewhere. `across` and `up` lead from the middle of the square to that of the name, in
    half cells. `seat` is that of the player who has just moved in the column or row, + 1.
    """

    text: str
    strong: bool
    squares: int = 0
    across: int = 0
    up: int = 0
    seat: int = 0


NO_LABEL = Label("", strong=False)
"""Takes the place of a name that makes room for another."""


class Ground(NamedTuple):
    """The part of a square that never changes in a game. Arms go right, up, left, down."""

    arms: bytes = bytes([FAINT] * 4)
    label: Label | None = None


class Stroke(IntEnum):
    """How a chain is drawn: that of a base, of an area that a turn would close, of one that may be closed, or as far as
    a player has drawn it."""

    BASE = 0
    PLAN = 1
    OUTLINE = 2
    LINE = 3


class Slice(NamedTuple):
    """A chain with longer steps, on each square that it may touch: its dots, relative to that square. `mark` is the
    seat + 1."""

    mark: int
    dots: tuple[tuple[int, int], ...]
    stroke: Stroke


class Extras(NamedTuple):
    """Shapes that are drawn on request, or seldom. `house` are octants as in a `Cover`. `frame` are the sides of the
    focus that run here (right, up, left, down). `start` is the beginning of a trail. The numbers are 0 for none.

    `outline` surrounds areas that may be closed; an offer that is chosen is `taken`. `line` is a chain that a player
    draws, `choice` a crossing where it may go on.
    """

    house: bytes = bytes(8)
    plan: Cover = BARE
    outline: Cover = BARE
    line: Cover = BARE
    bars: Cover = BARE
    trail: Cover = BARE
    start: bool = False
    falling: bool = False
    number: int = 0
    offer: int = 0
    taken: bool = False
    choice: bool = False
    slices: tuple[Slice, ...] = ()
    distant: bool = False
    frame: bytes = NOWHERE


class Content(NamedTuple):
    """The part of a square that a position decides. Bytes and numbers are seats + 1, 0 for none, as in
    `renderer.tile.Crossing`.

    `glow` tells from which neighbours (right, up, left, down) the disc of the last move reaches over the edge. `label`
    takes the place of the ground's.
    """

    cover: Cover = BARE
    stone: int = 0
    form: Form = Form.DOT
    last: bool = False
    glow: bytes = NOWHERE
    zone: bool = False
    label: Label | None = None
    extras: Extras | None = None


EMPTY = Content()


class Tile(NamedTuple):
    """The whole key."""

    ground: Ground = Ground()
    content: Content = EMPTY


BLANK = Tile()
"""A square of the margin."""
