"""The forms that a pen draws: dots of every shape, strokes and pen lines."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING

from PIL import Image
from PIL.ImageDraw import Draw

from renderer.theme import Shape

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

    from renderer.theme import Colour

Place = tuple[float, float]
"""Pixels from the top left."""

TRIANGLE = ((0.0, -1.12), (1.08, 0.78), (-1.08, 0.78))
DIAMOND = ((0.0, -1.18), (1.18, 0.0), (0.0, 1.18), (-1.18, 0.0))
CROWN = ((-1.1, -0.55), (-0.5, 0.05), (0, -0.9), (0.5, 0.05), (1.1, -0.55), (0.85, 0.8), (-0.85, 0.8))
RING = (0.78, 0.58)
"""The outer and the inner radius of the lighter ring in a dot, in parts of its radius."""
OPEN = 0.58
CORE = 0.40
BAR = (0.62, 0.17)
SQUARE = 0.9


def dot(draw: ImageDraw, shape: Shape, place: Place, radius: float, ink: Colour, light: Colour) -> None:
    """Draws a dot; `light` is the colour of the parts that its shape leaves open."""
    outline(draw, shape, place, radius, ink)
    if shape is Shape.RING:
        disc(draw, place, RING[0] * radius, light)
        disc(draw, place, RING[1] * radius, ink)
    elif shape is Shape.CORE:
        disc(draw, place, CORE * radius, light)
    elif shape is Shape.OPEN:
        disc(draw, place, OPEN * radius, light)
    elif shape is Shape.BAR:
        box(draw, place, BAR[0] * radius, BAR[1] * radius, BAR[1] * radius, light)


def outline(draw: ImageDraw, shape: Shape, place: Place, radius: float, ink: Colour) -> None:
    """Draws a dot's outer form alone, filled."""
    if shape is Shape.SQUARE:
        box(draw, place, SQUARE * radius, SQUARE * radius, 0.2 * radius, ink)
    elif shape is Shape.TRIANGLE:
        polygon(draw, TRIANGLE, place, radius, ink)
    elif shape is Shape.DIAMOND:
        polygon(draw, DIAMOND, place, radius, ink)
    else:
        disc(draw, place, radius, ink)


def disc(draw: ImageDraw, place: Place, radius: float, ink: Colour) -> None:
    x, y = place
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)


def box(draw: ImageDraw, place: Place, across: float, up: float, corner: float, ink: Colour) -> None:
    """Draws a rectangle with round corners, `across` and `up` from its middle."""
    x, y = place
    draw.rounded_rectangle((x - across, y - up, x + across, y + up), corner, ink)


def polygon(draw: ImageDraw, corners: tuple[Place, ...], place: Place, radius: float, ink: Colour) -> None:
    draw.polygon([(place[0] + x * radius, place[1] + y * radius) for x, y in corners], fill=ink)


def stroke(draw: ImageDraw, start: Place, end: Place, width: float, ink: Colour) -> None:
    """Draws a straight stroke, as a polygon: `ImageDraw.line` puts half a pixel more on one side."""
    (x, y), (u, v) = start, end
    reach = (width / 2 - 0.5) / hypot(u - x, v - y)
    dx, dy = (v - y) * reach, (x - u) * reach
    draw.polygon([(x + dx, y + dy), (u + dx, v + dy), (u - dx, v - dy), (x - dx, y - dy)], fill=ink)


@lru_cache(maxsize=16)
def hatch(side: int, waves: tuple[int, int]) -> Image.Image:
    """Returns a mask of the lines on which `waves` times the place (in cells) is half of an odd number."""
    mask = Image.new("L", (side, side), 0)
    draw = Draw(mask)
    a, b = waves
    for k in range(min(0, a) + min(0, b), max(0, a) + max(0, b)):
        foot = (k + 0.5) / (a * a + b * b)
        ends = [((foot * a + t * b) * side, (foot * b - t * a) * side) for t in (-1, 1)]
        draw.line([(x - 0.5, y - 0.5) for x, y in ends], fill=255, width=round(side / 18))
    return mask
