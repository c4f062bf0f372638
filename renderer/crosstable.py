"""A crosstable of a tournament as a picture: each player's results against the others, or round by round."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.pen import Weight, font, legible, shortened, write_heading
from renderer.theme import PAPER, palette_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.theme import Theme

HEAD, LABELS, NOTE, MARGIN = 92, 40, 36, 36
"""Pixels of the heading, of the line with the columns' labels, of a note, and at the sides."""
PLACE, NAME, NUMBER, POINTS = 64, 300, 40, 92
"""The widths of the columns beside the results, in pixels."""
MIN_WIDTH = 800
TALL_ROW, LOW_ROW = 52, 40
"""Pixels a line, for as many lines as MAX_TALL_ROWS and for more."""
MAX_TALL_ROWS = 20
MIN_CELL, CELL_PADDING = 50, 18
"""Pixels of a result's column at least, and those beside its widest text."""
LETTERS = 24


class Result(Enum):
    """How a cell is drawn."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    OPEN = "open"
    SELF = "self"


class Cell(NamedTuple):
    """A result, in a few characters."""

    text: str
    result: Result


class CrossLine(NamedTuple):
    """A player's line. `fallback` replaces a name with letters that the font lacks; a `faint` player has withdrawn."""

    place: str
    name: str
    fallback: str
    cells: tuple[Cell, ...]
    points: str
    faint: bool = False


def crosstable(
    title: str,
    heading: str,
    labels: Sequence[str],
    lines: Sequence[CrossLine],
    theme: Theme = PAPER,
    note: str = "",
) -> bytes:
    """Returns the lines from the top as a PNG file, with `labels` above the cells, a `heading` at the right and perhaps
    a `note` below.

    The lines are numbered beside their cells, so that cells and labels can name a player by number.
    """
    medium = font(Weight.MEDIUM, LETTERS)
    texts = [*labels, *(cell.text for line in lines for cell in line.cells)]
    cell = max(MIN_CELL, *(round(medium.getlength(text)) + CELL_PADDING for text in texts)) if texts else MIN_CELL
    row = TALL_ROW if len(lines) <= MAX_TALL_ROWS else LOW_ROW
    width = max(MIN_WIDTH, 2 * MARGIN + PLACE + NAME + NUMBER + POINTS + cell * len(labels))
    left = width - MARGIN - POINTS - cell * len(labels)
    bottom = HEAD + LABELS + row * len(lines)
    page = Image.new("RGB", (width, bottom + (NOTE if note else 0) + MARGIN // 2), theme.paper)
    draw = ImageDraw.Draw(page)
    write_heading(draw, (MARGIN, width - MARGIN), 58, title, heading, theme)
    for number, label in enumerate(labels):
        middle = left + cell * number + cell / 2, HEAD + LABELS / 2
        draw.text(middle, label, theme.quiet_text, font(Weight.MEDIUM, 20), anchor="mm")
    for number, line in enumerate(lines):
        middle = left - 10, HEAD + LABELS + row * (number + 0.5)
        draw.text(middle, f"{number + 1}", theme.quiet_text, font(Weight.MEDIUM, 20), anchor="rm")
        _draw_line(draw, (HEAD + LABELS + row * number, row), (left, cell), line, theme)
    if note:
        below = MARGIN, bottom + NOTE / 2 + 6
        draw.text(below, legible(note, ""), theme.quiet_text, font(Weight.MEDIUM, 20), anchor="lm")
    return palette_of(theme).png(page)


def _draw_line(
    draw: ImageDraw.ImageDraw, rows: tuple[int, int], columns: tuple[int, int], line: CrossLine, theme: Theme
) -> None:
    (top, row), (left, cell) = rows, columns
    right, middle = left + cell * len(line.cells), top + row / 2
    colour = theme.quiet_text if line.faint else theme.text
    draw.line((MARGIN, top, right + POINTS, top), theme.grid)
    draw.text((MARGIN + PLACE - 20, middle), line.place, theme.quiet_text, font(Weight.MEDIUM, LETTERS), anchor="rm")
    name = shortened(legible(line.name, line.fallback), Weight.BOLD, LETTERS, left - MARGIN - PLACE - NUMBER)
    draw.text((MARGIN + PLACE, middle), name, colour, font(Weight.BOLD, LETTERS), anchor="lm")
    for number, each in enumerate(line.cells):
        _draw_cell(draw, (left + cell * number, top, left + cell * (number + 1), top + row), each, theme)
    draw.text((right + POINTS, middle), line.points, colour, font(Weight.BOLD, LETTERS), anchor="rm")


def _draw_cell(draw: ImageDraw.ImageDraw, box: tuple[int, int, int, int], cell: Cell, theme: Theme) -> None:
    left, top, right, bottom = box
    ground = {Result.WON: theme.zone, Result.SELF: theme.grid}.get(cell.result)
    draw.rectangle(box, ground, theme.grid)
    quiet = cell.result in (Result.LOST, Result.OPEN)
    letters = font(Weight.BOLD if cell.result is Result.WON else Weight.MEDIUM, LETTERS)
    middle = (left + right) / 2, (top + bottom) / 2
    draw.text(middle, cell.text, theme.quiet_text if quiet else theme.text, letters, anchor="mm")
