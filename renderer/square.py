"""The enlarged square in which a tile is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.coverage import DIRECTIONS
from renderer.shapes import stroke

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

    from renderer.shapes import Place
    from renderer.theme import Colour

Spot = tuple[float, float]
"""A place in a square, in half cells from its middle, y up."""


class Square:
    """A square of `side` pixels. Widths of lines are parts of it."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.middle = (side / 2 - 0.5, side / 2 - 0.5)

    def at(self, spot: Spot) -> Place:
        """Returns the pixel of a spot."""
        half = self.side / 2
        return half - 0.5 + spot[0] * half, half - 0.5 - spot[1] * half

    def line(self, draw: ImageDraw, start: Spot, end: Spot, colour: Colour, width: float) -> None:
        stroke(draw, self.at(start), self.at(end), width * self.side, colour)

    def octant(self, k: int) -> list[Place]:
        """Returns the corners of the eighth between directions k and k + 1."""
        return [self.middle, self.at(DIRECTIONS[k]), self.at(DIRECTIONS[(k + 1) % 8])]
