"""The squared paper: crossings as indices into flat arrays, with a rim of cells off the field around them.

Directions are numbered counterclockwise from the right: 0 right, 1 up and right, 2 up, ... 7 down and right. Even ones
lead to the four neighbours that connect a face. All eight lead to the neighbours that a chain may step to.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rules.game import Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.game import Zone


class Gap(NamedTuple):
    """A stretch of cells around a dot, between two walls, that holds at least one of the four neighbours.

    `wall` is the direction of the wall on its clockwise side, `cells` a bit for each direction in the stretch. `side`
    is the direction of one of the four neighbours in it.
    """

    wall: int
    cells: int
    side: int


def _gaps(walls: int) -> tuple[Gap, ...]:
    """Returns the gaps around a dot whose eight neighbours are walls where `walls` has a bit; () if fewer than two."""
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
        """The point of each index, also for the indices off the field."""
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
        """Lists the crossings of the field that lie in `zone`, row by row."""
        across = range(max(zone.low.x, 0), min(zone.high.x, self.width - 1) + 1)
        for y in range(max(zone.low.y, 0), min(zone.high.y, self.height - 1) + 1):
            yield from ((y + 1) * self.stride + x + 1 for x in across)


@lru_cache(maxsize=256)
def grid(width: int, height: int) -> Grid:
    """Returns the grid of that size; grids never change, so there is one of each."""
    return Grid(width, height)
