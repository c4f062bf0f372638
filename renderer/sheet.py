"""The contents of a picture's crossings, row by row: what it shows, what is asked of it, and the labels round the
board."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from renderer.layout import is_large, ring_of
from renderer.tile import (
    BARE,
    DIRECTIONS,
    EMPTY,
    FAINT,
    FRAME,
    GRID,
    NO_LABEL,
    Content,
    Cover,
    Extras,
    Form,
    Ground,
    Label,
    Slice,
    Stroke,
    covers,
    inside,
    is_near,
    strokes,
)
from rules.game import Point, Zone, column_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rules.game import Picture, Seat

Labels = dict[Point, Label | None]

Row = tuple[Content | None, ...]
"""The squares of a row from the left, its two labels included; None for one with nothing on it."""


class Coordinates:
    """The labels on the squares round a `window`, `ring` squares on each side.

    Every line is named, and every fifth in bold. On a large board only every fifth is, in letters that reach over
    several squares.
    """

    def __init__(self, window: Zone) -> None:
        self._low, self._high = window.low, window.high
        columns, rows = window.high.x - window.low.x + 1, window.high.y - window.low.y + 1
        self.ring = ring_of(columns, rows)
        self._large = is_large(columns, rows)
        self.labels: Labels = {}
        for x in range(window.low.x, window.high.x + 1):
            if _is_strong(x) or not self._large:
                self.labels |= self._column(x)
        for y in range(window.low.y, window.high.y + 1):
            if _is_strong(y) or not self._large:
                self.labels |= self._row(y)

    def highlighted(self, point: Point, seat: int) -> Labels:
        """Returns the labels of a crossing's column and row as those of a move of `seat`. Names that they would touch
        make room for them: their squares have None."""
        column, row = self._column(point.x, seat + 1), self._row(point.y, seat + 1)
        hidden: Labels = {}
        if self.ring > 1:
            near = range(max(point.x - 2, self._low.x), min(point.x + 2, self._high.x) + 1)
            hidden = dict.fromkeys(square for x in near if _is_strong(x) for square in self._column(x))
        return hidden | column | row

    def _column(self, x: int, seat: int = 0) -> Labels:
        """Returns the label of a column, above and below the board."""
        text, reach = column_name(x), range(-1, 2) if self.ring > 1 else (0,)
        return {
            Point(x + right, y): self._label(text, x, -2 * right, up, seat)
            for side, edge in ((1, self._high.y), (-1, self._low.y))
            for y, up in self._outward(edge, side)
            for right in reach
        }

    def _row(self, y: int, seat: int = 0) -> Labels:
        """Returns the label of a row, on both sides of the board."""
        return {
            Point(x, y): self._label(str(y + 1), y, across, 0, seat)
            for side, edge in ((1, self._high.x), (-1, self._low.x))
            for x, across in self._outward(edge, side)
        }

    def _outward(self, edge: int, side: int) -> Iterator[tuple[int, int]]:
        """Lists the squares outside an edge of the board, each with the way to the middle of the ring in half cells."""
        for step in range(1, self.ring + 1):
            yield edge + side * step, side * (self.ring + 1 - 2 * step)

    def _label(self, text: str, place: int, across: int, up: int, seat: int) -> Label:
        return Label(text, _is_strong(place), self.ring if self._large else 0, across, up, seat)


def _is_strong(place: int) -> bool:
    return place == 0 or place % 5 == 4


def extras(picture: Picture, *, far: bool) -> dict[Point, Extras]:
    """Returns the crossings of `picture` that carry more than stones and bases; `far` if its bases have longer
    steps."""
    found: dict[Point, Extras] = {}

    def at(point: Point) -> Extras:
        return found.get(point) or Extras()

    for point, cover in (covers(picture.houses + picture.open) or {}).items():
        found[point] = at(point)._replace(house=cover.octants)
    for point, cover in (covers(picture.plans) or {}).items():
        found[point] = at(point)._replace(plan=cover)
    outlines = filter(is_near, picture.open + picture.offers)
    for point, cover in strokes((area.seat + 1, *step) for area in outlines for step in area.steps).items():
        found[point] = at(point)._replace(outline=cover)
    if (line := picture.line) and is_near(line):
        for point, cover in strokes((line.seat + 1, *step) for step in line.steps).items():
            found[point] = at(point)._replace(line=cover)
    for seat, dots, stroke in _far_chains(picture, far=far):
        for point in _around(dots):
            chain = tuple((x - point.x, y - point.y) for x, y in dots)
            found[point] = at(point)._replace(slices=(*at(point).slices, Slice(seat + 1, chain, stroke)))
    for point, cover in strokes((bar.seat + 1, bar.first, bar.last) for bar in picture.bars).items():
        found[point] = at(point)._replace(bars=cover)
    if trail := picture.trail:
        for point, cover in strokes([(trail.seat + 1, trail.start, trail.end)]).items():
            found[point] = at(point)._replace(trail=cover)
        found[trail.start] = at(trail.start)._replace(start=True)
    for point in picture.falling:
        found[point] = at(point)._replace(falling=True)
    for number in picture.numbers:
        found[number.point] = at(number.point)._replace(number=number.value)
    for offer, point in enumerate(_spots(picture), start=1):
        found[point] = at(point)._replace(offer=offer, taken=offer in picture.taken)
    for point in picture.choices:
        found[point] = at(point)._replace(choice=True)
    if focus := picture.focus:
        for x in range(picture.width):
            for y in range(picture.height):
                point = Point(x, y)
                if not focus.contains(point):
                    found[point] = at(point)._replace(distant=at(point).line == BARE)
                elif any(edges := _edges(point, focus)):
                    found[point] = at(point)._replace(frame=edges)
    return found


def _far_chains(picture: Picture, *, far: bool) -> Iterator[tuple[Seat, tuple[Point, ...], Stroke]]:
    """Lists the chains with longer steps, each with its seat and its dots, from the paper upwards."""
    yield from ((area.seat, area.ring, Stroke.BASE) for area in picture.areas if far)
    yield from ((area.seat, area.ring, Stroke.OUTLINE) for area in picture.offers if not is_near(area))
    yield from ((area.seat, area.ring, Stroke.PLAN) for area in picture.plans if covers(picture.plans) is None)
    if (line := picture.line) and not is_near(line):
        yield line.seat, line.points, Stroke.LINE


def _around(dots: Sequence[Point]) -> Iterator[Point]:
    """Lists the crossings that a chain may touch."""
    columns, rows = [point.x for point in dots], [point.y for point in dots]
    return (Point(x, y) for x in range(min(columns), max(columns) + 1) for y in range(min(rows), max(rows) + 1))


def _spots(picture: Picture) -> Iterator[Point]:
    """Lists the places of the areas' numbers: near the middle of each. Where there is room, none is on another's number
    or on the dot to be placed."""
    taken = {picture.ghost.point} if picture.ghost else set()
    for area in picture.offers:
        points = (is_near(area) and sorted(inside(area.ring))) or list(area.ring)
        x, y = (sum(place) / len(points) for place in zip(*points, strict=True))
        spot = min(points, key=lambda point: (point in taken, (point.x - x) ** 2 + (point.y - y) ** 2))
        taken.add(spot)
        yield spot


def _edges(point: Point, focus: Zone) -> bytes:
    """Returns the sides of a crossing where the border of the focus runs: right, up, left, down."""
    low, high = focus.low, focus.high
    return bytes((point.x == high.x, point.y == high.y, point.x == low.x, point.y == low.y))


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
