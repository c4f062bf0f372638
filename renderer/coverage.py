"""Which parts of each crossing's square the bases cover, and where their chains run, from the rings alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rules.game import Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rules.picture import Area

DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""The eight neighbours, y up, against the clock from the right."""


@dataclass(slots=True)
class Crossing:
    """What bases put on the square round a crossing; each byte is a seat + 1, or 0 for nothing.

    `octants[k]` is the eighth of the square between directions k and k + 1; `links[k]` the chain from the centre
    towards direction k; `corners[k]` a chain that passes by the corner in direction 2k + 1, from one neighbour to the
    other. Steps of a chain go along the square's axes and diagonals, so an octant is covered whole or not at all.
    """

    octants: bytearray = field(default_factory=lambda: bytearray(8))
    links: bytearray = field(default_factory=lambda: bytearray(8))
    corners: bytearray = field(default_factory=lambda: bytearray(4))


def crossings(areas: Iterable[Area]) -> dict[Point, Crossing]:
    """The crossings that `areas` touch; a later area covers what it holds of an older one, its chain included.

    Raises ValueError for a ring with a step that does not lead to one of the eight neighbours.
    """
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
        for point in _inside(ring):
            found[point].octants[:] = bytes([mark]) * 8
            found[point].links[:] = bytes(8)
    for point, crossing in list(found.items()):
        x, y = point
        if mark := crossing.links[1]:
            found[Point(x + 1, y)].corners[1] = found[Point(x, y + 1)].corners[3] = mark
        if mark := crossing.links[3]:
            found[Point(x - 1, y)].corners[0] = found[Point(x, y + 1)].corners[2] = mark
    return found


def _anticlockwise(ring: tuple[Point, ...]) -> tuple[Point, ...]:
    doubled = sum(a.x * b.y - b.x * a.y for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    return ring if doubled > 0 else ring[::-1]


def _direction(start: Point, end: Point) -> int:
    step = (end.x - start.x, end.y - start.y)
    if step not in DIRECTIONS:
        raise ValueError(f"no step to a neighbour: {start} to {end}")
    return DIRECTIONS.index(step)


def _inside(ring: tuple[Point, ...]) -> Iterator[Point]:
    """The crossings strictly inside: row by row, between the steps that leave the row upwards."""
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
