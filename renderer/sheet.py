"""The contents of a picture's crossings, row by row."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from renderer.coordinates import Coordinates
from renderer.coverage import BARE, DIRECTIONS, Cover, covers
from renderer.requests import extras
from renderer.tile import EMPTY, FAINT, FRAME, GRID, NO_LABEL, Content, Form, Ground, Label
from rules.picture import Zone
from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.picture import Picture

Row = tuple[Content | None, ...]
"""The squares of a row from the left, its two labels included; None for one with nothing on it."""


class Place(NamedTuple):
    """A position along one axis: inside the field or not, and at which end of it."""

    inside: bool
    first: bool = False
    last: bool = False


class Sheet:
    """The part of a `width` x `height` field that a window shows, with a ring of labels, as squared paper."""

    def __init__(self, width: int, height: int, window: Zone) -> None:
        self._window = window
        self._whole = window.low == (0, 0) and window.high == (width - 1, height - 1)
        self._coordinates = Coordinates(window)
        ring, labels = self._coordinates.ring, self._coordinates.labels
        across = range(window.low.x - ring, window.high.x + ring + 1)
        upright = range(window.high.y + ring, window.low.y - ring - 1, -1)
        self._squares = Zone(Point(across[0], upright[-1]), Point(across[-1], upright[0]))
        self._points = [[Point(x, y) for x in across] for y in upright]
        columns = [Place(x in across[ring:-ring], x == 0, x == width - 1) for x in across]
        rows = [Place(y in upright[ring:-ring], y == 0, y == height - 1) for y in upright]
        self.grounds = [
            [_ground(_arms(column, row), labels.get(point)) for point, column in zip(points, columns, strict=True)]
            for points, row in zip(self._points, rows, strict=True)
        ]

    def rows(self, picture: Picture) -> list[Row]:
        """Returns the contents of `picture`, from the top row of labels to the bottom one; the labels of the last move
        are highlighted."""
        if self._whole:
            found = contents(picture)
        else:
            holds, shows = self._window.contains, self._squares.contains
            found = contents(replace(picture, stones=tuple(stone for stone in picture.stones if shows(stone.point))))
            found = {
                point: it if holds(point) else Content(glow=it.glow) for point, it in found.items() if shows(point)
            }
        for seat, point in _chips(picture):
            if self._window.contains(point):
                for square, label in self._coordinates.highlighted(point, seat).items():
                    found[square] = found.get(square, EMPTY)._replace(label=label or NO_LABEL)
        left, top = self._points[0][0]
        rows: list[list[Content | None]] = [[None] * len(points) for points in self._points]
        for (x, y), content in found.items():
            rows[top - y][x - left] = content
        return [tuple(row) for row in rows]

    def ground(self, point: Point) -> Ground:
        """Returns the paper at a crossing that is shown, or at one of the labels."""
        left, top = self._points[0][0]
        return self.grounds[top - point.y][point.x - left]


def contents(picture: Picture) -> dict[Point, Content]:
    """Returns all crossings on which something lies, and the labels that the disc of the last move reaches."""
    bases = covers(picture.areas)
    covered = bases or {}
    found = {point: _content(cover, 0, Form.DOT) for point, cover in covered.items()}
    for stone in picture.stones:
        point, form = stone.point, Form.DOT
        if stone.captured:
            form = Form.CAPTURED
        elif stone.credited:
            form = Form.CREDITED
        elif picture.blocks:
            form = Form.BLOCK
        found[point] = _content(covered.get(point, BARE), stone.seat + 1, form)
    if zone := picture.zone:
        for x in range(zone.low.x, zone.high.x + 1):
            for y in range(zone.low.y, zone.high.y + 1):
                found[Point(x, y)] = found.get(Point(x, y), EMPTY)._replace(zone=True)
    for point in picture.last:
        found[point] = content = found.get(point, EMPTY)._replace(last=True)
        if content.form not in (Form.BLOCK, Form.CREDITED):
            for k, (dx, dy) in enumerate(DIRECTIONS[::2]):
                beside = Point(point.x + dx, point.y + dy)
                neighbour = found.get(beside, EMPTY)
                glow = bytearray(neighbour.glow)
                glow[(k + 2) % 4] = 1
                found[beside] = neighbour._replace(glow=bytes(glow))
    if ghost := picture.ghost:
        found[ghost.point] = found.get(ghost.point, EMPTY)._replace(stone=ghost.seat + 1, form=Form.GHOST)
    for point, extra in extras(picture, far=bases is None).items():
        found[point] = found.get(point, EMPTY)._replace(extras=extra)
    return found


@lru_cache(maxsize=4096)
def _content(cover: Cover, stone: int, form: Form) -> Content:
    """Returns one value for all squares that are alike."""
    return Content(cover, stone, form)


@lru_cache(maxsize=1024)
def _ground(arms: bytes, label: Label | None) -> Ground:
    """Returns one value for all squares that are alike."""
    return Ground(arms, label)


def _chips(picture: Picture) -> Iterator[tuple[int, Point]]:
    """Lists the move whose column and row are highlighted: the proposed one, or else the last one, if it is a dot."""
    if picture.ghost:
        yield picture.ghost.seat, picture.ghost.point
    elif len(picture.last) == 1:
        yield from ((stone.seat, stone.point) for stone in picture.stones if stone.point in picture.last)


@lru_cache(maxsize=64)
def _arms(column: Place, row: Place) -> bytes:
    """Returns the styles of the lines of the paper from a crossing: right, up, left, down."""
    along = FRAME if row.first or row.last else GRID
    upright = FRAME if column.first or column.last else GRID
    within = column.inside and row.inside
    return bytes(
        style if within and not ends else FAINT
        for style, ends in ((along, column.last), (upright, row.last), (along, column.first), (upright, row.first))
    )
