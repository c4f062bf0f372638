"""The marks on a crossing, drawn in an enlarged square: stones, the lines of chains, names and numbers."""

from __future__ import annotations

from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageDraw

from renderer.pen import Place, Weight, box, disc, dot, font, hatch, outline, polygon, stroke
from renderer.theme import blend
from renderer.tile import DIRECTIONS, Form, Stroke

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from renderer.theme import Colour, Theme
    from renderer.tile import Content, Cover, Label, Slice

Spot = tuple[float, float]
"""A place in a square, in half cells from its middle, y up."""

FIVE = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
"""The form of a block in a credited five."""
BLOCK, PIP, DASH = 0.37, 0.1, (0.17, 0.055)
"""In cells: half of a block's side; the radius of its round pip; half of the sides of its long pip."""
BORDER = {Form.BLOCK: 0.46, Form.CREDITED: 0.64}
"""The distance of the last move's border from the middle of a block, in cells."""
RIM = 0.8
"""The beginning of the rim of a ghost, in parts of its radius."""

FAR_AREA_OPACITY = 225
"""Of 255: how much an area with long steps covers of the lines of the paper."""
PLAN_WIDTH_FACTOR = 1.5
"""The line round a planned area is so many times wider than a chain."""
OUTLINE_WIDTH_FACTOR, HOLLOW = 1.6, 0.5
"""The width of an outline, in widths of a chain, and the part of it that is hollow."""

MIN_LETTER_PIXELS = 7
"""A label that needs smaller letters is left out."""
MAX_LETTERS = (0.65, 32)
"""The size of the letters of a board that names every line, in cells and in pixels: nine pixels or more where a chat
shows 20x20 in a message (`renderer.layout.INLINE_SIZE`)."""
MAX_LARGE_LETTERS = (1.4, 30)
"""The size of the letters of a large board: in cells, so that digits fit between two lines, and in pixels."""
SERIF = (0.4, 0.1)
"""The length and the thickness of the serifs of a capital I, in parts of its size: without them it is a bare stroke."""


