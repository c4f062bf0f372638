"""Stones on a crossing, and the mark of the last move, in an enlarged square."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.shapes import Place, box, disc, dot, outline, polygon
from renderer.theme import blend
from renderer.tile import Form

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

    from renderer.theme import Colour, Theme
    from renderer.tile import Content

FIVE = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
"""The form of a block in a credited five."""
BLOCK, PIP, DASH = 0.37, 0.1, (0.17, 0.055)
"""In cells: half of a block's side; the radius of its round pip; half of the sides of its long pip."""
BORDER = {Form.BLOCK: 0.46, Form.CREDITED: 0.64}
"""The distance of the last move's border from the middle of a block, in cells."""
RIM = 0.8
"""The beginning of the rim of a ghost, in parts of its radius."""


def stone(draw: ImageDraw, content: Content, place: Place, side: int, theme: Theme) -> None:
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
    else:
        _block(draw, content, place, side, (ink.colour, blend(theme.paper, ink.colour, 0.2)))


def highlight(draw: ImageDraw, form: Form, place: Place, side: int, theme: Theme) -> None:
    """Draws the mark of the last move, below its stone: a disc behind a dot, a border round a block."""
    if form is Form.BLOCK:
        box(draw, place, BORDER[form] * side, BORDER[form] * side, 0.1 * side, theme.last)
    elif form is Form.CREDITED:
        polygon(draw, FIVE, place, BORDER[form] * side, theme.last)
    else:
        disc(draw, place, theme.last_disc * side, theme.last)


def _block(draw: ImageDraw, content: Content, place: Place, side: int, inks: tuple[Colour, Colour]) -> None:
    """Draws a stone of Dot Dash: a square, or a diamond in a credited five; its pip tells the seat."""
    colour, pip = inks
    if content.form is Form.CREDITED:
        polygon(draw, FIVE, place, 0.5 * side, colour)
    else:
        box(draw, place, BLOCK * side, BLOCK * side, 0.06 * side, colour)
    if content.stone % 2:
        disc(draw, place, PIP * side, pip)
    else:
        box(draw, place, DASH[0] * side, DASH[1] * side, DASH[1] * side, pip)
