"""Draws tiles: the pixels of a square as a pure function of its key, the theme and the size."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageDraw

from renderer.cache import Cache
from renderer.coverage import DIRECTIONS
from renderer.lettering import Weight, font
from renderer.palette import palette_of
from renderer.shapes import Place, box, disc, hatch, stroke
from renderer.stones import highlight, stone
from renderer.theme import blend
from renderer.tile import FAINT, FRAME, GRID, Tile

if TYPE_CHECKING:
    from renderer.coverage import Cover
    from renderer.theme import Colour, Theme
    from renderer.tile import Extras, Label, Slice

SCALE = 6
"""Tiles are drawn so many times larger and then reduced, which smooths every edge."""
MIN_LETTER_PIXELS = 7
"""A label that needs smaller letters is left out."""

FIVE_WIDTH, TRAIL_WIDTH, FOCUS_WIDTH = 0.3, 0.1, 0.05
"""Of the bar through a five, the trail of a dash and the border of the focus, in cells."""
FAR_AREA_OPACITY = 225
"""Of 255: how much an area with long steps covers of the lines of the paper."""
PLAN_WIDTH_FACTOR = 1.5
"""The line round a planned area is so many times wider than a chain."""

Spot = tuple[float, float]
"""A place in a square, in half cells from its middle, y up."""
Lines = tuple[bytes, ...]
"""The rows of pixels of a tile from the top, each one palette index a pixel."""

_numbers = count()
_tiles: Cache[tuple[int, Tile], Lines] = Cache(14_000_000)
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
        self._side = cell * SCALE
        self._middle = (self._side / 2 - 0.5, self._side / 2 - 0.5)
        self._letters = min(cell * 0.6, 9 + cell * 0.25)
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
        if ground.label:
            self._write_label(picture, ground.label, content.chip)
        if extras := content.extras:
            if number := extras.number or extras.offer:
                self._write(picture, str(number), 0.38, self.theme.text)
            if extras.distant:
                picture = Image.blend(Image.new("RGB", picture.size, self.theme.paper), picture, self.theme.distant)
        pixels = self.palette.indexed(picture).tobytes()
        return tuple(pixels[start : start + self.cell] for start in range(0, len(pixels), self.cell))

    def _shapes(self, tile: Tile) -> Image.Image:
        """Draws everything but letters, enlarged, from the paper upwards."""
        theme, side, content = self.theme, self._side, tile.content
        picture = Image.new("RGB", (side, side), theme.zone if content.zone else theme.paper)
        draw = ImageDraw.Draw(picture)
        if content.extras:
            self._wash(draw, content.extras.house)
        for seat in {octant - 1 for octant in content.cover.octants if octant}:
            self._cover(picture, content.cover.octants, seat)
        if content.extras:
            self._wash(draw, content.extras.plan.octants)
        self._rule(draw, tile)
        if content.extras:
            for piece in content.extras.slices:
                self._slice(picture, piece)
            self._lay(draw, content.extras.bars, [blend(theme.paper, ink, theme.bar) for ink in self._inks], FIVE_WIDTH)
        self._lay(draw, content.cover, self._inks, theme.chain)
        if content.extras:
            amber = [theme.last] * len(self._inks)
            self._lay(draw, content.extras.plan, amber, theme.chain * PLAN_WIDTH_FACTOR)
            self._lay(draw, content.extras.trail, amber, TRAIL_WIDTH)
        for k, glowing in enumerate(content.glow):
            if glowing:
                dx, dy = DIRECTIONS[2 * k]
                disc(draw, self._at((2 * dx, 2 * dy)), theme.last_disc * side, theme.last)
        if content.last:
            highlight(draw, content.form, self._middle, side, theme)
        if content.stone:
            stone(draw, content, self._middle, side, theme)
        if content.extras:
            self._mark(draw, content.extras)
        if content.chip:
            reach = min(0.92, 1.65 * self._letters / self.cell) * side / 2
            box(draw, self._middle, reach, reach, reach * 0.4, self._inks[content.chip - 1])
        return picture

    def _rule(self, draw: ImageDraw.ImageDraw, tile: Tile) -> None:
        """Draws the lines of the paper, those of the field over those of the margin."""
        for style in (FAINT, GRID, FRAME):
            for k, arm in enumerate(tile.ground.arms):
                if arm == style:
                    (dx, dy), width = DIRECTIONS[2 * k], self._stroke(style)
                    back = width / self._side  # so that the frame's corners are square
                    self._line(draw, (-dx * back, -dy * back), (dx, dy), self._arm_colour(tile, k), width)

    def _mark(self, draw: ImageDraw.ImageDraw, extras: Extras) -> None:
        """Draws the marks on top of a stone, or where one may come."""
        theme, side = self.theme, self._side
        if extras.start:
            disc(draw, self._middle, 0.28 * side, theme.last)
            disc(draw, self._middle, 0.22 * side, theme.paper)
        if extras.falling:
            for width, reach, colour in ((0.2, 0.6, theme.paper), (0.09, 0.54, theme.text)):
                for way in (1, -1):
                    ends = (-reach, -reach * way), (reach, reach * way)
                    self._line(draw, *ends, colour, width * side)
        for k, edge in enumerate(extras.frame):
            if edge:
                (dx, dy), near = DIRECTIONS[2 * k], 1 - FOCUS_WIDTH
                ends = (near * dx - dy, near * dy - dx), (near * dx + dy, near * dy + dx)
                self._line(draw, *ends, theme.last, FOCUS_WIDTH * side)
        if extras.number or extras.offer:
            box(draw, self._middle, 0.33 * side, 0.3 * side, 0.12 * side, theme.last if extras.offer else theme.frame)
            box(draw, self._middle, 0.3 * side, 0.27 * side, 0.1 * side, theme.paper)

    def _lay(self, draw: ImageDraw.ImageDraw, cover: Cover, colours: list[Colour], width: float) -> None:
        """Draws lines from the centre and past the corners."""
        for k, mark in enumerate(cover.corners):
            if mark:
                dx, dy = DIRECTIONS[2 * k + 1]
                self._line(draw, (2 * dx, 0), (0, 2 * dy), colours[mark - 1], width * self._side)
        for k, mark in enumerate(cover.links):
            if mark:
                self._line(draw, (0, 0), DIRECTIONS[k], colours[mark - 1], width * self._side)
                disc(draw, self._middle, width * self._side / 2, colours[mark - 1])

    def _write_label(self, picture: Image.Image, label: Label, chip: int) -> None:
        theme = self.theme
        size = self._letters * (1 if label.strong else 0.82) / self.cell
        colour = theme.paper if chip else theme.text if label.strong else theme.quiet_text
        self._write(picture, label.text, size, colour, Weight.BOLD if label.strong or chip else Weight.MEDIUM)

    def _write(
        self, picture: Image.Image, text: str, size: float, colour: Colour, weight: Weight = Weight.BOLD
    ) -> None:
        """Writes a word in the middle, `size` cells high and no wider than the square."""
        middle, height = self.cell / 2, round(size * self.cell)
        while (face := font(weight, height)).getlength(text) > self.cell * 0.84:
            height -= 1
            if height < MIN_LETTER_PIXELS:
                return
        left, top, right, bottom = face.getbbox(text)
        corner = (round(middle - (left + right) / 2), round(middle - (top + bottom) / 2))
        ImageDraw.Draw(picture).text(corner, text, colour, face)

    def _wash(self, draw: ImageDraw.ImageDraw, octants: bytes) -> None:
        """Draws a light tint without pen lines."""
        for k, octant in enumerate(octants):
            if octant:
                colour = blend(self.theme.paper, self._inks[octant - 1], self.theme.house)
                draw.polygon([self._at(spot) for spot in _octant(k)], fill=colour)

    def _cover(self, picture: Image.Image, octants: bytes, seat: int) -> None:
        """Draws tint and pen lines."""
        mask = Image.new("L", picture.size, 0)
        draw = ImageDraw.Draw(mask)
        for k, octant in enumerate(octants):
            if octant == seat + 1:
                draw.polygon([self._at(spot) for spot in _octant(k)], fill=255)
        picture.paste(self._tints[seat], mask=mask)
        ink = self.theme.inks[seat]
        picture.paste(
            blend(self._tints[seat], ink.colour, self.theme.hatching),
            mask=ImageChops.multiply(mask, hatch(self._side, ink.hatch)),
        )

    def _slice(self, picture: Image.Image, piece: Slice) -> None:
        """Draws an area with long steps: over the lines of the paper, which shine through."""
        theme, seat = self.theme, piece.mark - 1
        places = [self._at((2 * x, 2 * y)) for x, y in piece.ring]
        mask = Image.new("L", picture.size, 0)
        ImageDraw.Draw(mask).polygon(places, fill=FAR_AREA_OPACITY)
        if piece.plan:
            picture.paste(blend(theme.paper, self._inks[seat], theme.house), mask=mask)
        else:
            picture.paste(self._tints[seat], mask=mask)
            pen = blend(self._tints[seat], self._inks[seat], theme.hatching)
            picture.paste(pen, mask=ImageChops.multiply(mask, hatch(self._side, theme.inks[seat].hatch)))
        colour, width = (theme.last, theme.chain * PLAN_WIDTH_FACTOR) if piece.plan else (self._inks[seat], theme.chain)
        draw = ImageDraw.Draw(picture)
        for start, end in zip(places, places[1:] + places[:1], strict=True):
            stroke(draw, start, end, width * self._side, colour)

    def _arm_colour(self, tile: Tile, k: int) -> Colour:
        """Returns the colour of a line of the paper, which is fainter where an area lies on both sides of it."""
        theme, style, octants = self.theme, tile.ground.arms[k], tile.content.cover.octants
        holder = octants[2 * k] if octants[2 * k] == octants[2 * k - 1] else 0
        if holder and style == GRID:
            return blend(self._tints[holder - 1], theme.grid, theme.grid_under_tint)
        return (theme.margin_grid, theme.grid, theme.frame)[style]

    def _stroke(self, style: int) -> float:
        """Returns the width of a line of the squared paper: whole pixels in the field, so that it stays crisp."""
        if style == FRAME:
            return max(2 * SCALE, self._side / 18)
        return SCALE if self.cell < 55 else 3 * SCALE

    def _at(self, spot: Spot) -> Place:
        """Returns the place of a spot in the enlarged square."""
        half = self._side / 2
        return half - 0.5 + spot[0] * half, half - 0.5 - spot[1] * half

    def _line(self, draw: ImageDraw.ImageDraw, start: Spot, end: Spot, colour: Colour, width: float) -> None:
        stroke(draw, self._at(start), self._at(end), width, colour)


@lru_cache(maxsize=64)
def brush(theme: Theme, cell: int) -> Brush:
    """Returns the brush of a theme and a size, made once."""
    return Brush(theme, cell)


def forget_tiles() -> None:
    """Clears the cache of tiles: for measuring."""
    _tiles.clear()


def _octant(k: int) -> tuple[Spot, Spot, Spot]:
    return (0, 0), DIRECTIONS[k], DIRECTIONS[(k + 1) % 8]
