"""Connections in a position of Dots: groups of dots, and the crossings that they keep from the edge."""

from rules.dots import DotsPosition
from rules.dots.grid import GAPS
from rules.game import Point, Seat


class Adjacency:
    """Connections, computed only where asked for."""

    def __init__(self, position: DotsPosition) -> None:
        self._field = position.field
        self._seats = [Seat(seat) for seat in range(position.rules.seats)]
        self._groups: dict[int, int] = {}

    def count_enclosed(self, seat: Seat) -> int:
        """Returns how many crossings the alive dots of `seat` keep from the edge."""
        mine = 2 << seat
        return sum(bits & mine > 0 for bits in self._field.enclosed)

    def encloses(self, seat: Seat, point: Point) -> bool:
        """Returns whether the alive dots of `seat` keep a crossing from the edge."""
        return self._field.enclosed[self._field.grid.index(point)] & 2 << seat > 0

    def house_owner(self, point: Point, guest: Seat) -> Seat | None:
        """Returns the seat whose dots keep a crossing from the edge: another than the guest first, None if there is
        none."""
        if not self._field.enclosed[self._field.grid.index(point)]:
            return None
        owners = [seat for seat in self._seats if self.encloses(seat, point)]
        return min(owners, key=lambda seat: seat == guest)

    def dots_around(self, point: Point) -> dict[Seat, int]:
        """Returns the alive dots round a crossing: a bit for each direction, for each player that has any."""
        alive, grid = self._field.alive, self._field.grid
        cell, bit, found = grid.index(point), 1, dict[Seat, int]()
        for step in grid.steps:
            if holder := alive[cell + step]:
                seat = Seat(holder - 1)
                found[seat] = found.get(seat, 0) | bit
            bit <<= 1
        return found

    def joined_groups(self, point: Point, walls: int) -> list[int]:
        """Returns the groups that a dot joins there, one for each gap between these walls of its player. The dot
        closes something if a group comes twice."""
        return [self.group(point, gap.wall) for gap in GAPS[walls]]

    def joined_dots(self, point: Point, walls: int) -> tuple[Point, ...]:
        """Returns a dot beside a crossing of each group that a dot joins there; none if it joins no two."""
        beside = {self.group(point, gap.wall): gap.wall for gap in GAPS[walls]}
        return tuple(sorted(self._beside(point, way) for way in beside.values())) if len(beside) > 1 else ()

    def extended_chain(self, point: Point, walls: int) -> tuple[Point, int]:
        """Returns a dot beside a crossing, of the chain that a dot there goes on with, and the length of that chain
        before."""
        way = walls.bit_length() - 1
        group = self.group(point, way)
        return self._beside(point, way), sum(each == group for each in self._groups.values())

    def _beside(self, point: Point, way: int) -> Point:
        return self._field.grid.point(self._field.grid.index(point) + self._field.grid.steps[way])

    def group(self, point: Point, way: int) -> int:
        """Returns the number of the group whose dot is in direction `way` of a crossing: dots of one player, neighbour
        to neighbour."""
        alive, grid = self._field.alive, self._field.grid
        start = grid.index(point) + grid.steps[way]
        if start not in self._groups:
            holder = alive[start]
            self._groups[start] = start
            waiting = [start]
            for cell in waiting:
                for step in grid.steps:
                    beside = cell + step
                    if alive[beside] == holder and beside not in self._groups:
                        self._groups[beside] = start
                        waiting.append(beside)
        return self._groups[start]
