"""The shapes that a picture shows on request, crossing by crossing: houses, previews, offers, numbers, a focus.

The lines of Dot Dash are here as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.coverage import BARE, covers, inside, is_near, strokes
from renderer.tile import Extras, Slice, Stroke
from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rules.picture import Picture, Zone
    from rules.point import Seat


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
