"""The ways of dashes: at least three crossings along a line, over empty crossings to an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.dash.board import Board, cells, shift
from rules.game import IllegalMove
from rules.notation import point_name
from rules.point import Point

MIN_LENGTH = 3
"""Crossings from the start of a dash to its end."""

MIN_RESERVE = 2
"""Stones that a dash needs: it leaves them on the crossings just behind its end."""


class Path(NamedTuple):
    """A dash by the numbers of its crossings' bits: from `start` to `end` in steps of `step`."""

    start: int
    end: int
    step: int

    @property
    def passed(self) -> range:
        """The crossings between start and end, in order."""
        return range(self.start + self.step, self.end, self.step)

    @property
    def behind(self) -> int:
        """The set of the two crossings where the stones from the reserve go."""
        return 1 << self.end - self.step | 1 << self.end - 2 * self.step


def path_between(board: Board, start: Point, end: Point) -> Path:
    """Returns the path of a dash, also one with stones in its way. Raises IllegalMove for a bent or a short one."""
    right, up = end.x - start.x, end.y - start.y
    if right and up and abs(right) != abs(up):
        raise IllegalMove("not_straight", start=point_name(start), end=point_name(end))
    length = max(abs(right), abs(up))
    if length < MIN_LENGTH:
        raise IllegalMove("too_short", least=MIN_LENGTH)
    here, there = board.cell(start), board.cell(end)
    return Path(here, there, (there - here) // length)


def paths(board: Board, movers: int, empty: int, targets: int) -> Iterator[Path]:
    """Lists every dash of the stones `movers` over `empty` crossings to an empty one, or to one of `targets`."""
    for along in board.steps:
        for step in (along, -along):
            length = MIN_LENGTH
            running = movers & shift(empty, step) & shift(empty, 2 * step)
            while running:
                stopping = running & shift(empty | targets, length * step)
                for start in cells(stopping):
                    yield Path(start, start + length * step, step)
                running = stopping & shift(empty, length * step)
                length += 1
