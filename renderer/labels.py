"""The names of columns and rows on a tile, and the numbers on crossings."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from PIL import ImageDraw

from renderer.lettering import Weight, font
from renderer.shapes import box

if TYPE_CHECKING:
    from PIL import Image

    from renderer.square import Square
    from renderer.theme import Colour, Theme
    from renderer.tile import Label

MIN_LETTER_PIXELS = 7
"""A label that needs smaller letters is left out."""
MAX_LETTERS = (0.65, 32)
"""The size of the letters of a board that names every line, in cells and in pixels: nine pixels or more where Discord
shows 20x20 in a message (`renderer.layout.INLINE_SIZE`)."""
MAX_LARGE_LETTERS = (1.4, 30)
"""The size of the letters of a large board: in cells, so that digits fit between two lines, and in pixels."""
SERIF = (0.4, 0.1)
"""The length and the thickness of the serifs of a capital I, in parts of its size: without them it is a bare stroke."""


def write(
    picture: Image.Image,
    text: str,
    size: float,
    colour: Colour,
    weight: Weight = Weight.BOLD,
    *,
    spot: tuple[int, int] = (0, 0),
    squares: int = 1,
) -> None:
    """Writes a word of `size` pixels round a spot, in half cells from the middle of a tile, no wider than so many
    squares."""
    height = _fitting(text, size, weight, _room(picture.width, squares))
    if height < MIN_LETTER_PIXELS:
        return
    face, (across, up) = font(weight, height), spot
    left, top, right, bottom = face.getbbox(text)
    # Every tile that has a part of the word rounds alike.
    x = floor(picture.width * (1 + across) / 2 - (left + right) / 2 + 0.5)
    y = floor(picture.height * (1 - up) / 2 - (top + bottom) / 2 + 0.5)
    draw = ImageDraw.Draw(picture)
    draw.text((x, y), text, colour, face)
    for place, letter in enumerate(text):
        if letter == "I":
            start = x + face.getlength(text[:place])
            _add_serifs(draw, face.getbbox(letter), (start, y), height, colour)


def _add_serifs(
    draw: ImageDraw.ImageDraw,
    stroke: tuple[float, float, float, float],
    place: tuple[float, float],
    size: int,
    colour: Colour,
) -> None:
    """Draws a bar at each end of the stroke of a capital I, whose place is the start of the letter."""
    (left, top, right, bottom), (x, y) = stroke, place
    middle, half, thick = x + (left + right) / 2, size * SERIF[0] / 2, max(1, round(size * SERIF[1]))
    for end in (y + top, y + bottom - thick):
        draw.rectangle((round(middle - half), round(end), round(middle + half) - 1, round(end) + thick - 1), colour)


def write_label(picture: Image.Image, label: Label, theme: Theme) -> None:
    """Writes the name of a column or row, or the part of it that reaches into this tile."""
    colour = theme.paper if label.seat else theme.text if label.strong else theme.quiet_text
    weight = Weight.BOLD if label.strong or label.seat else Weight.MEDIUM
    spot, squares = (label.across, label.up), max(1, label.squares)
    write(picture, label.text, _letters(label, picture.width), colour, weight, spot=spot, squares=squares)


def lay_chip(draw: ImageDraw.ImageDraw, square: Square, label: Label, cell: int, theme: Theme) -> None:
    """Draws the ground of a label that is highlighted, in an enlarged tile."""
    letters, place = _letters(label, cell), square.at((label.across, label.up))
    if label.squares:
        height = _fitting(label.text, letters, Weight.BOLD, _room(cell, label.squares))
        width = font(Weight.BOLD, height).getlength(label.text) + 0.4 * height
        up = 0.7 if label.up else 0.49  # names above and below the board have two squares, those beside it one
        across = max(up, min(width / cell, label.squares) / 2)
    else:
        across = up = min(0.86, 1.65 * letters / cell) / 2
    side = square.side
    box(draw, place, across * side, up * side, up * side * 0.4, theme.inks[label.seat - 1].colour)


def _letters(label: Label, cell: int) -> float:
    """Returns the size of a label's letters, in pixels."""
    if label.squares:
        cells, pixels = MAX_LARGE_LETTERS
        return min(cells * cell, pixels) * (0.85 if label.seat and not label.up else 1)
    cells, pixels = MAX_LETTERS
    return min(cells * cell, pixels)


def _room(cell: int, squares: int) -> float:
    """Returns the width that a word may have, in pixels."""
    return cell * (0.84 if squares == 1 else squares * 0.98)


def _fitting(text: str, size: float, weight: Weight, room: float) -> int:
    """Returns the largest size of letters with which a word is no wider than `room`."""
    height = round(size)
    while height >= MIN_LETTER_PIXELS and font(weight, height).getlength(text) > room:
        height -= 1
    return height