class Square:
    """A square of `side` pixels. Widths of lines are parts of it."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.middle = (side / 2 - 0.5, side / 2 - 0.5)

    def at(self, spot: Spot) -> Place:
        """Returns the pixel of a spot."""
        half = self.side / 2
        return half - 0.5 + spot[0] * half, half - 0.5 - spot[1] * half

    def line(self, draw: ImageDraw.ImageDraw, start: Spot, end: Spot, colour: Colour, width: float) -> None:
        stroke(draw, self.at(start), self.at(end), width * self.side, colour)

    def octant(self, k: int) -> list[Place]:
        """Returns the corners of the eighth between directions k and k + 1."""
        return [self.middle, self.at(DIRECTIONS[k]), self.at(DIRECTIONS[(k + 1) % 8])]


def stone(draw: ImageDraw.ImageDraw, content: Content, place: Place, side: int, theme: Theme) -> None:
    """Draws the stone of `content` round `place`; a cell has `side` pixels."""
    seat = content.stone - 1
    ink = theme.inks[seat]
    if content.form is Form.CAPTURED:
        holder = content.cover.octants[0]
        ground = blend(theme.paper, theme.inks[holder - 1].colour, theme.tint) if holder else theme.paper
        faded = blend(ground, ink.colour, theme.fading)
        dot(draw, ink.shape, place, theme.captured_dot * side, faded, ground)
    elif content.form is Form.GHOST:
        outline(draw, ink.shape, place, theme.dot * side, ink.colour)
        outline(draw, ink.shape, place, theme.dot * RIM * side, blend(theme.paper, ink.colour, theme.ghost))
    elif content.form is Form.DOT:
        dot(draw, ink.shape, place, theme.dot * side, ink.colour, theme.light(seat))
        if content.last:
            disc(draw, place, theme.last_pip * side, theme.paper)
    elif content.form is Form.CREDITED:
        polygon(draw, FIVE, place, 0.5 * side, ink.colour)
        _pip(draw, seat, place, side, theme)
    else:
        block(draw, seat, place, side, theme)


def highlight(draw: ImageDraw.ImageDraw, form: Form, place: Place, side: int, theme: Theme) -> None:
    """Draws the mark of the last move, below its stone: a disc behind a dot, a border round a block."""
    if form is Form.BLOCK:
        box(draw, place, BORDER[form] * side, BORDER[form] * side, 0.1 * side, theme.last)
    elif form is Form.CREDITED:
        polygon(draw, FIVE, place, BORDER[form] * side, theme.last)
    else:
        disc(draw, place, theme.last_disc * side, theme.last)


def block(draw: ImageDraw.ImageDraw, seat: int, place: Place, side: float, theme: Theme) -> None:
    """Draws a stone of Dot Dash; a cell has `side` pixels."""
    box(draw, place, BLOCK * side, BLOCK * side, 0.06 * side, theme.inks[seat].colour)
    _pip(draw, seat, place, side, theme)


def _pip(draw: ImageDraw.ImageDraw, seat: int, place: Place, side: float, theme: Theme) -> None:
    """Draws what tells the seat of a stone of Dot Dash."""
    pip = blend(theme.paper, theme.inks[seat].colour, 0.2)
    if seat % 2 == 0:
        disc(draw, place, PIP * side, pip)
    else:
        box(draw, place, DASH[0] * side, DASH[1] * side, DASH[1] * side, pip)


def lay(draw: ImageDraw.ImageDraw, square: Square, cover: Cover, colours: Sequence[Colour], width: float) -> None:
    """Draws lines from the centre and past the corners; `colours` holds one a seat."""
    for k, mark in enumerate(cover.corners):
        if mark:
            dx, dy = DIRECTIONS[2 * k + 1]
            square.line(draw, (2 * dx, 0), (0, 2 * dy), colours[mark - 1], width)
    for k, mark in enumerate(cover.links):
        if mark:
            square.line(draw, (0, 0), DIRECTIONS[k], colours[mark - 1], width)
            disc(draw, square.middle, width * square.side / 2, colours[mark - 1])


def lay_outline(draw: ImageDraw.ImageDraw, square: Square, cover: Cover, theme: Theme) -> None:
    """Draws the double line round an area that may be closed."""
    for colours, width in _outline(theme):
        lay(draw, square, cover, colours, width)


def lay_slice(picture: Image.Image, square: Square, piece: Slice, theme: Theme) -> None:
    """Draws a chain with long steps, and its area over the lines of the paper, which shine through."""
    places = [square.at((2 * x, 2 * y)) for x, y in piece.dots]
    if piece.stroke in (Stroke.BASE, Stroke.PLAN):
        _fill(picture, places, piece, theme)
    draw = ImageDraw.Draw(picture)
    ends = pairwise(places if piece.stroke is Stroke.LINE else (*places, places[0]))
    for start, end in ends:
        for colour, width in _pens(piece, theme):
            stroke(draw, start, end, width * square.side, colour)


def _fill(picture: Image.Image, places: list[tuple[float, float]], piece: Slice, theme: Theme) -> None:
    """Draws the area: light if it is planned, with pen lines if it is a base."""
    ink = theme.inks[piece.mark - 1]
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).polygon(places, fill=FAR_AREA_OPACITY)
    if piece.stroke is Stroke.PLAN:
        picture.paste(blend(theme.paper, ink.colour, theme.house), mask=mask)
        return
    tint = blend(theme.paper, ink.colour, theme.tint)
    picture.paste(tint, mask=mask)
    lines = ImageChops.multiply(mask, hatch(picture.width, ink.hatch))
    picture.paste(blend(tint, ink.colour, theme.hatching), mask=lines)


def _pens(piece: Slice, theme: Theme) -> list[tuple[Colour, float]]:
    """Returns the colours and widths that a chain is drawn with, one over the other."""
    seat = piece.mark - 1
    if piece.stroke is Stroke.BASE:
        return [(theme.inks[seat].colour, theme.chain)]
    if piece.stroke is Stroke.OUTLINE:
        return [(colours[seat], width) for colours, width in _outline(theme)]
    return [(theme.last, theme.chain * PLAN_WIDTH_FACTOR)]


def _outline(theme: Theme) -> Iterator[tuple[list[Colour], float]]:
    """Yields the colours and widths of an outline: its line, then what makes it hollow."""
    width = theme.chain * OUTLINE_WIDTH_FACTOR
    yield [ink.colour for ink in theme.inks], width
    yield [theme.paper] * len(theme.inks), width * HOLLOW


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
