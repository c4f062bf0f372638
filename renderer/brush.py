"""Draws tiles: the pixels of a square as a pure function of its key, the theme and the size."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageDraw

from renderer.cache import Cache
from renderer.marks import (
    PLAN_WIDTH_FACTOR,
    Square,
    highlight,
    lay,
    lay_chip,
    lay_outline,
    lay_slice,
    stone,
    write,
    write_label,
)
from renderer.pen import box, disc, hatch
from renderer.theme import blend, palette_of
from renderer.tile import DIRECTIONS, FAINT, FRAME, GRID, Tile

if TYPE_CHECKING:
    from renderer.theme import Colour, Theme
    from renderer.tile import Content, Extras

SCALE = 6
"""Tiles are drawn so many times larger and then reduced, which smooths every edge."""

FIVE_WIDTH, TRAIL_WIDTH, FOCUS_WIDTH = 0.3, 0.1, 0.05
"""Of the bar through a five, the trail of a dash and the border of the focus, in cells."""
CHOICE_RING, CHOICE_DISC, CHOICE_SPOT = 0.49, 0.4, 0.2
"""The radius of the ring round a dot that may be chosen, that of its number's ground, and that of a spot on a crossing
that is free, in cells."""

Lines = tuple[bytes, ...]
"""The rows of pixels of a tile from the top, each one palette index a pixel."""

_numbers = count()
_tiles: Cache[tuple[int, Tile], Lines] = Cache(12_000_000)
_TILE = 900
"""Bytes of a tile's key, and of each line beside its pixels."""
_LINE = 50


