"""Where everything lies in a picture of a board, in pixels from the top left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rules.game import Point

MOST = 60
"""Crossings a side; a larger field cannot be drawn."""
CELLS = range(59, 20, -2)
"""Pixels a cell may have, the largest first; odd, so that a line of one pixel has a middle."""
LONG_SIDE = 1000
"""Pixels that the longer side of the field has at most, as long as the smallest cell allows it."""
WINDOW = 32768
"""Bytes that deflate looks back. A row of tiles that fits into it finds its like in the row above; 39x32 takes half as
much again without."""
NARROWEST = 480
"""Pixels; a smaller field stands in the middle of a wider page, so that names fit above it."""
INLINE = (550, 350)
"""The largest picture that Discord shows in a message."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A page: a header of `header` pixels; below it the squares of all crossings, with one ring more that carries the
    labels; round these `left`, `right` and (above and below) `top` pixels of blank paper."""

    columns: int
    rows: int
    cell: int
    header: int
    left: int
    right: int
    top: int

    @classmethod
    def of(cls, columns: int, rows: int, lines: int = 1) -> Self:
        """The layout of a field, with a header of `lines` lines. Raises ValueError for a field that is too large."""
        if not (1 <= columns <= MOST and 1 <= rows <= MOST):
            raise ValueError(f"no field of {columns}x{rows} can be drawn")
        cell = next(
            (c for c in CELLS if max(columns, rows) * c <= LONG_SIDE and _width(columns, c) * c <= WINDOW), CELLS[-1]
        )
        width, spare = _width(columns, cell), _width(columns, cell) - (columns + 2) * cell
        height = (rows + 2) * cell + 2 * _margin(cell)
        line = min(max(28 * max(width / INLINE[0], height / INLINE[1]), width / 16), width / 11.5)
        return cls(columns, rows, cell, round(line * lines), spare // 2, spare - spare // 2, _margin(cell))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return (
            self.left + (self.columns + 2) * self.cell + self.right,
            self.header + (self.rows + 2) * self.cell + 2 * self.top,
        )

    def centre(self, point: Point) -> tuple[int, int]:
        """The middle pixel of a crossing; one step outside the field are the labels."""
        half = self.cell // 2
        return (
            self.left + (point.x + 1) * self.cell + half,
            self.header + self.top + (self.rows - point.y) * self.cell + half,
        )


def _margin(cell: int) -> int:
    return cell // 5


def _width(columns: int, cell: int) -> int:
    return max(NARROWEST, (columns + 2) * cell + 2 * _margin(cell))
