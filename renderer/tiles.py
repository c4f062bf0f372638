"""The square round one crossing: a small key, and the pixels that are a pure function of it."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from renderer.coverage import DIRECTIONS
from renderer.lettering import Weight, font
from renderer.palette import palette_of
from renderer.theme import blend

if TYPE_CHECKING:
    from renderer.theme import Colour, Theme

SCALE = 6
"""Tiles are drawn this many times larger and then reduced, which smooths every edge."""
FAINT, GRID, FRAME = range(3)
"""What an arm of the squared paper is: margin, field, or the field's edge."""


Spot = tuple[float, float]
"""A place in a square, in half cells from its middle, y up."""


class Label(NamedTuple):
    """The name of a column or row; `strong` for every fifth, `chip` the seat + 1 that has just moved there, or 0."""

    text: str
    strong: bool
    chip: int = 0


class Tile(NamedTuple):
    """All that decides how the square round a crossing looks. Bytes are seats + 1, 0 for none, as in
    `renderer.coverage.Crossing`; arms and glow go right, up, left, down. `glow` tells from which neighbours the disc
    of the last move reaches over the edge."""

    arms: bytes = bytes([FAINT] * 4)
    octants: bytes = bytes(8)
    links: bytes = bytes(8)
    corners: bytes = bytes(4)
    dot: int = 0
    captured: bool = False
    last: bool = False
    glow: bytes = bytes(4)
    zone: bool = False
    label: Label | None = None


BLANK = Tile()
"""A square of the margin."""


