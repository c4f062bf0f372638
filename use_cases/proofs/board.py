"""A position on the compiled field, and what becomes of one that is looked at as an exercise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from opponent.dots.arrays import CELLS, STEPS, STRIDE, Field
from opponent.dots.field import from_position, place
from opponent.dots.tables import ALIVE, ENCLOSED, OWNER, TAKEN
from opponent.forcing import PASS, lead
from play.community.exercise import Kind
from play.community.exercise_tree import Line, Node
from rules.dots import DotsPosition
from rules.game import Point, point_name

MAX_FIRST, MAX_LATER = 4, 4
"""Right first moves, and right later ones: where more are right, nothing is left to find."""

MAX_NODES = 16
"""Nodes of a tree."""


class Refusal(Exception):
    """A position that is no exercise; the text says why."""


class OutOfReach(Refusal):
    """A position whose player to move can't reach the goal, or has nothing to reach."""


class TooLarge(Refusal):
    """A position that takes more to prove than a proof may take."""


class NotUnique(Refusal):
    """A position in which too many moves are right: the `right` ones that were found until then."""

    def __init__(self, right: Line) -> None:
        super().__init__("too many moves are right")
        self.right = right


class Uncertain(Refusal):
    """A position in which it is not certain what a STOP loses."""

    def __init__(self) -> None:
        super().__init__("what a STOP loses is not certain")


class Proof(NamedTuple):
    """A proved exercise: its kind, its points (see `Kind`) and its tree."""

    kind: Kind
    points: int
    tree: Node


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A position on the compiled field, with `mover` to act. `last` is the last dot."""

    field: Field
    mover: int
    last: int = 0

    @classmethod
    def of(cls, position: DotsPosition) -> Board:
        return cls(from_position(position), int(position.to_act))

    @property
    def free(self) -> list[int]:
        """Returns the free crossings."""
        stride = int(self.field[STRIDE])
        cells = range(stride + 1, int(self.field[CELLS]) - stride - 1)
        return [cell for cell in cells if not self.field[cell] & TAKEN]

    def after(self, cell: int) -> Board:
        """Returns the board after a dot, or PASS."""
        if cell == PASS:
            return Board(self.field, 1 - self.mover, self.last)
        field = self.field.copy()
        place(field, self.mover, cell)
        return Board(field, 1 - self.mover, cell)

    def lead(self, player: int) -> int:
        """Returns the lead of a player in captured dots."""
        return int(lead(self.field, player))

    def steps_from_last(self, cell: int) -> int:
        """Returns the steps of a king between a crossing and the last dot."""
        stride = int(self.field[STRIDE])
        return max(abs(cell % stride - self.last % stride), abs(cell // stride - self.last // stride))

    def name(self, cell: int) -> str:
        """Returns the name of a crossing."""
        stride = int(self.field[STRIDE])
        return point_name(Point(cell % stride - 1, cell // stride - 1))

    def names(self, cells: Iterable[int]) -> Line:
        return tuple(map(self.name, cells))

    def holds(self, player: int) -> set[int]:
        """Returns the crossings in bases and closed faces of a player."""
        cells = int(self.field[CELLS])
        return {cell for cell in range(cells) if self.field[cell] & (OWNER | ENCLOSED) << player and self.is_on(cell)}

    def dots(self, player: int) -> set[int]:
        """Returns the crossings with alive dots of a player."""
        return {cell for cell in range(int(self.field[CELLS])) if self.field[cell] & ALIVE << player}

    def longest_link(self, dots: set[int]) -> int:
        """Returns how many of these dots are linked at most."""
        most, left = 0, set(dots)
        while left:
            linked = [left.pop()]
            for dot in linked:
                beside = {dot + int(self.field[STEPS + way]) for way in range(8)} & left
                left -= beside
                linked += beside
            most = max(most, len(linked))
        return most

    def is_on(self, cell: int) -> bool:
        """Returns whether a cell is a crossing and not of the rim."""
        return bool(self.field[cell] & 3 * OWNER != 3 * OWNER)


class Nodes:
    """Counts the nodes of one tree. Raises Refusal for too many."""

    def __init__(self) -> None:
        self._made = count(1)

    def add(self) -> None:
        if next(self._made) > MAX_NODES:
            raise TooLarge("the tree is too large")
