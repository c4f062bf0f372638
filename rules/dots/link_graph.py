"""Far links (docs/rules-reference.md, Far links): the segments of up to two squares that a player may draw.

The segments of drawn chains are lines on the paper: they have crossings, and points on their inner side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from functools import lru_cache
from itertools import product, starmap

from rules.dots.enclosure import Enclosure
from rules.dots.field import ON_LINE, Field
from rules.game import Point

Segment = tuple[Point, Point]
"""Its ends."""

VECTORS = tuple((dx, dy) for dx, dy in product(range(-2, 3), repeat=2) if (dx, dy) != (0, 0))
"""The steps from a dot to the other ends of its segments."""

Ring = tuple[Point, ...]
"""The dots of a chain in their order."""


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


class LinkGraph:
    """The segments that `player` may draw on a field, between their `dots`."""

    def __init__(self, field: Field, player: int) -> None:
        self.field = field
        points = field.grid.points
        self.dots = {
            points[cell] for cell in field.grid.crossings if field.alive[cell] == player and not field.owner[cell]
        }
        self._before: LinkGraph | None = None
        self.changed: frozenset[Point] = frozenset()
        """The crossings inside the base that this graph has more than the one `before`, and in the boxes round its
        segments: no segment that meets none of them has changed."""
        self._fence_in(map(field.points, (base.chain for base in field.bases)))

    def on(self, field: Field, closed: Enclosure) -> LinkGraph:
        """Returns the graph of the same player on a `field` that has one base more than this one, `closed`."""
        other = copy(self)
        other.field, other._before = field, self
        ring, inside = field.points(closed.chain), field.points(tuple(closed.inside))
        other.dots = self.dots.difference(inside)
        other.changed = frozenset(inside).union(*(box(*fence) for fence in segments(ring)))
        other._fence_in([ring])
        return other

    def _fence_in(self, rings: Iterable[Ring]) -> None:
        """Notes the chains round bases, which segments do not cross."""
        self._rings: dict[Point, list[Ring]] = {}
        self._fences: dict[Point, list[Segment]] = {}
        for ring in rings:
            for dot in ring:
                self._rings.setdefault(dot, []).append(ring)
            for fence in segments(ring):
                for point in box(*fence):
                    self._fences.setdefault(point, []).append(fence)
        self._joined: dict[Segment, bool] = {}
        self._at: dict[Point, list[Segment]] = {}

    def joins(self, a: Point, b: Point) -> bool:
        """Returns whether the player may draw a segment between their dots there."""
        if a not in self.dots or b not in self.dots:
            return False
        segment = between(a, b)
        joined = self._joined.get(segment)
        if joined is None:
            joined = self._joined[segment] = self._allows(*segment)
        return joined

    def all_segments(self) -> Iterator[Segment]:
        return (segment for dot in self.dots for segment in self.segments_at(dot) if segment[0] == dot)

    def segments_at(self, dot: Point) -> list[Segment]:
        """Returns the segments that begin or end at one of the player's dots."""
        found = self._at.get(dot)
        if found is None:
            x, y = dot
            others = [(x + dx, y + dy) for dx, dy in VECTORS if (x + dx, y + dy) in self.dots]
            found = [between(dot, to) for to in starmap(Point, others) if self.joins(dot, to)]
            self._at[dot] = found
        return found

    def _allows(self, a: Point, b: Point) -> bool:
        if self._before is not None:
            if not self._before.joins(a, b):
                return False
            if self.changed.isdisjoint(box(a, b)):
                return True
        dx, dy = b.x - a.x, b.y - a.y
        if max(abs(dx), abs(dy)) > 2:
            return False
        if dx % 2 == 0 and dy % 2 == 0:
            grid = self.field.grid
            middle = grid.index(a) + grid.index(b) >> 1
            if self.field.placed[middle] or self.field.owner[middle] not in (0, ON_LINE):
                return False
        if not self._rings:
            return True
        near = box(a, b)
        if any(cross((a, b), fence) for point in near for fence in self._fences.get(point, ())):
            return False
        return not any(is_chord(ring, a, b) for ring in self._rings.get(a, ()))
