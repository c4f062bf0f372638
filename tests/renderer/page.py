"""A drawn board, read back pixel by pixel."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

from PIL import Image

from renderer.board import draw
from renderer.header import Header, Plate
from renderer.layout import ORIGIN, Layout
from renderer.theme import PAPER, Colour, Theme, blend
from rules.game import Area, Picture, Point, Seat, Stone, Zone

INKS = [ink.colour for ink in PAPER.inks]
TINTS = [blend(PAPER.paper, ink, PAPER.tint) for ink in INKS]
FLAT = 50
"""Pixels from which on a colour is more than the smoothed edge of another."""
NOBODY = Header((Plate("", ""), Plate("", "")))


def decode(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file)).convert("RGB")


def area(seat: int, *ring: tuple[int, int]) -> Area:
    return Area(Seat(seat), tuple(Point(x, y) for x, y in ring))


def diamond(seat: int, x: int, y: int, radius: int = 1) -> Area:
    """Returns the base of diagonal steps round a crossing."""
    right = [(x + radius - k, y + k) for k in range(radius)]
    upper = [(x - k, y + radius - k) for k in range(radius)]
    left = [(x - radius + k, y - k) for k in range(radius)]
    lower = [(x + k, y - radius + k) for k in range(radius)]
    return area(seat, *right, *upper, *left, *lower)


def dots(*areas: Area) -> tuple[Stone, ...]:
    """Returns the dots of the chains, of the last area where several share one."""
    return tuple({point: Stone(point, chain.seat) for chain in areas for point in chain.ring}.values())


class Page:
    """The look of a picture. Places are crossings, and parts of a cell to the right and up from them."""

    def __init__(
        self, picture: Picture, header: Header = NOBODY, theme: Theme = PAPER, window: Zone | None = None
    ) -> None:
        low, high = (window.low, window.high) if window else (ORIGIN, Point(picture.width - 1, picture.height - 1))
        self.theme = theme
        self.file = draw(picture, header, theme, window)
        self.image = decode(self.file)
        self.layout = Layout.of(high.x - low.x + 1, high.y - low.y + 1, header.lines, origin=low)

    def at(self, x: int, y: int, right: float = 0, up: float = 0) -> Colour:
        return self._colour(self._pixel(x, y, right, up))

    def ground(self, x: int, y: int, right: float, up: float) -> Colour:
        """Returns the colour that most pixels have round a place, a quarter of a cell wide."""
        (column, row), reach = self._pixel(x, y, right, up), self.layout.cell // 8
        spots = [(column + a, row + b) for a in range(-reach, reach + 1) for b in range(-reach, reach + 1)]
        return Counter(map(self._colour, spots)).most_common(1)[0][0]

    def square(self, x: int, y: int) -> set[Colour]:
        """Returns all colours within the square of a crossing; labels lie one step outside the field."""
        (column, row), reach = self._pixel(x, y, 0, 0), self.layout.cell // 2
        box = self.image.crop((column - reach, row - reach, column + reach + 1, row + reach + 1))
        return set(_colours(box))

    def header(self) -> Image.Image:
        return self.image.crop((0, 0, self.image.width, self.layout.header))

    def header_part(self, left: float, right: float) -> bytes:
        """Returns the pixels of a part of the header, its borders in parts of the width."""
        strip = self.header()
        return strip.crop((int(left * strip.width), 0, int(right * strip.width), strip.height)).tobytes()

    def header_colours(self, left: float, right: float, top: float = 0, bottom: float = 1) -> set[Colour]:
        """Returns the flat colours in a part of the header, its borders in parts of width and height."""
        strip = self.header()
        width, height = strip.size
        part = strip.crop((int(left * width), int(top * height), int(right * width), int(bottom * height) - 3))
        return {colour for colour, pixels in _colours(part).items() if pixels >= FLAT}

    def _pixel(self, x: int, y: int, right: float, up: float) -> tuple[int, int]:
        column, row = self.layout.centre(Point(x, y))
        return column + round(right * self.layout.cell), row - round(up * self.layout.cell)

    def _colour(self, spot: tuple[int, int]) -> Colour:
        colour = self.image.getpixel(spot)
        assert isinstance(colour, tuple)
        return colour[0], colour[1], colour[2]


def _colours(image: Image.Image) -> Counter[Colour]:
    """Counts the pixels of each colour."""
    pixels = image.tobytes()
    return Counter(zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True))