class Brush:
    """Draws tiles of one theme and one size of cell."""

    def __init__(self, theme: Theme, cell: int) -> None:
        self.theme = theme
        self.cell = cell
        self.palette = palette_of(theme)
        self._number = next(_numbers)
        self._square = Square(cell * SCALE)
        self._inks = [ink.colour for ink in theme.inks]
        self._tints = tuple(blend(theme.paper, ink.colour, theme.tint) for ink in theme.inks)

    def lines(self, tile: Tile) -> Lines:
        """Returns the pixels of a tile. Cached: a board has a few hundred different ones, and the next nearly the
        same."""
        key = (self._number, tile)
        return _tiles.get(key) or _tiles.put(key, self._lines(tile), _TILE + self.cell * (self.cell + _LINE))

    def _lines(self, tile: Tile) -> Lines:
        picture = self._shapes(tile).reduce(SCALE)
        ground, content = tile
        if label := content.label or ground.label:
            write_label(picture, label, self.theme)
        if extras := content.extras:
            if number := extras.number or extras.offer:
                colour = self.theme.paper if _is_on_dot(content) else self.theme.text
                write(picture, str(number), 0.38 * self.cell, colour)
            if extras.distant:
                picture = Image.blend(Image.new("RGB", picture.size, self.theme.paper), picture, self.theme.distant)
        pixels = self.palette.indexed(picture).tobytes()
        return tuple(pixels[start : start + self.cell] for start in range(0, len(pixels), self.cell))

    def _shapes(self, tile: Tile) -> Image.Image:
        """Draws everything but letters, enlarged, from the paper upwards."""
        theme, square, content = self.theme, self._square, tile.content
        picture = Image.new("RGB", (square.side, square.side), theme.zone if content.zone else theme.paper)
        draw, extras = ImageDraw.Draw(picture), content.extras
        if extras:
            self._wash(draw, extras.house)
        for seat in {octant - 1 for octant in content.cover.octants if octant}:
            self._cover(picture, content.cover.octants, seat)
        if extras:
            self._wash(draw, extras.plan.octants)
        self._rule(draw, tile)
        if extras:
            for piece in extras.slices:
                lay_slice(picture, square, piece, theme)
            lay(draw, square, extras.bars, [blend(theme.paper, ink, theme.bar) for ink in self._inks], FIVE_WIDTH)
            lay_outline(draw, square, extras.outline, theme)
        lay(draw, square, content.cover, self._inks, theme.chain)
        if extras:
            amber = [theme.last] * len(self._inks)
            lay(draw, square, extras.plan, amber, theme.chain * PLAN_WIDTH_FACTOR)
            lay(draw, square, extras.line, amber, theme.chain * PLAN_WIDTH_FACTOR)
            lay(draw, square, extras.trail, amber, TRAIL_WIDTH)
            if extras.choice:
                disc(draw, square.middle, (CHOICE_RING if content.stone else CHOICE_SPOT) * square.side, theme.last)
        for k, glowing in enumerate(content.glow):
            if glowing:
                dx, dy = DIRECTIONS[2 * k]
                disc(draw, square.at((2 * dx, 2 * dy)), theme.last_disc * square.side, theme.last)
        if content.last:
            highlight(draw, content.form, square.middle, square.side, theme)
        if content.stone:
            stone(draw, content, square.middle, square.side, theme)
        if extras:
            self._mark(draw, extras, content.stone if _is_on_dot(content) else 0)
        if content.label and content.label.seat:
            lay_chip(draw, square, content.label, self.cell, theme)
        return picture

    def _rule(self, draw: ImageDraw.ImageDraw, tile: Tile) -> None:
        """Draws the lines of the paper, those of the field over those of the margin."""
        for style in (FAINT, GRID, FRAME):
            for k, arm in enumerate(tile.ground.arms):
                if arm == style:
                    (dx, dy), width = DIRECTIONS[2 * k], self._arm_width(style)
                    ends = (-dx * width, -dy * width), (dx, dy)  # so that the frame's corners are square
                    self._square.line(draw, *ends, self._arm_colour(tile, k), width)

    def _mark(self, draw: ImageDraw.ImageDraw, extras: Extras, dot: int) -> None:
        """Draws the marks on top of a stone, or where one may come; `dot` is the seat + 1 of a dot with a number."""
        theme, side, middle = self.theme, self._square.side, self._square.middle
        if extras.start:
            disc(draw, middle, 0.28 * side, theme.last)
            disc(draw, middle, 0.22 * side, theme.paper)
        if extras.falling:
            for width, reach, colour in ((0.2, 0.6, theme.paper), (0.09, 0.54, theme.text)):
                for way in (1, -1):
                    self._square.line(draw, (-reach, -reach * way), (reach, reach * way), colour, width)
        for k, edge in enumerate(extras.frame):
            if edge:
                (dx, dy), near = DIRECTIONS[2 * k], 1 - FOCUS_WIDTH
                ends = (near * dx - dy, near * dy - dx), (near * dx + dy, near * dy + dx)
                self._square.line(draw, *ends, theme.last, FOCUS_WIDTH)
        if dot:
            disc(draw, middle, CHOICE_DISC * side, self._inks[dot - 1])
        elif extras.number or extras.offer:
            rim, width = (theme.last, 0.09) if extras.taken else (theme.frame, 0.03)
            box(draw, middle, 0.33 * side, 0.3 * side, 0.12 * side, rim)
            box(draw, middle, (0.33 - width) * side, (0.3 - width) * side, 0.1 * side, theme.paper)

    def _wash(self, draw: ImageDraw.ImageDraw, octants: bytes) -> None:
        """Draws a light tint without pen lines."""
        for k, octant in enumerate(octants):
            if octant:
                colour = blend(self.theme.paper, self._inks[octant - 1], self.theme.house)
                draw.polygon(self._square.octant(k), fill=colour)

    def _cover(self, picture: Image.Image, octants: bytes, seat: int) -> None:
        """Draws tint and pen lines."""
        mask = Image.new("L", picture.size, 0)
        draw = ImageDraw.Draw(mask)
        for k, octant in enumerate(octants):
            if octant == seat + 1:
                draw.polygon(self._square.octant(k), fill=255)
        picture.paste(self._tints[seat], mask=mask)
        ink = self.theme.inks[seat]
        picture.paste(
            blend(self._tints[seat], ink.colour, self.theme.hatching),
            mask=ImageChops.multiply(mask, hatch(self._square.side, ink.hatch)),
        )

    def _arm_colour(self, tile: Tile, k: int) -> Colour:
        """Returns the colour of a line of the paper, which is fainter where an area lies on both sides of it."""
        theme, style, octants = self.theme, tile.ground.arms[k], tile.content.cover.octants
        holder = octants[2 * k] if octants[2 * k] == octants[2 * k - 1] else 0
        if holder and style == GRID:
            return blend(self._tints[holder - 1], theme.grid, theme.grid_under_tint)
        return (theme.margin_grid, theme.grid, theme.frame)[style]

    def _arm_width(self, style: int) -> float:
        """Returns the width of a line of the squared paper: whole pixels in the field, so that it stays crisp."""
        if style == FRAME:
            return max(2 / self.cell, 1 / 18)
        return (1 if self.cell < 55 else 3) / self.cell


@lru_cache(maxsize=64)
def brush(theme: Theme, cell: int) -> Brush:
    """Returns the brush of a theme and a size, made once."""
    return Brush(theme, cell)


def forget_tiles() -> None:
    """Clears the cache of tiles: for measuring."""
    _tiles.clear()


def _is_on_dot(content: Content) -> bool:
    """Returns whether the number of a square is that of a dot which may be chosen, and so is written on it."""
    extras = content.extras
    return extras is not None and extras.choice and extras.number > 0 and content.stone > 0
