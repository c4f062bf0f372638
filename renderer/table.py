"""A leaderboard, or any table of players by points, as a picture."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.pen import CROWN, Weight, font, legible, polygon, shortened, write_heading
from renderer.theme import PAPER, blend, palette_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.theme import Theme

WIDTH = 1000
"""Pixels."""
HEAD, ROW, MARGIN = 92, 52, 36
SCALE = 3
CROWNED_PLACES = 3
"""Places that get a crown."""
FIRST_WIDE_PLACE = 1000
"""The first place that does not fit below the crowns, and begins at the margin."""
VALUES = 260
"""The distance of the end of the values' column from the right; the notes follow it."""


class Line(NamedTuple):
    """A player's line. `fallback` replaces a name with letters that the font lacks. A `place` of 0 is none. A `faint`
    line is that of a player without a place, or who has not played recently, an `own` one that of the reader."""

    place: int
    name: str
    fallback: str
    value: str
    note: str
    faint: bool = False
    own: bool = False


def table(title: str, heading: str, lines: Sequence[Line], theme: Theme = PAPER) -> bytes:
    """Returns the lines from the top as a PNG file. Above them are a `title` and, at its right, a short `heading`."""
    height = HEAD + ROW * len(lines) + MARGIN // 2
    page = Image.new("RGB", (WIDTH * SCALE, height * SCALE), theme.paper)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        _ground(draw, number, line, theme)
    page = page.reduce(SCALE)
    draw = ImageDraw.Draw(page)
    write_heading(draw, (MARGIN, WIDTH - MARGIN), 58, title, heading, theme)
    for number, line in enumerate(lines):
        _write(draw, HEAD + ROW * number + ROW // 2, line, theme)
    return palette_of(theme).png(page)


def _ground(draw: ImageDraw.ImageDraw, number: int, line: Line, theme: Theme) -> None:
    top = HEAD + ROW * number
    box = (MARGIN // 2 * SCALE, (top + 2) * SCALE, (WIDTH - MARGIN // 2) * SCALE, (top + ROW - 2) * SCALE)
    if line.own:
        draw.rounded_rectangle(box, 12 * SCALE, theme.zone)
    draw.line((MARGIN * SCALE, (top + ROW) * SCALE, (WIDTH - MARGIN) * SCALE, (top + ROW) * SCALE), theme.grid, SCALE)
    if 0 < line.place <= CROWNED_PLACES:
        ink = blend(theme.paper, theme.last, (1.0, 0.7, 0.45)[line.place - 1])
        polygon(draw, CROWN, ((MARGIN + 24) * SCALE, (top + ROW / 2) * SCALE), 19 * SCALE, ink)


def _write(draw: ImageDraw.ImageDraw, middle: int, line: Line, theme: Theme) -> None:
    colour = theme.quiet_text if line.faint else theme.text
    medium, bold = font(Weight.MEDIUM, 26), font(Weight.BOLD, 26)
    if line.place == 0:
        pass
    elif line.place <= CROWNED_PLACES:
        draw.text((MARGIN + 24, middle + 3), f"{line.place}", theme.text, font(Weight.BOLD, 20), anchor="mm")
    elif line.place < FIRST_WIDE_PLACE:
        draw.text((MARGIN + 24, middle), f"{line.place}", theme.quiet_text, medium, anchor="mm")
    else:
        draw.text((MARGIN, middle), f"{line.place}", theme.quiet_text, font(Weight.MEDIUM, 22), anchor="lm")
    room = WIDTH - VALUES - MARGIN - 100 - max(90, ceil(bold.getlength(line.value)))
    name = shortened(legible(line.name, line.fallback), Weight.BOLD, 26, room)
    draw.text((MARGIN + 76, middle), name, colour, bold, anchor="lm")
    draw.text((WIDTH - VALUES, middle), legible(line.value, ""), colour, bold, anchor="rm")
    note = shortened(legible(line.note, ""), Weight.MEDIUM, 22, VALUES - MARGIN - 24)
    draw.text((WIDTH - MARGIN, middle), note, theme.quiet_text, font(Weight.MEDIUM, 22), anchor="rm")
