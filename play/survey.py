"""The dots of a position as flat cells: which of them hang together, and what they keep from the edge."""

from __future__ import annotations

from rules.dots import DotsPosition
from rules.game import Point, Seat

DEAD, OFF = 8, 9
"""A captured dot, and a crossing off the field; else a cell holds seat + 1, or 0 for no dot."""


class Survey:
    """Cells lie row by row from the bottom left, in a frame of cells off the field; `ring` leads to the eight around
    one, from the right counterclockwise."""

    def __init__(self, position: DotsPosition) -> None:
        picture = position.picture()
        self._stride = stride = picture.width + 1
        row, frame = bytes(picture.width) + bytes([OFF]), bytes([OFF]) * stride
        self.dots = bytearray(frame + bytes([OFF]) + row * picture.height + frame)
        for stone in picture.stones:
            self.dots[self.cell(stone.point)] = DEAD if stone.captured else stone.seat + 1
        self.ring = (1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1)
        crossings = [cell for cell, holder in enumerate(self.dots) if holder != OFF]
        bottom, top = range(picture.width), range(len(crossings) - picture.width, len(crossings))
        left, right = (range(first, len(crossings), picture.width) for first in (0, picture.width - 1))
        rim = [crossings[number] for number in {*bottom, *top, *left, *right}]
        self._closed = [self._enclosed(crossings, rim, seat + 1) for seat in range(position.game.seats)]

    def cell(self, point: Point) -> int:
        return (point.y + 1) * self._stride + point.x + 1

    def closes(self, seat: Seat) -> int:
        """How many crossings the alive dots of `seat` keep from the edge."""
        return len(self._closed[seat])

    def house(self, point: Point, guest: Seat) -> Seat | None:
        """Whose dots keep a crossing from the edge: somebody else's than the guest's first, None if nobody's."""
        cell = self.cell(point)
        owners = [seat for seat, closed in enumerate(self._closed) if cell in closed]
        return Seat(min(owners, key=lambda seat: seat == guest)) if owners else None

    def groups(self) -> dict[int, int]:
        """For each alive dot the number of its group: dots of one player, neighbour to neighbour."""
        dots = self.dots
        groups: dict[int, int] = {}
        for start, holder in enumerate(dots):
            if not 0 < holder < DEAD or start in groups:
                continue
            groups[start] = start
            waiting = [start]
            for cell in waiting:
                for step in self.ring:
                    beside = cell + step
                    if dots[beside] == holder and beside not in groups:
                        groups[beside] = start
                        waiting.append(beside)
        return groups

    def _enclosed(self, crossings: list[int], rim: list[int], holder: int) -> set[int]:
        """All crossings but those that are reached from the rim without an alive dot of `holder`, and these dots."""
        sides = self.ring[::2]
        reached = bytearray(self.dots)
        waiting = [cell for cell in rim if reached[cell] != holder]
        for cell in waiting:
            reached[cell] = holder
        for cell in waiting:
            for step in sides:
                beside = cell + step
                if reached[beside] not in (holder, OFF):
                    reached[beside] = holder
                    waiting.append(beside)
        return {cell for cell in crossings if reached[cell] != holder}
