"""The segments of drawn chains as lines on the paper: their crossings, and the points on their inner side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules.point import Point

Segment = tuple[Point, Point]
"""Its ends."""


def cross(one: Segment, other: Segment) -> bool:
    """Returns whether two segments meet in a point that is an end of neither. Of two on one line it says no."""
    (a, b), (c, d) = one, other
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def segments(ring: tuple[Point, ...]) -> Iterator[Segment]:
    """Returns the segments of a chain in their order."""
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def crosses_itself(ring: tuple[Point, ...]) -> bool:
    """Returns whether two segments of a chain cross."""
    near: dict[Point, list[Segment]] = {}
    for segment in segments(ring):
        for point in box(*segment):
            others = near.setdefault(point, [])
            if any(cross(segment, other) for other in others):
                return True
            others.append(segment)
    return False


def _side(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def between(a: Point, b: Point) -> Segment:
    return (a, b) if a < b else (b, a)


def vector(segment: Segment, way: int) -> tuple[int, int]:
    a, b = segment
    return (b.x - a.x) * way, (b.y - a.y) * way


@lru_cache(maxsize=65_536)
def box(a: Point, b: Point) -> tuple[Point, ...]:
    """Returns the crossings between two corners; segments that cross have one in common. Cached: on a full field there
    are some 10,000 segments, and each is asked for often."""
    columns, rows = range(min(a.x, b.x), max(a.x, b.x) + 1), range(min(a.y, b.y), max(a.y, b.y) + 1)
    return tuple(Point(x, y) for x in columns for y in rows)


def is_chord(ring: tuple[Point, ...], a: Point, b: Point) -> bool:
    """Returns whether the segment joins two dots of a chain through its inside."""
    if a not in ring or b not in ring or (ring.index(a) - ring.index(b)) % len(ring) in (1, len(ring) - 1):
        return False
    return contains(ring, a.x + b.x, a.y + b.y)


def contains(ring: tuple[Point, ...], x: int, y: int) -> bool:
    """Returns whether (x, y), in half squares, lies inside a chain: a ray to the right meets it an odd number of
    times."""
    odd = False
    for a, b in segments(ring):
        low, high = (a, b) if a.y < b.y else (b, a)
        if 2 * low.y <= y < 2 * high.y:
            odd ^= (2 * low.x - x) * (high.y - low.y) + (high.x - low.x) * (y - 2 * low.y) > 0
    return odd
