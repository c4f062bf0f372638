"""Games of Dots as diagrams: the dots with their order on the left, the resulting field on the right.

    .A.   .R.
    AbA   RbR
    .C.   .R.

On the left a letter is a ply and its case the colour, capitals for Red (seat 0) and small letters for Blue (seat 1).
Dots are placed in the order of the alphabet, those of one letter in reading order. The right side is
`DotsPosition.rows`: `R` `B` alive, `r` `b` captured, `1` `2` empty crossings of Red's and Blue's bases, `.` free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.game import Point, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

RED, BLUE = Seat(0), Seat(1)


@dataclass(frozen=True, slots=True)
class Symmetry:
    """One of the eight ways to lay a sheet of paper on the table."""

    transposed: bool
    upside_down: bool
    mirrored: bool

    def __str__(self) -> str:
        ways = [name for name in self.__slots__ if getattr(self, name)]
        return "-".join(ways) or "as-drawn"

    def rows(self, rows: Sequence[str]) -> list[str]:
        """Returns a diagram, laid so."""
        if self.transposed:
            rows = ["".join(column) for column in zip(*rows, strict=True)]
        if self.upside_down:
            rows = rows[::-1]
        return [row[::-1] if self.mirrored else row for row in rows]

    def dot(self, x: int, y: int, width: int, height: int) -> tuple[int, int]:
        """Returns the place of the crossing in column `x` and row `y` (from the top) of a diagram of that size."""
        if self.transposed:
            x, y, width, height = y, x, height, width
        return (width - 1 - x if self.mirrored else x), (height - 1 - y if self.upside_down else y)


AS_DRAWN = Symmetry(transposed=False, upside_down=False, mirrored=False)
SYMMETRIES = [Symmetry(a, b, c) for a in (False, True) for b in (False, True) for c in (False, True)]


def sides(diagram: str) -> tuple[list[str], list[str]]:
    """Returns the rows of the left and of the right side."""
    left, right = zip(*(line.split() for line in diagram.strip().splitlines()), strict=True)
    return list(left), list(right)


def play_diagram(plies: Sequence[str], symmetry: Symmetry = AS_DRAWN) -> DotsPosition:
    """Returns the position after the dots of a left side, on a field without a set-up."""
    width, height = len(plies[0]), len(plies)
    columns, rows = (height, width) if symmetry.transposed else (width, height)
    position = Dots(key="diagram", width=columns, height=rows, setup=Setup.STONES).start(seed=0)
    letters = [(letter, x, y) for y, row in enumerate(plies) for x, letter in enumerate(row) if letter != "."]
    for letter, x, y in sorted(letters, key=lambda ply: ply[0].lower()):
        column, row = symmetry.dot(x, y, width, height)
        seat = RED if letter.isupper() else BLUE
        position = position.with_to_act(seat).play(Turn(Point(column, rows - 1 - row)))
    return position
