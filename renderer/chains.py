"""The lines of chains: of bases, of areas that a turn would close or may close, and of a chain as it is drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageDraw

from renderer.coverage import DIRECTIONS
from renderer.shapes import disc, hatch, stroke
from renderer.theme import blend
from renderer.tile import Stroke

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from renderer.coverage import Cover
    from renderer.square import Square
    from renderer.theme import Colour, Theme
    from renderer.tile import Slice

FAR_AREA_OPACITY = 225
"""Of 255: how much an area with long steps covers of the lines of the paper."""
PLAN_WIDTH_FACTOR = 1.5
"""The line round a planned area is so many times wider than a chain."""
OUTLINE_WIDTH_FACTOR, HOLLOW = 1.6, 0.5
"""The width of an outline, in widths of a chain, and the part of it that is hollow."""


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