class Brush:
    """Draws tiles of one theme and one size of cell."""

    def __init__(self, theme: Theme, cell: int) -> None:
        self.theme = theme
        self.cell = cell
        self.palette = palette_of(theme)
        self._side = cell * SCALE
        self._letters = min(cell * 0.6, 9 + cell * 0.25)
        self._tints = tuple(blend(theme.paper, ink.colour, theme.tint) for ink in theme.inks)
        self._hatches = tuple(self._hatch(ink.hatch) for ink in theme.inks)

    def lines(self, tile: Tile) -> tuple[bytes, ...]:
        """The rows of pixels of a tile from the top, each `cell` bytes of palette indices."""
        picture = self._shapes(tile).reduce(SCALE)
        if tile.label:
            self._write(picture, tile.label)
        pixels = self.palette.indexed(picture).tobytes()
        return tuple(pixels[start : start + self.cell] for start in range(0, len(pixels), self.cell))

    def _shapes(self, tile: Tile) -> Image.Image:
        theme, side = self.theme, self._side
        picture = Image.new("RGB", (self._side, self._side), theme.zone if tile.zone else theme.paper)
        draw = ImageDraw.Draw(picture)
        for seat in {octant - 1 for octant in tile.octants if octant}:
            self._cover(picture, tile.octants, seat)
        for style in (FAINT, GRID, FRAME):
            for k, arm in enumerate(tile.arms):
                if arm == style:
                    (dx, dy), width = DIRECTIONS[2 * k], self._stroke(style)
                    back = width / side  # so that the frame's corners are square
                    self._line(draw, (-dx * back, -dy * back), (dx, dy), self._arm_colour(tile, k), width)
        for k, seat in enumerate(tile.corners):
            if seat:
                dx, dy = DIRECTIONS[2 * k + 1]
                self._line(draw, (2 * dx, 0), (0, 2 * dy), theme.inks[seat - 1].colour, theme.chain * side)
        for k, seat in enumerate(tile.links):
            if seat:
                self._line(draw, (0, 0), DIRECTIONS[k], theme.inks[seat - 1].colour, theme.chain * side)
        for k, glowing in enumerate(tile.glow):
            if glowing:
                self._disc(draw, DIRECTIONS[2 * k], theme.last_disc, theme.last)
        if tile.last:
            self._disc(draw, (0, 0), theme.last_disc, theme.last)
        if tile.dot:
            colour = theme.inks[tile.dot - 1].colour
            if tile.captured:
                holder = tile.octants[0]
                colour = blend(self._tints[holder - 1] if holder else theme.paper, colour, theme.fading)
            self._disc(draw, (0, 0), theme.captured_dot if tile.captured else theme.dot, colour)
        if tile.last and tile.dot:
            self._disc(draw, (0, 0), theme.last_pip, theme.paper)
        if tile.label and tile.label.chip:
            reach = min(0.92, 1.65 * self._letters / self.cell)
            box = (*self._at((-reach, reach)), *self._at((reach, -reach)))
            draw.rounded_rectangle(box, reach * side * 0.2, theme.inks[tile.label.chip - 1].colour)
        return picture

    def _write(self, picture: Image.Image, label: Label) -> None:
        theme, middle = self.theme, self.cell / 2
        weight = Weight.BOLD if label.strong or label.chip else Weight.MEDIUM
        size = round(self._letters * (1 if label.strong else 0.82))
        while (face := font(weight, size)).getlength(label.text) > self.cell * 0.84:
            size -= 1
        colour = theme.paper if label.chip else theme.text if label.strong else theme.quiet_text
        left, top, right, bottom = face.getbbox(label.text)
        corner = (round(middle - (left + right) / 2), round(middle - (top + bottom) / 2))
        ImageDraw.Draw(picture).text(corner, label.text, colour, face)

    def _cover(self, picture: Image.Image, octants: bytes, seat: int) -> None:
        """Tint and pen lines."""
        mask = Image.new("L", picture.size, 0)
        draw = ImageDraw.Draw(mask)
        for k, octant in enumerate(octants):
            if octant == seat + 1:
                draw.polygon([self._at(spot) for spot in ((0, 0), DIRECTIONS[k], DIRECTIONS[(k + 1) % 8])], fill=255)
        picture.paste(self._tints[seat], mask=mask)
        picture.paste(
            blend(self._tints[seat], self.theme.inks[seat].colour, self.theme.hatching),
            mask=ImageChops.multiply(mask, self._hatches[seat]),
        )

    def _arm_colour(self, tile: Tile, k: int) -> Colour:
        """A line of the paper is fainter where an area lies on both sides of it."""
        theme, style = self.theme, tile.arms[k]
        holder = tile.octants[2 * k] if tile.octants[2 * k] == tile.octants[2 * k - 1] else 0
        if holder and style == GRID:
            return blend(self._tints[holder - 1], theme.grid, theme.grid_under_tint)
        return (theme.margin_grid, theme.grid, theme.frame)[style]

    def _hatch(self, waves: tuple[int, int]) -> Image.Image:
        """A mask of the lines on which `waves` times the place (in cells) is half of an odd number."""
        mask = Image.new("L", (self._side, self._side), 0)
        draw = ImageDraw.Draw(mask)
        a, b = waves
        for k in range(min(0, a) + min(0, b), max(0, a) + max(0, b)):
            foot = (k + 0.5) / (a * a + b * b)
            ends = [((foot * a + t * b) * self._side, (foot * b - t * a) * self._side) for t in (-1, 1)]
            draw.line([(x - 0.5, y - 0.5) for x, y in ends], fill=255, width=round(self._side / 18))
        return mask

    def _stroke(self, style: int) -> float:
        """How wide a line of the squared paper is: whole pixels in the field, so that it stays crisp."""
        if style == FRAME:
            return max(2 * SCALE, self._side / 18)
        return SCALE if self.cell < 55 else 3 * SCALE

    def _at(self, spot: Spot) -> tuple[float, float]:
        """The place of a spot in the enlarged square."""
        half = self._side / 2
        return half - 0.5 + spot[0] * half, half - 0.5 - spot[1] * half

    def _line(self, draw: ImageDraw.ImageDraw, start: Spot, end: Spot, colour: Colour, width: float) -> None:
        """A straight stroke, as a polygon: `ImageDraw.line` puts half a pixel more on one side."""
        (x, y), (u, v) = self._at(start), self._at(end)
        reach = (width / 2 - 0.5) / hypot(u - x, v - y)
        dx, dy = (v - y) * reach, (x - u) * reach
        draw.polygon([(x + dx, y + dy), (u + dx, v + dy), (u - dx, v - dy), (x - dx, y - dy)], fill=colour)

    def _disc(self, draw: ImageDraw.ImageDraw, spot: Spot, radius: float, colour: Colour) -> None:
        """A disc of `radius` cells round a neighbour, or round the crossing itself."""
        x, y = self._at((2 * spot[0], 2 * spot[1]))
        reach = radius * self._side
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)


@lru_cache(maxsize=32)
def brush(theme: Theme, cell: int) -> Brush:
    """The brush of a theme and a size, made once."""
    return Brush(theme, cell)


@lru_cache(maxsize=6144)
def lines_of(brush: Brush, tile: Tile) -> tuple[bytes, ...]:
    """`Brush.lines`, remembered: a board has a few hundred different tiles, and the next one nearly the same."""
    return brush.lines(tile)
