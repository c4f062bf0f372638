"""The field of Dot Dash. A set of its crossings is one integer, with a bit for each crossing.

The crossing (x, y) is bit y * (size + 1) + x. The column of bits to the right of the field never holds a stone. So no
line runs on from the end of a row into the next one. One shift moves a whole set one step along a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rules.point import Point

WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1))
"""The four directions of lines as (x, y) of one step; the other four of the eight are their opposites."""


class Board:
    """A field of `size` x `size` crossings."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._stride = size + 1
        self.steps = tuple(y * self._stride + x for x, y in WAYS)
        """The number of bits of one step, for each of WAYS."""
        self.field = sum(((1 << size) - 1) << y * self._stride for y in range(size))
        """The set of all crossings."""
        self.points = tuple(Point(cell % self._stride, cell // self._stride) for cell in range(self._stride * size))
        """The crossing of each bit."""

    def contains(self, point: Point) -> bool:
        return 0 <= point.x < self.size and 0 <= point.y < self.size

    def cell(self, point: Point) -> int:
        """Returns the number of the bit of a crossing."""
        return point.y * self._stride + point.x

    def bits(self, points: Iterable[Point]) -> int:
        """Returns the set of these crossings."""
        return sum(1 << self.cell(point) for point in set(points))

    def members(self, crossings: int) -> Iterator[Point]:
        """Returns the crossings of a set, row by row from the bottom left."""
        return (self.points[cell] for cell in cells(crossings))


def cells(crossings: int) -> Iterator[int]:
    """Lists the numbers of the bits in a set, ascending."""
    while crossings:
        lowest = crossings & -crossings
        yield lowest.bit_length() - 1
        crossings ^= lowest


def shift(crossings: int, step: int) -> int:
    """Returns the set of crossings from which `step` leads to one of `crossings`."""
    return crossings >> step if step > 0 else crossings << -step


@lru_cache(maxsize=16)
def board(size: int) -> Board:
    """Returns the board of that size; boards never change, so there is one of each."""
    return Board(size)
