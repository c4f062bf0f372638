"""The field while dots are placed on it: who placed what, what is alive, and whose bases it holds.

Closed faces follow from the dots, but asking anew with every dot whether it lies in one would cost a walk through the
whole field. So each crossing remembers in whose closed faces it lies (`enclosed`), and a dot changes that only where
it closes a face or where a capture opens one: a move costs what its surroundings cost.
"""

from __future__ import annotations

from typing import NamedTuple, Self

from rules.dots.enclosure import Enclosure, area, encloses, enclosure
from rules.dots.grid import GAPS, Grid

OFF_FIELD = 255
"""In `placed`: no crossing, so never free."""


class Base(NamedTuple):
    """A base of `player` (seat + 1) and its chain; `prisoner` is a crossing inside with another player's dot."""

    player: int
    chain: tuple[int, ...]
    prisoner: int


class Field:
    """Changed by `place` alone; positions keep copies. Players are numbered seat + 1, and 0 is nobody."""

    __slots__ = ("_intruded", "alive", "bases", "enclosed", "free", "grid", "owner", "placed", "scores")

    def __init__(self, grid: Grid, seats: int) -> None:
        self.grid = grid
        self.placed = bytearray(grid.size)
        """Who placed the dot on a crossing."""
        for cell in grid.off_field:
            self.placed[cell] = OFF_FIELD
        self.alive = bytearray(grid.size)
        """Whose alive dot stands on a crossing."""
        self.owner = bytearray(grid.size)
        """In whose base a crossing lies."""
        self.enclosed = bytearray(grid.size)
        """The players in whose closed faces a crossing lies, a bit (1 << player) each."""
        self.scores = [0] * seats
        self.free = grid.width * grid.height
        """The number of crossings where a dot can be placed."""
        self.bases: tuple[Base, ...] = ()
        # Players in whose closed faces an alive dot of another may stand: it came in by completing an enclosure there.
        self._intruded = 0

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.grid = self.grid
        twin.placed = self.placed[:]
        twin.alive = self.alive[:]
        twin.owner = self.owner[:]
        twin.enclosed = self.enclosed[:]
        twin.scores = self.scores[:]
        twin.free = self.free
        twin.bases = self.bases
        twin._intruded = self._intruded
        return twin

    def is_free(self, cell: int) -> bool:
        return not self.placed[cell] and not self.owner[cell]

    def place(self, player: int, cell: int) -> None:
        """Puts a dot on a free crossing and makes the bases that follow from it."""
        self.placed[cell] = self.alive[cell] = player
        self.free -= 1
        captured = False
        for candidate in self._closed_around(player, cell):
            captured |= self._close(player, candidate)
        around = self.enclosed[cell] & ~(1 << player)
        if not around:
            return
        if captured:
            self._intruded |= around
            return
        owner, smallest = min(
            (
                (owner, enclosure(self.grid, self.alive, owner, cell))
                for owner in range(1, len(self.scores) + 1)
                if around >> owner & 1
            ),
            key=lambda house: area(self.grid, house[1].chain),
        )
        self._close(owner, smallest)

    def lay(self, player: int, cell: int) -> None:
        """Puts a dot of a set-up on a crossing without one: into a base it goes as a prisoner, or as an own dot."""
        owner = self.owner[cell]
        if not owner:
            self.place(player, cell)
        elif owner == player:
            self.placed[cell] = self.alive[cell] = player
            self.enclosed[cell] &= ~(1 << player)
        else:
            self.placed[cell] = player
            self.scores[owner - 1] += 1

    def _closed_around(self, player: int, cell: int) -> list[Enclosure]:
        """The enclosures of `player` beside his new dot that may hold something to capture, the smallest first."""
        grid, alive = self.grid, self.alive
        mine = 1 << player
        if not self.enclosed[cell] & mine:
            sides = self._newly_closed(player, cell)
        else:
            # The dot stands in a closed face of its own: whatever lies beside it is closed and was judged before.
            self.enclosed[cell] &= ~mine
            if not self._intruded & mine:
                return []
            sides = [cell + step for step in grid.steps[::2] if alive[cell + step] != player]
        found: list[Enclosure] = []
        for side in sides:
            if not any(side in other.face for other in found):
                found.append(enclosure(grid, alive, player, side))
        if len(found) > 1:
            found.sort(key=lambda closed: area(grid, closed.chain))
        return found

    def _newly_closed(self, player: int, cell: int) -> list[int]:
        """A cell of each face that the new dot has cut off from the open one in which it was placed.

        A dot cuts only where it joins walls that part its neighbours. Of the faces around the wall that it joins
        exactly one is open; the walk round that one tells which gaps lead there, and all others are closed.
        """
        grid, alive = self.grid, self.alive
        walls = 0
        bit = 1
        for step in grid.steps:
            if alive[cell + step] == player:
                walls |= bit
            bit <<= 1
        gaps = GAPS[walls]
        if not gaps:
            return []
        outside = grid.outside.get(cell, 0)
        if outside:
            gaps = tuple(sorted(gaps, key=lambda gap: not gap.cells & outside))
        sides = []
        opened, met = False, 0
        for gap in gaps:
            if met >> gap.wall & 1:
                continue
            if not opened:
                closed, left_by = encloses(grid, alive, player, cell, gap.wall)
                met |= left_by
                opened = not closed
            if opened and met >> gap.wall & 1:
                continue
            sides.append(cell + grid.steps[gap.side])
        return sides

    def _close(self, player: int, closed: Enclosure) -> bool:
        """Makes a base of an enclosure if it holds an alive dot of another player; says whether it did."""
        alive, placed, owner, enclosed, scores = self.alive, self.placed, self.owner, self.enclosed, self.scores
        mine = 1 << player
        captures = False
        for cell in closed.inside:
            if alive[cell] != player:
                enclosed[cell] |= mine
                captures |= alive[cell] != 0
        if not captures:
            return False
        fallen: dict[int, list[int]] = {}
        prisoner = 0
        for cell in closed.inside:
            holder = alive[cell]
            if holder == player:
                continue
            dot, master = placed[cell], owner[cell]
            if master == player:
                continue
            owner[cell] = player
            if not dot:
                self.free -= not master
                continue
            if master not in (0, dot):
                scores[master - 1] -= 1
            if dot == player:
                alive[cell] = player
                enclosed[cell] &= ~mine
                self._intruded |= enclosed[cell]
                continue
            scores[player - 1] += 1
            prisoner = cell
            if holder:
                alive[cell] = 0
                fallen.setdefault(holder, []).append(cell)
        for other, dots in fallen.items():
            self._fall(other, dots)
        inside = set(closed.inside)
        kept = tuple(base for base in self.bases if base.prisoner not in inside)
        self.bases = (*kept, Base(player, closed.chain, prisoner))
        return True

    def _fall(self, player: int, dots: list[int]) -> None:
        """Joins the faces of `player` that his captured `dots` parted: one that touches an open face is open itself."""
        alive, enclosed = self.alive, self.enclosed
        mine = 1 << player
        sides = self.grid.steps[::2]
        for cell in dots:
            enclosed[cell] |= mine
        leaks = []
        for cell in dots:
            for step in sides:
                neighbour = cell + step
                if alive[neighbour] != player and not enclosed[neighbour] & mine:
                    leaks.append(cell)
                    break
        while leaks:
            cell = leaks.pop()
            if enclosed[cell] & mine:
                enclosed[cell] &= ~mine
                leaks.extend(cell + step for step in sides if enclosed[cell + step] & mine)
