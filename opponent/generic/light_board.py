"""A light copy of a field of Dots: the dots, and the dots that could join walls.

It is kept beside the position, since a search reads every crossing at every move. After a capture that changed more
than one crossing it is rebuilt from the position's rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from rules.dots import DotsPosition, Turn
from rules.dots.grid import GAPS
from rules.game import Point

FREE, GONE = 0, 9
"""A crossing where a dot can be placed; one that is captured, or off the field. Other values are seat + 1."""

JOINS = bytes(bool(gaps) for gaps in GAPS)
"""By the walls around a crossing, a bit for each direction: whether a dot there would join some that are apart. A dot
that joins none closes nothing."""

_LETTERS = {ord(letter): cell for letter, cell in zip("RBGV.", (1, 2, 3, 4, FREE), strict=True)}
_WORTHS = bytes(_LETTERS.get(letter, GONE) for letter in range(256))


class Paper:
    """A field of a size with two empty rows and columns around it: a look at neighbours never leaves it."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.stride = stride = width + 4
        self.size = stride * (height + 4)
        self.cells = tuple((y + 2) * stride + x + 2 for y in range(height) for x in range(width))
        self.steps = (1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1)
        """The eight neighbours, counterclockwise from the right as in `rules.dots.grid`."""
        self.near = tuple(y * stride + x for y in range(-2, 3) for x in range(-2, 3) if (x, y) != (0, 0))
        """The cells within two steps."""
        self.turns = {cell: Turn(self.point(cell)) for cell in self.cells}
        self.depth = bytes(self._depth(cell) for cell in range(self.size))
        """The distance of each crossing from the edge, 3 at most."""

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


class LightBoard:
    """`dots` by cell; `walls[seat + 1]` has for each cell a bit for each direction in which a dot of that seat lies.
    `near` marks the cells within two steps of an alive dot."""

    __slots__ = ("dots", "near", "paper", "walls")

    def __init__(self, paper: Paper, seats: int) -> None:
        self.paper = paper
        self.dots = bytearray([GONE]) * paper.size
        self.walls = [bytearray(paper.size) for _ in range(seats + 1)]
        self.near = bytearray(paper.size)

    @classmethod
    def of(cls, position: DotsPosition) -> LightBoard:
        game = position.rules
        board = cls(paper(game.width, game.height), game.seats)
        for cell in board.paper.cells:
            board.dots[cell] = FREE
        board.read(position)
        return board

    def copy(self) -> LightBoard:
        other = object.__new__(LightBoard)
        other.paper = self.paper
        other.dots = self.dots[:]
        other.walls = [walls[:] for walls in self.walls]
        other.near = self.near[:]
        return other

    def put(self, cell: int, player: int) -> None:
        """Puts a dot of `player` (seat + 1) that captures nothing."""
        self.dots[cell] = player
        self._set(cell, player)
        near = self.near
        for step in self.paper.near:
            near[cell + step] = 1

    def read(self, position: DotsPosition) -> None:
        """Reads the whole field anew."""
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
    def with_dot(self, cell: int, player: int) -> Iterator[None]:
        """Puts a dot on a free crossing, and takes it back when the block ends."""
        self.dots[cell] = player
        self._set(cell, player)
        try:
            yield
        finally:
            self.dots[cell] = FREE
            self._clear(cell, player)

    def remove(self, cells: Iterable[int]) -> int:
        """Puts crossings out of play; returns how many dots were there."""
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
        """Returns the free crossings within two steps of an alive dot; all free ones if there are none."""
        dots, near = self.dots, self.near
        close = [cell for cell in self.paper.cells if near[cell] and not dots[cell]]
        return close or [cell for cell in self.paper.cells if not dots[cell]]
