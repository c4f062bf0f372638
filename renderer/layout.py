"""The places of everything in a picture of a board, in pixels from the top left."""

from dataclasses import dataclass
from typing import Self

from rules.game import Point

MAX_SIDE = 60
"""Crossings a side; a larger field cannot be drawn."""
LARGE_SIDE, WIDE_SIDE = 20, 30
"""The longest sides of boards that name every line, and of those whose names fit into one ring of squares. On a phone
Chats show a board some 390 pixels wide."""
WINDOW = 32768
"""Bytes that deflate looks back. A row of tiles that fits into it finds its like in the row above; 39x32 takes half as
much again without."""
INLINE_SIZE = (550, 350)
"""The largest picture that chats show in a message."""


@dataclass(frozen=True, slots=True)
class Format:
    """The bounds of a picture, in pixels.

    `cells` are the sizes that a cell may have, the largest first: odd, so that a line of one pixel has a middle. The
    longer side of the field has `long_side` at most, as long as the smallest cell allows it. A page narrower than
    `narrowest` gets more paper on both sides, so that names fit above it.
    """

    cells: range
    long_side: int
    narrowest: int


ORIGIN = Point(0, 0)
STILL = Format(range(59, 20, -2), 1000, 480)
"""A board."""
MOVING = Format(range(37, 8, -2), 600, 320)
"""A replay, which must stay small."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A page, from the top: a header of `header` pixels; the squares of all crossings from `origin` (the bottom left
    one) on.

    `ring` squares more on each side carry the labels. Around them are `left`, `right` and (above and below) `top`
    pixels of blank paper.
    """

    origin: Point
    columns: int
    rows: int
    ring: int
    cell: int
    header: int
    left: int
    right: int
    top: int

    @classmethod
    def of(cls, columns: int, rows: int, lines: int = 1, form: Format = STILL, origin: Point = ORIGIN) -> Self:
        """Returns the layout of a field, or of a part of it. The header has `lines` lines, which may be 0. Raises
        ValueError for a field that is too large."""
        if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
            raise ValueError(f"no field of {columns}x{rows} can be drawn")
        side, ring = max(columns, rows), ring_of(columns, rows)
        across, upright = columns + 2 * ring, rows + 2 * ring
        cell = next(
            (
                cell
                for cell in form.cells
                if side * cell <= form.long_side and _width(across, cell, form) * cell <= WINDOW
            ),
            form.cells[-1],
        )
        width = _width(across, cell, form)
        spare = width - across * cell
        height = upright * cell + 2 * _margin(cell)
        line = min(max(28 * max(width / INLINE_SIZE[0], height / INLINE_SIZE[1]), width / 16), width / 11.5)
        header = round(line * lines)
        return cls(origin, columns, rows, ring, cell, header, spare // 2, spare - spare // 2, _margin(cell))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return (
            self.left + (self.columns + 2 * self.ring) * self.cell + self.right,
            self.header + (self.rows + 2 * self.ring) * self.cell + 2 * self.top,
        )

    @property
    def squares(self) -> tuple[int, int]:
        """The top left pixel of the top left square, a corner between the labels."""
        return self.left, self.header + self.top

    def centre(self, point: Point) -> tuple[int, int]:
        """Returns the middle pixel of a crossing; the labels are one step outside the field."""
        (left, top), half = self.squares, self.cell // 2
        return (
            left + (point.x - self.origin.x + self.ring) * self.cell + half,
            top + (self.rows - 1 - point.y + self.origin.y + self.ring) * self.cell + half,
        )


def is_large(columns: int, rows: int) -> bool:
    """Returns whether a board names every fifth line only, in larger letters."""
    return max(columns, rows) > LARGE_SIDE


def ring_of(columns: int, rows: int) -> int:
    """Returns the number of squares on each side of a board that carry its labels."""
    return 1 + (max(columns, rows) > WIDE_SIDE)


def _margin(cell: int) -> int:
    return cell // 5


def _width(squares: int, cell: int, form: Format) -> int:
    return max(form.narrowest, squares * cell + 2 * _margin(cell))
