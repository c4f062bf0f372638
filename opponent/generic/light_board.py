"""A field of Dots as a player glances at it: who stands where, and which dots could join walls.

Kept beside the position because a search asks of every crossing at every move; it is read anew from the position's
rows when a capture has changed more than one crossing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from rules.dots import DotsPosition, Turn
from rules.dots.grid import GAPS
from rules.point import Point

FREE, GONE = 0, 9
"""A crossing where a dot can be placed; one that is captured, or off the field. Else seat + 1."""

JOINS = bytes(bool(gaps) for gaps in GAPS)
"""For the walls around a crossing, a bit for each direction: whether a dot there would join some that are apart. One
that does not closes nothing."""

_LETTERS = {ord(letter): cell for letter, cell in zip("RBGV.", (1, 2, 3, 4, FREE), strict=True)}
_WORTHS = bytes(_LETTERS.get(letter, GONE) for letter in range(256))


class Paper:
    """A field of a size with two rows and columns of nothing around it, so that a glance never leaves it."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.stride = stride = width + 4
        self.size = stride * (height + 4)
        self.cells = tuple((y + 2) * stride + x + 2 for y in range(height) for x in range(width))
        self.steps = (1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1)
        """The eight neighbours, counterclockwise from the right as in `rules.dots.grid`."""
        self.near = tuple(y * stride + x for y in range(-2, 3) for x in range(-2, 3) if (x, y) != (0, 0))
        """What lies within two steps."""
        self.turns = {cell: Turn(self.point(cell)) for cell in self.cells}
        self.depth = bytes(self._depth(cell) for cell in range(self.size))
        """How far each crossing lies from the edge, 3 at most."""

    def cell(self, point: Point) -> int:
        return (point.y + 2) * self.stride + point.x + 2

    def point(self, cell: int) -> Point:
        return Point(cell % self.stride - 2, cell // self.stride - 2)

    def _depth(self, cell: int) -> int:
        x, y = self.point(cell)
        return max(0, min(3, x, y, self.width - 1 - x, self.height - 1 - y))


@lru_cache(maxsize=64)
def paper(width: int, height: int) -> Paper:
    return Paper(width, height)


class Sketch:
    """`dots` by cell; `walls[seat + 1]` has for each cell a bit for each direction in which a dot of that seat stands;
    `near` marks the cells within two steps of an alive dot."""

    __slots__ = ("dots", "near", "paper", "walls")

    def __init__(self, paper: Paper, seats: int) -> None:
        self.paper = paper
        self.dots = bytearray([GONE]) * paper.size
        self.walls = [bytearray(paper.size) for _ in range(seats + 1)]
        self.near = bytearray(paper.size)

    @classmethod
    def of(cls, position: DotsPosition) -> Sketch:
        game = position.rules
        sketch = cls(paper(game.width, game.height), game.seats)
        for cell in sketch.paper.cells:
            sketch.dots[cell] = FREE
        sketch.read(position)
        return sketch

    def copy(self) -> Sketch:
        twin = object.__new__(Sketch)
        twin.paper = self.paper
        twin.dots = self.dots[:]
        twin.walls = [walls[:] for walls in self.walls]
        twin.near = self.near[:]
        return twin

    def put(self, cell: int, player: int) -> None:
        """A dot of `player` (seat + 1) that captures nothing."""
        self.dots[cell] = player
        self._set(cell, player)
        near = self.near
        for step in self.paper.near:
            near[cell + step] = 1

    def read(self, position: DotsPosition) -> None:
        """Looks at the whole field anew."""
        dots, cells = self.dots, self.paper.cells
        seen = "".join(reversed(position.rows())).encode().translate(_WORTHS)
        for cell, now in zip(cells, seen, strict=True):
            before = dots[cell]
            if before != now:
                if before not in (FREE, GONE):
                    self._clear(cell, before)
                if now in (FREE, GONE):
                    dots[cell] = now
                else:
                    self.put(cell, now)

    @contextmanager
    def tried(self, cell: int, player: int) -> Iterator[None]:
        """A dot on a free crossing, taken back when the block ends."""
        self.dots[cell] = player
        self._set(cell, player)
        try:
            yield
        finally:
            self.dots[cell] = FREE
            self._clear(cell, player)

    def take(self, cells: Iterable[int]) -> int:
        """Puts crossings out of play; says how many dots stood there."""
        dots, taken = self.dots, 0
        for cell in cells:
            if dots[cell] not in (FREE, GONE):
                self._clear(cell, dots[cell])
                taken += 1
            dots[cell] = GONE
        return taken

    def _set(self, cell: int, player: int) -> None:
        walls, bit = self.walls[player], 16
        for step in self.paper.steps:
            walls[cell + step] |= bit
            bit = bit << 1 if bit < 128 else 1

    def _clear(self, cell: int, player: int) -> None:
        walls, bit = self.walls[player], 16
        for step in self.paper.steps:
            walls[cell + step] &= ~bit
            bit = bit << 1 if bit < 128 else 1

    def free(self) -> list[int]:
        """The free crossings within two steps of an alive dot; all free ones where there is no such."""
        dots, near = self.dots, self.near
        close = [cell for cell in self.paper.cells if near[cell] and not dots[cell]]
        return close or [cell for cell in self.paper.cells if not dots[cell]]
