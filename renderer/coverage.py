"""The parts of each crossing's square that bases cover, and the lines of their chains, from the rings alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from renderer.cache import Cache
from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rules.picture import Area, Line

DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""The eight neighbours, y up, against the clock from the right."""


class Cover(NamedTuple):
    """A `Crossing` that no longer changes."""

    octants: bytes = bytes(8)
    links: bytes = bytes(8)
    corners: bytes = bytes(4)


BARE = Cover()

_cache: Cache[tuple[Area, ...], tuple[dict[Point, Cover] | None]] = Cache(3_000_000)
_COVER, _DOT = 400, 120
"""Bytes of a crossing in the cache, and of a dot of a chain in its key."""


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
