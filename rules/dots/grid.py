"""The squared paper: crossings as indices into flat arrays, with a rim of cells off the field around them.

Directions are numbered counterclockwise from the right: 0 right, 1 up and right, 2 up, ... 7 down and right. Even ones
lead to the four neighbours that a face is connected by, all eight lead to the neighbours that a chain may step to.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.picture import Zone


class Gap(NamedTuple):
    """A stretch of cells around a dot, between two walls, that holds at least one of the four neighbours.

    `wall` is the direction of the wall on its clockwise side, `cells` a bit for each direction in the stretch, `side`
    the direction of one of the four neighbours in it.
    """

    wall: int
    cells: int
    side: int


def _gaps(walls: int) -> tuple[Gap, ...]:
    """The gaps around a dot, of whose eight neighbours those with a bit in `walls` are walls; () if fewer than two."""
    gaps = []
    for wall in range(8):
        if not walls >> wall & 1:
            continue
        cells, side, step = 0, None, wall + 1
        while not walls >> (step & 7) & 1:
            cells |= 1 << (step & 7)
            if step % 2 == 0:
                side = step & 7
            step += 1
        if side is not None:
            gaps.append(Gap(wall, cells, side))
    return tuple(gaps) if len(gaps) > 1 else ()


GAPS: tuple[tuple[Gap, ...], ...] = tuple(_gaps(walls) for walls in range(256))


class Grid:
    """A field of `width` x `height` crossings. The crossing (x, y) has the index (y + 1) * stride + x + 1."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        # One column off the field is enough: to the left of a row lies the end of the row below.
        self.stride = stride = width + 1
        self.size = stride * (height + 2) + 1
        self.steps = (1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1)
        self.crossings = tuple((y + 1) * stride + x + 1 for y in range(height) for x in range(width))
        self.points = tuple(Point((index - 1) % stride, (index - 1) // stride - 1) for index in range(self.size))
        """The point of each index; those off the field have one too, which is not on it."""
        on_field = frozenset(self.crossings)
        self.off_field = tuple(index for index in range(self.size) if index not in on_field)
        self.outside = {
            cell: bits
            for cell in self.crossings
            if (bits := sum(1 << way for way, step in enumerate(self.steps) if cell + step not in on_field))
        }
        """For each crossing of the edge, a bit for each direction that leads off the field."""

    def index(self, point: Point) -> int:
        return (point.y + 1) * self.stride + point.x + 1

    def point(self, index: int) -> Point:
        return self.points[index]

    def within(self, zone: Zone) -> Iterator[int]:
        """The crossings of the field that lie in `zone`, row by row."""
        across = range(max(zone.low.x, 0), min(zone.high.x, self.width - 1) + 1)
        for y in range(max(zone.low.y, 0), min(zone.high.y, self.height - 1) + 1):
            yield from ((y + 1) * self.stride + x + 1 for x in across)


@lru_cache(maxsize=256)
def grid(width: int, height: int) -> Grid:
    """The grid of that size; there is one of each, since it never changes."""
    return Grid(width, height)
