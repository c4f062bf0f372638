"""A board as a PNG: a pure function of the picture, the words above it and the theme."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from PIL import Image

from renderer import png
from renderer.cache import Cache
from renderer.header import Header, strip
from renderer.layout import STILL
from renderer.page import Page, forget_bands, page_for
from renderer.png import Piece
from renderer.theme import PAPER, Theme

if TYPE_CHECKING:
    from renderer.sheet import Row
    from rules.picture import Picture, Zone

FILTER = b"\0"
"""Precedes each line of a PNG: its pixels as they are."""

_pieces: Cache[tuple[Hashable, ...], Piece] = Cache(8_000_000)
_KEY, _SQUARE = 1000, 16
"""Bytes of a piece's key, and of each of its squares."""


def draw(picture: Picture, header: Header | None, theme: Theme = PAPER, window: Zone | None = None) -> bytes:
    """Returns the board, or the part of it that `window` shows, as a PNG file.

    May be called from several threads at once. Parts of boards drawn lately are reused. Raises ValueError for a field
    too large to be drawn, for a window outside the field, and for a ring or line with steps that are none.
    """
    page = page_for(picture, header, theme, window, STILL)
    rows = page.sheet.rows(picture)
    bands = (_band(page, number, rows) for number in range(len(rows)))
    pieces = [_edge(page, "top"), *bands, _edge(page, "bottom")]
    if header:
        pieces.insert(0, _head(page, header))
    return png.file(page.layout.size, page.brush.palette.entries, pieces)


def forget() -> None:
    """Clears the cache of pieces, but not of tiles: for measuring."""
    _pieces.clear()
    forget_bands()


def _band(page: Page, number: int, rows: list[Row]) -> Piece:
    """Returns the squares of a row. They are deflated with those above in view, so these are part of the key."""
    above = rows[number - 1] if number else None

    def draw_piece() -> Piece:
        before = page.band(number - 1, above, FILTER) if above else b""
        return png.piece(page.band(number, rows[number], FILTER), before)

    return _cached((page.number, number, rows[number], above), draw_piece, _SQUARE * len(rows[number]))


def _edge(page: Page, side: str) -> Piece:
    return _cached((page.number, side), lambda: png.piece(page.edge(side, FILTER)))


def _head(page: Page, header: Header) -> Piece:
    def draw_piece() -> Piece:
        (width, _), height = page.layout.size, page.layout.header
        lines = Image.new("L", (len(FILTER) + width, height))  # its first column stays 0, which is FILTER
        lines.paste(strip(header, width, height, page.theme), (len(FILTER), 0))
        return png.piece(lines.tobytes(), once=True)  # the next board has another header

    return _cached((page.number, header), draw_piece)


def _cached(key: tuple[Hashable, ...], draw_piece: Callable[[], Piece], size: int = 0) -> Piece:
    """Returns the piece of that key from the cache, or draws and caches it."""
    found = _pieces.get(key)
    if found is None:
        found = draw_piece()
        _pieces.put(key, found, _KEY + size + len(found.chunk))
    return found
