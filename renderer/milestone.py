"""A milestone of a player as a picture: a large number on squared paper, beside a chain that closes around a dot."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.pen import Weight, dot, fitted, font, legible, shortened, stroke
from renderer.theme import PAPER, blend, for_seats, palette_of

if TYPE_CHECKING:
    from renderer.theme import Theme

SIZE = (800, 400)
"""Pixels."""
SCALE = 3
"""Dots are drawn so many times larger and then reduced."""
CELL = 50
RING = ((2, 1), (3, 2), (4, 3), (3, 4), (2, 5), (1, 4), (0, 3), (1, 2))
"""The dots of the chain, in squares from the top left."""
CAUGHT = ((2, 2), (1, 3), (2, 3), (3, 3), (2, 4))
MIN_LETTERS = 20
"""Pixels of the smallest letters of a title."""
LEFT, RIGHT = 300, 764
"""The left and right end of the words, in pixels."""


class Medal(NamedTuple):
    """The words of the picture: the number, what it counts, whose it is, and since when."""

    number: str
    title: str
    name: str
    date: str


def draw_milestone(medal: Medal, fallback: str, theme: Theme = PAPER) -> bytes:
    """Returns a milestone as a PNG file. `fallback` takes the place of a name that the font lacks."""
    theme = for_seats(theme, 2)
    page = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), theme.paper)
    _draw_dots(ImageDraw.Draw(page), theme)
    page = page.reduce(SCALE)
    draw = ImageDraw.Draw(page)
    width = RIGHT - LEFT
    number, face = fitted(medal.number, Weight.BOLD, (170, MIN_LETTERS), width)
    draw.text((LEFT, 190), number, theme.inks[1].colour, face, anchor="ls")
    title, face = fitted(legible(medal.title, ""), Weight.BOLD, (40, MIN_LETTERS), width)
    draw.text((LEFT, 254), title, theme.text, face, anchor="ls")
    name = shortened(legible(medal.name, fallback), Weight.BOLD, 30, width)
    draw.text((LEFT, 318), name, theme.text, font(Weight.BOLD, 30), anchor="ls")
    date = shortened(legible(medal.date, ""), Weight.MEDIUM, 24, width)
    draw.text((LEFT, 356), date, theme.quiet_text, font(Weight.MEDIUM, 24), anchor="ls")
    return palette_of(theme).png(page)


def _draw_dots(draw: ImageDraw.ImageDraw, theme: Theme) -> None:
    """Draws the paper, and on it the chain with what it has captured."""
    width, height, cell = SIZE[0] * SCALE, SIZE[1] * SCALE, CELL * SCALE
    for x in range(cell // 2, width, cell):
        draw.line((x, 0, x, height), theme.margin_grid, SCALE)
    for y in range(cell // 2, height, cell):
        draw.line((0, y, width, y), theme.margin_grid, SCALE)
    draw.rectangle(((LEFT - 24) * SCALE, 0, width, height), theme.paper)
    ring = [((x + 0.5) * cell, (y + 0.5) * cell) for x, y in RING]
    caught, captor = theme.inks
    draw.polygon(ring, blend(theme.paper, captor.colour, theme.tint))
    for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
        stroke(draw, start, end, 5 * SCALE, captor.colour)
    for x, y in CAUGHT:
        place = (x + 0.5) * cell, (y + 0.5) * cell
        dot(draw, caught.shape, place, 13 * SCALE, blend(theme.paper, caught.colour, theme.fading), theme.light(0))
    for place in ring:
        dot(draw, captor.shape, place, 13 * SCALE, captor.colour, theme.light(1))
