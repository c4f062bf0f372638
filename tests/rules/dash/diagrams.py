"""Positions of Dot Dash from diagrams, and the eight symmetries of the square."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules.dash import Dash, DashPosition, Move, Phase, Variant
from rules.dash.board import board, five_between
from rules.game import IllegalMove, Point, Seat, parse_point

if TYPE_CHECKING:
    from rules.dash import Five

Symmetry = Callable[[Point, int], Point]
"""The place of a crossing on a field of a size."""

SYMMETRIES: tuple[Symmetry, ...] = (
    lambda at, size: at,
    lambda at, size: Point(size - 1 - at.x, at.y),
    lambda at, size: Point(at.x, size - 1 - at.y),
    lambda at, size: Point(size - 1 - at.x, size - 1 - at.y),
    lambda at, size: Point(at.y, at.x),
    lambda at, size: Point(size - 1 - at.y, at.x),
    lambda at, size: Point(at.y, size - 1 - at.x),
    lambda at, size: Point(size - 1 - at.y, size - 1 - at.x),
)


class Scene:
    """A diagram seen through a symmetry: `R` and `B` are stones of seats 0 and 1. `frozen` names the fives that they
    are credited with for good. Everything is given, and answered, as in the diagram."""

    def __init__(
        self,
        diagram: str,
        variant: Variant = Variant.BASE,
        to_act: int = 0,
        frozen: str = "",
        symmetry: Symmetry = SYMMETRIES[0],
    ) -> None:
        rows = diagram.split()
        self.size = len(rows)
        self.symmetry = symmetry
        stones = [0, 0]
        for row, letters in enumerate(rows):
            assert len(letters) == self.size
            for x, letter in enumerate(letters):
                if letter != ".":
                    stones["RB".index(letter)] |= 1 << board(self.size).cell(self.at(Point(x, self.size - 1 - row)))
        fives = [self.five(name) for name in frozen.split()]
        first, second = (
            frozenset(five for five in fives if owned >> board(self.size).cell(five.first) & 1) for owned in stones
        )
        self.position = DashPosition(
            Dash("test", self.size, variant),
            Phase.DASH,
            Seat(to_act),
            (stones[0], stones[1]),
            frozen=(first, second),
        )

    def at(self, point: Point) -> Point:
        return self.symmetry(point, self.size)

    def five(self, name: str) -> Five:
        first, last = map(parse_point, name.split("-"))
        return five_between(self.at(first), self.at(last))

    def move(self, text: str) -> Move:
        dash, _, fives = text.partition(" five ")
        start, end = map(parse_point, dash.split("-"))
        return Move(self.at(start), self.at(end), frozenset(map(self.five, fives.split())))

    def play(self, text: str) -> Scene:
        """Returns the scene after a move of the diagram."""
        after = object.__new__(Scene)
        after.size, after.symmetry = self.size, self.symmetry
        after.position = self.position.play(self.move(text))
        return after

    def refusal(self, text: str) -> str:
        """Returns the reason of a refused move."""
        try:
            self.position.play(self.move(text))
        except IllegalMove as refused:
            return refused.key
        return "played"

    def outcomes(self, dash: str) -> list[DashPosition]:
        """Returns the results of the listed moves that dash like this: one for each choice of fives."""
        wanted = self.move(dash)
        return [
            self.position.play(move)
            for move in self.position.moves()
            if isinstance(move, Move) and (move.start, move.end) == (wanted.start, wanted.end)
        ]

    def fives(self, names: str) -> frozenset[Five]:
        return frozenset(map(self.five, names.split()))

    def dashes(self) -> set[tuple[Point, Point]]:
        """Returns the listed moves by their ends, seen from the diagram."""
        where = {self.at(Point(x, y)): Point(x, y) for x in range(self.size) for y in range(self.size)}
        moves = list(self.position.moves())
        assert all(isinstance(move, Move) for move in moves)
        return {(where[move.start], where[move.end]) for move in moves if isinstance(move, Move)}

    def diagram(self) -> str:
        """Returns the stones, seen from the diagram."""
        rows = self.position.rows()
        points = ([Point(x, y) for x in range(self.size)] for y in reversed(range(self.size)))
        return "\n".join(
            "".join(rows[self.size - 1 - self.at(point).y][self.at(point).x] for point in row) for row in points
        )


def diagram_of(diagram: str) -> str:
    """Returns a diagram as `Scene.diagram` gives it."""
    return "\n".join(diagram.split())
