"""The shapes that a picture shows on request, crossing by crossing: houses, previews, offers, numbers, a focus.

The lines of Dot Dash are here as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.coverage import covers, inside, is_near, strokes
from renderer.tile import Extras, Slice
from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.picture import Area, Picture, Zone


def extras(picture: Picture, *, far: bool) -> dict[Point, Extras]:
    """Returns the crossings of `picture` that carry more than stones and bases; `far` if its bases have longer
    steps."""
    found: dict[Point, Extras] = {}

    def at(point: Point) -> Extras:
        return found.get(point) or Extras()

    for point, cover in (covers(picture.houses) or {}).items():
        found[point] = at(point)._replace(house=cover.octants)
    plans = picture.plans + picture.offers
    planned = covers(plans)
    for point, cover in (planned or {}).items():
        found[point] = at(point)._replace(plan=cover)
    slices = [(area, False) for area in picture.areas if far] + [(area, True) for area in plans if planned is None]
    for area, plan in slices:
        for point in _around(area):
            ring = tuple((x - point.x, y - point.y) for x, y in area.ring)
            found[point] = at(point)._replace(slices=(*at(point).slices, Slice(area.seat + 1, ring, plan)))
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
    for offer, point in enumerate(_spots(picture.offers), start=1):
        found[point] = at(point)._replace(offer=offer)
    if focus := picture.focus:
        for x in range(picture.width):
            for y in range(picture.height):
                point = Point(x, y)
                if not focus.contains(point):
                    found[point] = at(point)._replace(distant=True)
                elif any(edges := _edges(point, focus)):
                    found[point] = at(point)._replace(frame=edges)
    return found


def _around(area: Area) -> Iterator[Point]:
    """Lists the crossings that an area may touch."""
    columns, rows = [point.x for point in area.ring], [point.y for point in area.ring]
    return (Point(x, y) for x in range(min(columns), max(columns) + 1) for y in range(min(rows), max(rows) + 1))


def _spots(offers: tuple[Area, ...]) -> Iterator[Point]:
    """Lists the places of the areas' numbers: near the middle of each, on no other's number if there is room."""
    taken: set[Point] = set()
    for area in offers:
        points = (is_near(area) and sorted(inside(area.ring))) or list(area.ring)
        x, y = (sum(place) / len(points) for place in zip(*points, strict=True))
        spot = min(points, key=lambda point: (point in taken, (point.x - x) ** 2 + (point.y - y) ** 2))
        taken.add(spot)
        yield spot


def _edges(point: Point, focus: Zone) -> bytes:
    """Returns the sides of a crossing where the border of the focus runs: right, up, left, down."""
    low, high = focus.low, focus.high
    return bytes((point.x == high.x, point.y == high.y, point.x == low.x, point.y == low.y))
