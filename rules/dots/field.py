"""The field while dots are placed on it: the dots, which of them are alive, and the bases.

Closed faces follow from the dots, but a walk through the whole field with every dot would be slow. So each crossing
remembers in whose closed faces it lies (`enclosed`). A dot changes that only where it closes a face, or where a capture
opens one: the cost of a move depends on its surroundings alone.
"""

from typing import NamedTuple, Self

from rules.dots.enclosure import Enclosure, encloses, face
from rules.dots.grid import GAPS, Grid
from rules.game import Point

OFF_FIELD = 255
"""The value of `placed` for a cell that is no crossing, so never free."""

ON_LINE = 5
"""The value of `owner` for an empty crossing under a far link: out of play but in no base."""


class Base(NamedTuple):
    """A base of `player` (seat + 1), its chain, and a crossing inside with a dot of another player, its `prisoner`."""

    player: int
    chain: tuple[int, ...]
    prisoner: int


class Field:
    """The dots and bases. Positions keep copies, which never change. Players are numbered seat + 1; 0 is no player."""

    __slots__ = ("alive", "bases", "enclosed", "free", "grid", "intruded", "owner", "placed", "scores")

    def __init__(self, grid: Grid, seats: int) -> None:
        self.grid = grid
        self.placed = bytearray(grid.size)
        """The player who placed the dot on each crossing."""
        for cell in grid.off_field:
            self.placed[cell] = OFF_FIELD
        self.alive = bytearray(grid.size)
        """The player whose alive dot is on each crossing."""
        self.owner = bytearray(grid.size)
        """The player in whose base each crossing lies."""
        self.enclosed = bytearray(grid.size)
        """The players in whose closed faces each crossing lies, a bit (1 << player) each."""
        self.scores = [0] * seats
        self.free = grid.width * grid.height
        """The number of crossings where a dot can be placed."""
        self.bases: tuple[Base, ...] = ()
        self.intruded = 0
        """A bit for each player in whose closed faces an alive dot of another may lie. Such a dot completed an
        enclosure there, or was freed there."""

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.grid = self.grid
        other.placed = self.placed[:]
        other.alive = self.alive[:]
        other.owner = self.owner[:]
        other.enclosed = self.enclosed[:]
        other.scores = self.scores[:]
        other.free = self.free
        other.bases = self.bases
        other.intruded = self.intruded
        return other

    def points(self, chain: tuple[int, ...]) -> tuple[Point, ...]:
        return tuple(map(self.grid.point, chain))

    def is_free(self, cell: int) -> bool:
        return not self.placed[cell] and not self.owner[cell]

    def put(self, player: int, cell: int) -> list[set[int]]:
        """Puts a dot on a free crossing; returns the faces of `player` that it has closed."""
        self.placed[cell] = self.alive[cell] = player
        self.free -= 1
        mine = 1 << player
        if self.enclosed[cell] & mine:
            self.enclosed[cell] &= ~mine
            return []
        closed: list[set[int]] = []
        for side in self._cut_off(player, cell):
            if not any(side in other for other in closed):
                closed.append(face(self.grid, self.alive, player, side))
        for cells in closed:
            for inside in cells:
                self.enclosed[inside] |= mine
        return closed

    def put_in_base(self, player: int, cell: int) -> None:
        """Puts a dot into a base: captured, or alive if it is the owner's."""
        owner = self.owner[cell]
        self.placed[cell] = player
        if owner == player:
            self.alive[cell] = player
            self.enclosed[cell] &= ~(1 << player)
        else:
            self.scores[owner - 1] += 1

    def block(self, cell: int) -> None:
        """Takes a free crossing out of play: a far link runs over it."""
        self.owner[cell] = ON_LINE
        self.free -= 1

    def faces_beside(self, player: int, cell: int) -> list[set[int]]:
        """Returns the faces of `player` beside their dot on `cell`, which are all closed."""
        faces: list[set[int]] = []
        for step in self.grid.steps[::2]:
            side = cell + step
            if self.alive[side] != player and not any(side in other for other in faces):
                faces.append(face(self.grid, self.alive, player, side))
        return faces

    def holds_enemy(self, player: int, cells: list[int]) -> bool:
        """Returns whether an alive dot of an opponent of `player` is on one of `cells`."""
        return any(self.alive[cell] not in (0, player) for cell in cells)

    def capture(self, player: int, closed: Enclosure) -> None:
        """Makes a base of `player` of what their chain encloses: dots of others are captured, their own are freed."""
        alive, placed, owner, enclosed, scores = self.alive, self.placed, self.owner, self.enclosed, self.scores
        mine = 1 << player
        fallen: dict[int, list[int]] = {}
        prisoner = 0
        for cell in closed.inside:
            dot, master, holder = placed[cell], owner[cell], alive[cell]
            if holder == player:
                owner[cell] = player
                continue
            enclosed[cell] |= mine
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
                self.intruded |= enclosed[cell]
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

    def surrender(self, player: int, winner: int, cells: list[int]) -> None:
        """Gives `cells`, whole groups of `player`, to `winner`: the dots in them are lost, the prisoners go free."""
        lost = []
        for cell in cells:
            dot, master = self.placed[cell], self.owner[cell]
            if master == winner:
                continue
            if dot == player:
                self.scores[winner - 1] += 1
                self.alive[cell] = 0
                lost.append(cell)
            elif dot and master == player:
                self.scores[player - 1] -= 1
                self.alive[cell] = dot
                self.enclosed[cell] &= ~(1 << dot)
            elif not dot:
                self.free -= not master
            self.owner[cell] = winner
        self._fall(player, lost)
        given = set(cells)
        self.bases = tuple(base for base in self.bases if base.prisoner not in given)

    def _cut_off(self, player: int, cell: int) -> list[int]:
        """Returns a cell of each face that the new dot has cut off from the open one around it.

        A dot cuts only where it joins walls that part its neighbours. Of the faces around the wall that it joins
        exactly one is open. The walk round that one shows which gaps lead there; all others are closed.
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

    def _fall(self, player: int, dots: list[int]) -> None:
        """Joins the faces of `player` that their captured `dots` parted: one that touches an open face is open
        itself."""
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
