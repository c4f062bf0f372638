"""A board as a PNG: a pure function of the picture, the words above it and the theme.

A page for boards has a theme, a size, and the part of a field that is shown. The tiles of the first boards are drawn
in advance, so that no player waits for them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING

from PIL import Image

from renderer import png
from renderer.brush import brush
from renderer.cache import Cache
from renderer.header import Header, Plate, strip
from renderer.layout import MAX_SIDE, STILL, Format, Layout
from renderer.png import Piece
from renderer.sheet import Sheet
from renderer.theme import PAPER, Theme, for_seats
from renderer.tile import BLANK, EMPTY, Tile
from rules.game import Area, Picture, Point, Seat, Stone, Zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from renderer.sheet import Row

_numbers = count()
_bands: Cache[tuple[int, int, Row, bytes], bytes] = Cache(3_000_000)

FILTER = b"\0"
"""Precedes each line of a PNG: its pixels as they are."""

_pieces: Cache[tuple[Hashable, ...], Piece] = Cache(8_000_000)
_KEY, _SQUARE = 1000, 16
"""Bytes of a key of a band or a piece, and of each square of a piece."""

NO_PLAYERS = Header((Plate("", ""), Plate("", "")))
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


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
        pieces.insert(0, _head(page, header.above(picture)))
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


def warm(sizes: Iterable[tuple[int, int]], themes: Iterable[Theme]) -> None:
    """Fills the caches for fields of these sizes in these themes: half a second each, so not on the event loop."""
    themes = [*themes]
    for size in sizes:
        for picture in pictures(*size):
            for theme in themes:
                draw(picture, NO_PLAYERS, theme)


def pictures(width: int, height: int) -> Iterator[Picture]:
    """Yields an empty field, then one with dots and bases next to each other in many ways. Each picture has another
    last move: of either seat in every column and row."""
    areas = tuple(
        Area(Seat((x + y) // 4 % 2), tuple(Point(x + dx, y + dy) for dx, dy in STEPS))
        for x in range(2, width - 1, 4)
        for y in range(2, height - 1, 4)
    )
    chains = {point: area.seat for area in areas for point in area.ring}
    stones = {Point(x, y): Seat((x * x + y) % 2) for x in range(width) for y in range(height) if (x + 2 * y) % 5 < 2}
    yield Picture(width, height)
    for turn in range(2 * max(width, height)):
        point, seat = Point(turn % width, turn % height), Seat(turn // max(width, height))
        placed = (stones | chains | {point: seat}).items()
        yield Picture(width, height, tuple(Stone(*each) for each in placed), areas if turn % 2 else (), last=(point,))
