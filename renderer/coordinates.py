"""The labels round a board: the names of its columns and rows, and those of the last move's, which stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.layout import is_large, ring_of
from renderer.tile import Label
from rules.notation import column_name
from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.picture import Zone

Labels = dict[Point, Label | None]


class Coordinates:
    """The labels on the squares round a `window`, `ring` squares on each side.

    Every line is named, and every fifth in bold. On a large board only every fifth is, in letters that reach over
    several squares.
    """

    def __init__(self, window: Zone) -> None:
        self._low, self._high = window.low, window.high
        columns, rows = window.high.x - window.low.x + 1, window.high.y - window.low.y + 1
        self.ring = ring_of(columns, rows)
        self._large = is_large(columns, rows)
        self.labels: Labels = {}
        for x in range(window.low.x, window.high.x + 1):
            if _is_strong(x) or not self._large:
                self.labels |= self._column(x)
        for y in range(window.low.y, window.high.y + 1):
            if _is_strong(y) or not self._large:
                self.labels |= self._row(y)

    def highlighted(self, point: Point, seat: int) -> Labels:
        """Returns the labels of a crossing's column and row as those of a move of `seat`. Names that they would touch
        make room for them: their squares have None."""
        column, row = self._column(point.x, seat + 1), self._row(point.y, seat + 1)
        hidden: Labels = {}
        if self.ring > 1:
            near = range(max(point.x - 2, self._low.x), min(point.x + 2, self._high.x) + 1)
            hidden = dict.fromkeys(square for x in near if _is_strong(x) for square in self._column(x))
        return hidden | column | row

    def _column(self, x: int, seat: int = 0) -> Labels:
        """Returns the label of a column, above and below the board."""
        text, reach = column_name(x), range(-1, 2) if self.ring > 1 else (0,)
        return {
            Point(x + right, y): self._label(text, x, -2 * right, up, seat)
            for side, edge in ((1, self._high.y), (-1, self._low.y))
            for y, up in self._outward(edge, side)
            for right in reach
        }

    def _row(self, y: int, seat: int = 0) -> Labels:
        """Returns the label of a row, on both sides of the board."""
        return {
            Point(x, y): self._label(str(y + 1), y, across, 0, seat)
            for side, edge in ((1, self._high.x), (-1, self._low.x))
            for x, across in self._outward(edge, side)
        }

    def _outward(self, edge: int, side: int) -> Iterator[tuple[int, int]]:
        """Lists the squares outside an edge of the board, each with the way to the middle of the ring in half cells."""
        for step in range(1, self.ring + 1):
            yield edge + side * step, side * (self.ring + 1 - 2 * step)

    def _label(self, text: str, place: int, across: int, up: int, seat: int) -> Label:
        return Label(text, _is_strong(place), self.ring if self._large else 0, across, up, seat)


def _is_strong(place: int) -> bool:
    return place == 0 or place % 5 == 4
