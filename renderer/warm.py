"""Draws the tiles of the first boards in advance, so that no player waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.board import draw
from renderer.header import Header, Plate
from rules.picture import Area, Picture, Stone
from rules.point import Point, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from renderer.theme import Theme

NO_PLAYERS = Header((Plate("", ""), Plate("", "")))
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


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
