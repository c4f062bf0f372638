"""A page for boards: a theme, a size, and the part of a field that is shown."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING

from PIL import Image

from renderer.brush import brush
from renderer.cache import Cache
from renderer.header import strip
from renderer.layout import MAX_SIDE, Format, Layout
from renderer.sheet import Sheet
from renderer.theme import for_seats
from renderer.tile import BLANK, EMPTY, Tile
from rules.picture import Zone
from rules.point import Point

if TYPE_CHECKING:
    from renderer.header import Header
    from renderer.sheet import Row
    from renderer.theme import Theme
    from rules.picture import Picture

_numbers = count()
_bands: Cache[tuple[int, int, Row, bytes], bytes] = Cache(3_000_000)
_KEY = 1000
"""Bytes of a band's key."""


class Page:
    """A page for a field of `width` x `height`, with a header of `lines` lines. `number` is unique."""

    def __init__(self, theme: Theme, width: int, height: int, window: Zone, lines: int, form: Format) -> None:
        columns, rows = window.high.x - window.low.x + 1, window.high.y - window.low.y + 1
        self.number = next(_numbers)
        self.theme = theme
        self.layout = Layout.of(columns, rows, lines, form, window.low)
        self.brush = brush(theme, self.layout.cell)
        self.sheet = Sheet(width, height, window)
        left, right, cell = self.layout.left, self.layout.right, self.layout.cell
        blank = self.brush.lines(BLANK)
        self._ahead = [(line * (left // cell + 1))[-left:] for line in blank]
        self._behind = [(line * (right // cell + 1))[:right] for line in blank]

    def band(self, row: int, contents: Row, lead: bytes = b"") -> bytes:
        """Returns the pixels of a row of squares, `lead` ahead of each line; the paper runs on to both sides of it.
        Cached for a while, since the next board has most of them as well."""
        key = (self.number, row, contents, lead)
        found = _bands.get(key)
        if found is None:
            draw, leads = self.brush.lines, [lead] * self.layout.cell
            tiles = (
                draw(Tile(ground, content or EMPTY))
                for ground, content in zip(self.sheet.grounds[row], contents, strict=True)
            )
            found = b"".join(chain.from_iterable(zip(leads, self._ahead, *tiles, self._behind, strict=True)))
            _bands.put(key, found, len(found) + _KEY)
        return found

    def edge(self, side: str, lead: bytes = b"") -> bytes:
        """Returns the pixels of the paper above the `top` row of squares, or below the `bottom` one."""
        (width, _), cell, top = self.layout.size, self.layout.cell, self.layout.top
        shift = -self.layout.left % cell
        lines = [lead + (line * (width // cell + 2))[shift : shift + width] for line in self.brush.lines(BLANK)]
        return b"".join(lines[-top:] if side == "top" else lines[:top])

    def image(self, rows: list[Row], header: Header | None) -> Image.Image:
        """Returns the whole picture as palette indices, in mode L."""
        head = strip(header, self.layout.size[0], self.layout.header, self.theme).tobytes() if header else b""
        bands = (self.band(number, row) for number, row in enumerate(rows))
        pixels = b"".join((head, self.edge("top"), *bands, self.edge("bottom")))
        return Image.frombytes("L", self.layout.size, pixels)


def page_for(picture: Picture, header: Header | None, theme: Theme, window: Zone | None, form: Format) -> Page:
    """Returns the page that `picture` needs. Raises ValueError for a field that is too large, and for a window
    outside it."""
    width, height = picture.width, picture.height
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise ValueError(f"no field of {width}x{height} can be drawn")
    field = Zone(Point(0, 0), Point(width - 1, height - 1))
    window = window or field
    if not (field.contains(window.low) and field.contains(window.high)):
        raise ValueError(f"{window} does not lie in a field of {width}x{height}")
    stones = chain(picture.stones, (picture.ghost,) if picture.ghost else ())
    areas = chain(picture.areas, picture.houses, picture.plans, picture.offers)
    seen = {stone.seat for stone in stones} | {area.seat for area in areas}
    seats = max((2, len(header.plates) if header else 0, *(seat + 1 for seat in seen)))
    return _page(theme, seats, width, height, window, header.lines if header else 0, form)


@lru_cache(maxsize=24)
def _page(theme: Theme, seats: int, width: int, height: int, window: Zone, lines: int, form: Format) -> Page:
    return Page(for_seats(theme, seats), width, height, window, lines, form)


def forget_bands() -> None:
    """Clears the cache of bands: for measuring."""
    _bands.clear()
