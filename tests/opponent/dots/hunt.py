"""An exact solver of hunts: whether a player captures a dot by threats alone, against every defence.

The hunter places only dots after which one more would capture the prey. So a defence must lie where that one would, or
capture a dot of the hunter's; any other leaves the hunter's walls and the last crossing as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from opponent.dots.arrays import CELLS, HEIGHT, RINGS, ROOM, SCORES, STEPS, STRIDE, WIDTH, Field
from opponent.dots.field import from_rows, place
from opponent.dots.tables import ALIVE, OWNER, TAKEN
from rules.dots import DotsPosition
from rules.game import Point

MAX_STEPS = 40
"""Dots of the hunter's that are looked ahead."""


class Hunt:
    """A field on which `hunter` pursues the dot on the cell `prey`. `newest` is the dot placed last by the prey's
    player."""

    def __init__(self, field: Field, hunter: int, prey: int, newest: int) -> None:
        self.field, self.hunter, self.prey, self.newest = field, hunter, prey, newest

    @classmethod
    def at(cls, position: DotsPosition, hunter: int, prey: Point, newest: Point) -> Hunt:
        """Returns the hunt of a position."""
        field = from_rows(position.rows(), (0, 0))
        return cls(field, hunter, cell_of(field, prey), cell_of(field, newest))

    @property
    def is_over(self) -> bool:
        """Whether the prey is captured."""
        return bool(self.field[self.prey] & OWNER << self.hunter)

    def point(self, cell: int) -> Point:
        """Returns the point of a cell."""
        stride = int(self.field[STRIDE])
        return Point(cell % stride - 1, cell // stride - 1)

    def blows(self) -> list[int]:
        """Returns the cells where a dot of the hunter's captures the prey at once."""
        rings = RINGS + ROOM * self.hunter
        return [
            cell for cell in self._free() if int(self.field[rings + cell]).bit_count() > 1 and self.strike(cell).is_over
        ]

    def strike(self, cell: int) -> Hunt:
        """Returns the hunt after a dot of the hunter's."""
        field = self.field.copy()
        place(field, self.hunter, cell)
        return Hunt(field, self.hunter, self.prey, self.newest)

    def flee(self, cell: int) -> Hunt:
        """Returns the hunt after a dot of the prey's player."""
        field = self.field.copy()
        place(field, 1 - self.hunter, cell)
        return Hunt(field, self.hunter, self.prey, cell)

    def defences(self, blows: list[int]) -> list[int]:
        """Returns all cells where a dot may keep the hunter from these blows."""
        rings, score = RINGS + ROOM * (1 - self.hunter), SCORES + 1 - self.hunter
        walls = [cell for cell in self._free() if int(self.field[rings + cell]).bit_count() > 1]
        counters = [cell for cell in walls if self.flee(cell).field[score] > self.field[score]]
        return list(dict.fromkeys([*blows, *counters]))

    def steps(self, limit: int = MAX_STEPS) -> int:
        """Returns how many dots the hunter needs at most if it moves first and only threatens, or 0 if the prey
        escapes."""
        return self.begin(limit)[0]

    def begin(self, limit: int = MAX_STEPS) -> tuple[int, int]:
        """Returns the same, and the cell of the first dot."""
        if blows := self.blows():
            return 1, blows[0]
        for cell in self._near() if limit > 1 else ():
            if needed := self.strike(cell).steps_after(limit - 1):
                return 1 + needed, cell
        return 0, 0

    def steps_after(self, limit: int = MAX_STEPS) -> int:
        """Returns the same where the prey's player moves first and the hunter threatens; 0 if it does not."""
        blows, longest = self.blows(), 0
        for cell in self.defences(blows) if blows else ():
            after = self.flee(cell)
            needed = 1 if after.is_over else after.steps(limit)
            if not needed:
                return 0
            longest = max(longest, needed)
        return longest

    def best_defence(self) -> int | None:
        """Returns the dot that saves the prey, else the one that resists longest; None if nothing is threatened."""
        blows = self.blows()
        if not blows:
            return None

        def resists(cell: int) -> int:
            after = self.flee(cell)
            return 1 if after.is_over else after.steps() or MAX_STEPS

        return max(self.defences(blows), key=resists)

    def _free(self) -> Iterator[int]:
        board = self.field[: int(self.field[CELLS])]
        yield from map(int, np.flatnonzero((board & TAKEN) == 0))

    def _near(self) -> list[int]:
        """Returns the free cells beside the prey's group and around its newest dot."""
        field, steps = self.field, self.field[STEPS : STEPS + 8].tolist()
        alive, group = ALIVE << 1 - self.hunter, [self.prey]
        found = dict.fromkeys(self.newest + one + other for one in steps for other in (0, *steps))
        for cell in group:
            for step in steps[::2]:
                beside = cell + step
                if field[beside] & alive and beside not in group:
                    group.append(beside)
                found[beside] = None
        cells = int(field[CELLS])
        return [cell for cell in found if 0 <= cell < cells and not field[cell] & TAKEN]


def cell_of(field: Field, point: Point) -> int:
    """Returns the cell of a point."""
    assert point.x < int(field[WIDTH])
    assert point.y < int(field[HEIGHT])
    return (point.y + 1) * int(field[STRIDE]) + point.x + 1
