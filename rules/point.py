"""A crossing of the field, and a seat at the table."""

from __future__ import annotations

from typing import NamedTuple, NewType

Seat = NewType("Seat", int)
"""A player at the table, counted from 0 in the order of the first moves; never a colour."""


class Point(NamedTuple):
    """A crossing of the field: `x` to the right and `y` up from the bottom left corner, both from 0.

    Players read the field this way: K12 is column 11 and row 12 from the bottom. So a move has a name that does not
    depend on the height of its field. Formats that count rows from the top (SGF, pixels, diagrams) convert at their
    edge.
    """

    x: int
    y: int


def steps_between(one: Point, other: Point) -> int:
    """Returns the steps of a king between two crossings."""
    return max(abs(one.x - other.x), abs(one.y - other.y))
