"""A board divided into parts, each with a large sign over it, for players who choose one by a button."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.board import page_for
from renderer.layout import STILL
from renderer.pen import Weight, font
from renderer.theme import PAPER, palette_of
from rules.game import Point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.theme import Theme
    from rules.game import Picture, Zone

SIGN_SIZE = 0.62
"""The height of a sign in parts of its region's shorter side."""

SIGN_OPACITY = 105
"""Of 255: dots show through a sign."""


class Region(NamedTuple):
    """A part of a field and the sign over it. One in which nothing can be chosen has none."""

    zone: Zone
    sign: str


def draw_regions(
    picture: Picture, regions: Sequence[Region], theme: Theme = PAPER, window: Zone | None = None
) -> bytes:
    """Returns the board, or the part of it that `window` shows, with its regions, as a PNG file.

    Takes 60 to 150 ms. Raises ValueError as `renderer.board.draw`.
    """
    page = page_for(picture, None, theme, window, STILL)
    image = page.image(page.sheet.rows(picture), None)
    image.putpalette(page.brush.palette.entries)
    board = image.convert("RGBA")
    veil = Image.new("RGBA", board.size, (*theme.paper, 0))
    drawing, half = ImageDraw.Draw(veil), page.layout.cell // 2
    for region in regions:
        left, top = page.layout.centre(Point(region.zone.low.x, region.zone.high.y))
        right, bottom = page.layout.centre(Point(region.zone.high.x, region.zone.low.y))
        drawing.rectangle((left - half, top - half, right + half, bottom + half), None, (*theme.text, 255), width=3)
        if region.sign:
            size = round(SIGN_SIZE * min(right - left, bottom - top))
            drawing.text(
                ((left + right) / 2, (top + bottom) / 2),
                region.sign,
                (*theme.text, SIGN_OPACITY),
                font(Weight.BOLD, size),
                anchor="mm",
            )
    return palette_of(page.theme).png(Image.alpha_composite(board, veil).convert("RGB"))
