"""A board as a PNG: a pure function of the picture, the words above it and the theme."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from renderer.coverage import DIRECTIONS, crossings
from renderer.header import Header, strip
from renderer.layout import Layout
from renderer.palette import palette_of
from renderer.theme import PAPER, Theme
from renderer.tiles import BLANK, FAINT, FRAME, GRID, Brush, Label, Tile, brush, lines_of
from rules.game import Point
from rules.notation import column_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rules.picture import Picture, Zone

NOWHERE = bytes(4)
BARE = (bytes(8), bytes(8), bytes(4))
"""No octants, links and corners."""


class Place(NamedTuple):
    """Whether a crossing lies in the field, and at which end of it, along one axis."""

    inside: bool
    first: bool
    last: bool


def draw(picture: Picture, header: Header, theme: Theme = PAPER) -> bytes:
    """The board as a PNG file. Raises ValueError for a field too large to be drawn (see `Layout.of`)."""
    file = BytesIO()
    paint(picture, header, theme).save(file, "PNG")
    return file.getvalue()


def paint(picture: Picture, header: Header, theme: Theme = PAPER) -> Image.Image:
    """The board as an image of palette indices, `Layout.of(width, height, header.lines).size` pixels large."""
    layout = Layout.of(picture.width, picture.height, header.lines)
    width, _ = layout.size
    pen = brush(theme, layout.cell)
    blank = _band(pen, [BLANK] * (picture.width + 2), layout)
    edge = layout.top * width
    bands = (_band(pen, row, layout) for row in tiles(picture))
    head = strip(header, width, layout.header, theme).tobytes()
    pixels = b"".join((head, blank[len(blank) - edge :], *bands, blank[:edge]))
    page = Image.frombytes("P", layout.size, pixels)
    page.putpalette(palette_of(theme).entries)
    return page


def tiles(picture: Picture) -> Iterator[list[Tile]]:
    """The keys of all squares, from the top row of labels to the bottom one, each from the left."""
    covered = {
        point: (bytes(crossing.octants), bytes(crossing.links), bytes(crossing.corners))
        for point, crossing in crossings(picture.areas).items()
    }
    stones = {stone.point: stone for stone in picture.stones}
    last, glow = frozenset(picture.last), _glow(picture.last)
    labels = _labels(picture)
    columns, rows = _places(picture.width), _places(picture.height)
    for y in range(picture.height, -2, -1):
        row = []
        for x in range(-1, picture.width + 1):
            point = Point(x, y)
            stone = stones.get(point)
            row.append(
                Tile(
                    _arms(columns[x + 1], rows[y + 1]),
                    *covered.get(point, BARE),
                    stone.seat + 1 if stone else 0,
                    bool(stone and stone.captured),
                    point in last,
                    glow.get(point, NOWHERE),
                    bool(picture.zone and _within(point, picture.zone)),
                    labels.get(point),
                )
            )
        yield row


def _band(pen: Brush, row: list[Tile], layout: Layout) -> bytes:
    """The pixels of a row of tiles; the paper runs on to both sides of it."""
    blank = lines_of(pen, BLANK)
    ahead = [(line * (layout.left // layout.cell + 1))[-layout.left :] for line in blank]
    behind = [(line * (layout.right // layout.cell + 1))[: layout.right] for line in blank]
    return b"".join(chain.from_iterable(zip(ahead, *(lines_of(pen, tile) for tile in row), behind, strict=True)))


def _places(length: int) -> list[Place]:
    """Where the crossings of a line lie, the labels before the first and after the last included."""
    return [Place(0 <= at < length, at == 0, at == length - 1) for at in range(-1, length + 1)]


@lru_cache(maxsize=64)
def _arms(column: Place, row: Place) -> bytes:
    """How the lines of the paper run from a crossing: right, up, left, down."""
    along = FRAME if row.first or row.last else GRID
    upright = FRAME if column.first or column.last else GRID
    inside = column.inside and row.inside
    return bytes(
        style if inside and not ends else FAINT
        for style, ends in ((along, column.last), (upright, row.last), (along, column.first), (upright, row.first))
    )


def _glow(last: Iterable[Point]) -> dict[Point, bytes]:
    """For the neighbours of the last move, the sides on which they see its disc."""
    seen: dict[Point, bytearray] = defaultdict(lambda: bytearray(4))
    for x, y in last:
        for k, (dx, dy) in enumerate(DIRECTIONS[::2]):
            seen[Point(x + dx, y + dy)][(k + 2) % 4] = 1
    return {point: bytes(sides) for point, sides in seen.items()}


def _labels(picture: Picture) -> dict[Point, Label]:
    """The names of columns and rows on all four sides, one step outside the field."""
    seats = {stone.point: stone.seat + 1 for stone in picture.stones}
    columns = {point.x: seats.get(point, 0) for point in picture.last}
    rows = {point.y: seats.get(point, 0) for point in picture.last}
    labels = {}
    for x in range(picture.width):
        label = Label(column_name(x), _strong(x), columns.get(x, 0))
        labels[Point(x, -1)] = labels[Point(x, picture.height)] = label
    for y in range(picture.height):
        label = Label(str(y + 1), _strong(y), rows.get(y, 0))
        labels[Point(-1, y)] = labels[Point(picture.width, y)] = label
    return labels


def _strong(place: int) -> bool:
    """Every fifth label, and the first."""
    return place == 0 or place % 5 == 4


def _within(point: Point, zone: Zone) -> bool:
    return zone.low.x <= point.x <= zone.high.x and zone.low.y <= point.y <= zone.high.y
