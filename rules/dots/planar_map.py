"""The planar map of far links: cut at all their crossings, they part the paper into regions with simple borders."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from rules.dots.link_graph import VECTORS, LinkGraph, Segment, cross, vector
from rules.game import Point

SCALE = 840
"""Crossings of two segments lie on multiples of 1/1 to 1/8 of a square: whole numbers at this scale."""

Vertex = tuple[int, int]
"""A dot, or a crossing of segments, in squares times SCALE."""

Segments = frozenset[int]
"""Segments by the numbers that a map has given them: `Edge.number`."""

_COMPASS = ((2, 0), (2, 1), (1, 1), (1, 2), (0, 1), (-1, 2), (-1, 1), (-2, 1))
_RANK = {
    (dx, dy): rank + (0 if sign > 0 else 8)
    for rank, (x, y) in enumerate(_COMPASS)
    for sign in (1, -1)
    for dx, dy in VECTORS
    if dx * y == dy * x and (dx * x + dy * y) * sign > 0
}
"""The directions counterclockwise; opposite ones are 8 apart."""


class Edge:
    """A piece of a border: from a vertex along a segment, forwards (1) or backwards (-1), to the next vertex.

    There is one of each on a map. `number` is that of the segment. `ahead` holds the edges by which a walk may go on,
    the leftmost first and the way back last, and `area` twice the triangle of the edge and the origin: both are known
    once it was walked along.
    """

    __slots__ = ("ahead", "area", "number", "segment", "vertex", "way")

    def __init__(self, vertex: Vertex, segment: Segment, number: int, way: int) -> None:
        self.vertex, self.segment, self.number, self.way = vertex, segment, number, way
        self.ahead: list[Edge] = []
        self.area = 0


class _Cut(NamedTuple):
    """A crossing of a segment with `other`; sorted by its place `along` the segment."""

    along: int
    vertex: Vertex
    other: Segment


class _Place(NamedTuple):
    """The place where a `segment` crosses a line just above a row: `x` in half squares on the row, then its `lean`."""

    x: int
    lean: int
    segment: Segment
    number: int


class Way:
    """The edges that were walked along in a search, and the crossings above which it looked for a border."""

    def __init__(self, regions: PlanarMap) -> None:
        self._map = regions
        self.walked: set[Edge] = set()
        self.looked: set[Point] = set()

    def met(self) -> set[Segment]:
        """Returns the segments that the borders were made of, and those that they met. Without any other they would
        have been the same."""
        met = {edge.segment for edge in self.walked}
        for segment in [*met]:
            met.update(cut.other for cut in self._map.cuts(segment)[0])
        met.update(after.segment for edge in self.walked for after in edge.ahead)
        return met.union(place.segment for point in self.looked for place in self._map.column(point))


class PlanarMap:
    """The regions of a graph of segments. Every part is computed when first needed, and kept."""

    def __init__(self, graph: LinkGraph) -> None:
        self._graph = graph
        self.steps = 0
        """The number of edges walked along: the cost so far."""
        self._way = Way(self)
        self._numbers: dict[Segment, int] = {}
        self._columns: dict[Point, list[_Place]] = {}
        self._rounds: dict[Vertex, tuple[list[int], list[Edge]]] = {}
        self._edges: dict[tuple[Vertex, Segment, int], Edge] = {}
        self._cut: dict[Segment, tuple[list[_Cut], list[Vertex]]] = {}

    def begin(self) -> Way:
        """Begins a search; returns the way that borders will have taken in it."""
        self._way = Way(self)
        return self._way

    def border(self, centre: Point, without: Segments) -> list[Edge] | None:
        """Returns the border of the region of `centre`, on which no segment lies; None if it has no end.

        The segments in `without` are left out; the border runs counterclockwise.

        Looks to the right, just above the row of `centre`, and walks round the segment that it meets, with the region
        on the left. That segment may lie within the region: then the search goes on behind it.
        """
        row = centre.y * SCALE
        behind: tuple[object, ...] = (2 * centre.x, 0)
        for place in self._ahead(centre):
            if place.number in without or place <= behind:
                continue
            segment = place.segment
            way = 1 if segment[0].y < segment[1].y else -1
            below = (vertex for vertex in self._vertices(segment) if vertex[1] <= row)
            start = max(below, key=lambda vertex: vertex[1])
            walk = self._walk(self._edge(start, segment, way), without)
            for loop in _loops(walk):
                if area(loop) > 0:
                    return loop
            met = {
                edge.segment
                for edge, after in zip(walk, (*walk[1:], walk[0]), strict=True)
                if (edge.vertex[1] <= row) != (after.vertex[1] <= row)
            }
            behind = max(self._place(each, centre.y) for each in met)
        return None

    def is_dot(self, vertex: Vertex) -> bool:
        x, y = vertex
        return x % SCALE == y % SCALE == 0 and (x // SCALE, y // SCALE) in self._graph.dots

    def _ahead(self, centre: Point) -> Iterator[_Place]:
        """Lists the segments that cross a line just above the row of `centre`, from there to the right."""
        for x in range(centre.x, self._graph.field.grid.width):
            self._way.looked.add(Point(x, centre.y))
            yield from self.column(Point(x, centre.y))

    def column(self, point: Point) -> list[_Place]:
        """Returns the segments that cross the row just above `point` there, or half a square to the right."""
        found = self._columns.get(point)
        if found is None:
            x, y = point
            dots = {Point(x + dx, y - dy) for dx in range(-2, 3) for dy in (0, 1)} & self._graph.dots
            places = [
                self._place(segment, y)
                for dot in dots
                for segment in self._graph.segments_at(dot)
                if max(segment[0].y, segment[1].y) > y and min(segment[0].y, segment[1].y) == dot.y
            ]
            found = self._columns[point] = sorted(place for place in places if place.x >> 1 == x)
        return found

    def _place(self, segment: Segment, y: int) -> _Place:
        low, high = segment if segment[0].y < segment[1].y else segment[::-1]
        dx, dy = high.x - low.x, high.y - low.y
        return _Place(2 * low.x + 2 * dx * (y - low.y) // dy, 2 * dx // dy, segment, self._number(segment))

    def _walk(self, start: Edge, without: Segments) -> list[Edge]:
        """Walks from `start`, always by the leftmost segment that is not left out, until the walk begins again."""
        walk = []
        edge = start
        while True:
            walk.append(edge)
            for after in edge.ahead or self._look_ahead(edge):
                if after.number not in without:
                    edge = after
                    break
            if edge is start:
                self.steps += len(walk)
                self._way.walked.update(walk)
                return walk

    def _look_ahead(self, edge: Edge) -> list[Edge]:
        vertices = self._vertices(edge.segment)
        vertex = vertices[vertices.index(edge.vertex) + edge.way]
        edge.area = edge.vertex[0] * vertex[1] - vertex[0] * edge.vertex[1]
        ranks, edges = self._round(vertex, edge.segment)
        left = bisect(ranks, -_RANK[vector(edge.segment, -edge.way)])
        edge.ahead = edges[left:] + edges[:left]
        return edge.ahead

    def _round(self, vertex: Vertex, segment: Segment) -> tuple[list[int], list[Edge]]:
        """Returns the edges that leave a vertex of `segment`, clockwise, and their directions, which fall."""
        found = self._rounds.get(vertex)
        if found is None:
            leaving = []
            for each in self._through(vertex, segment):
                for way, (x, y) in ((1, each[1]), (-1, each[0])):
                    if vertex != (x * SCALE, y * SCALE):
                        leaving.append((-_RANK[vector(each, way)], each, way))
            leaving.sort()
            edges = [self._edge(vertex, each, way) for _, each, way in leaving]
            found = self._rounds[vertex] = [rank for rank, _, _ in leaving], edges
        return found

    def _edge(self, vertex: Vertex, segment: Segment, way: int) -> Edge:
        key = vertex, segment, way
        edge = self._edges.get(key)
        if edge is None:
            edge = self._edges[key] = Edge(vertex, segment, self._number(segment), way)
        return edge

    def _number(self, segment: Segment) -> int:
        return self._numbers.setdefault(segment, len(self._numbers))

    def _through(self, vertex: Vertex, segment: Segment) -> list[Segment]:
        """Returns the segments that begin, end or cross at a vertex of `segment`."""
        if self.is_dot(vertex):
            return self._graph.segments_at(Point(vertex[0] // SCALE, vertex[1] // SCALE))
        return [segment, *(cut.other for cut in self.cuts(segment)[0] if cut.vertex == vertex)]

    def _vertices(self, segment: Segment) -> list[Vertex]:
        return self.cuts(segment)[1]

    def cuts(self, segment: Segment) -> tuple[list[_Cut], list[Vertex]]:
        """Returns the cuts of this segment by others, and all the vertices on it, both in order."""
        if (known := self._cut.get(segment)) is not None:
            return known
        a, b = segment
        dots = self._graph.dots
        cuts = []
        for ox, oy, dx, dy, along, x, y in _crossings(b.x - a.x, b.y - a.y):
            c, d = (a.x + ox, a.y + oy), (a.x + ox + dx, a.y + oy + dy)
            if c in dots and d in dots and self._graph.joins(Point(*c), Point(*d)):
                cuts.append(_Cut(along, (a.x * SCALE + x, a.y * SCALE + y), (Point(*c), Point(*d))))
        cuts.sort()
        ends = ((a.x * SCALE, a.y * SCALE), (b.x * SCALE, b.y * SCALE))
        found = cuts, [ends[0], *dict.fromkeys(cut.vertex for cut in cuts), ends[1]]
        self._cut[segment] = found
        return found


def area(border: list[Edge]) -> int:
    """Returns twice the area on the left of a border, times SCALE twice."""
    return sum([edge.area for edge in border])


def _loops(walk: list[Edge]) -> Iterator[list[Edge]]:
    """Lists the simple loops that a closed walk consists of."""
    if len({edge.vertex for edge in walk}) == len(walk):
        yield walk
        return
    path: list[Edge] = []
    place: dict[Vertex, int] = {}
    for edge in walk:
        if (met := place.get(edge.vertex)) is not None:
            yield path[met:]
            for cut in path[met:]:
                del place[cut.vertex]
            del path[met:]
        place[edge.vertex] = len(path)
        path.append(edge)
    yield path


@cache
def _crossings(dx: int, dy: int) -> list[tuple[int, int, int, int, int, int, int]]:
    """Returns all segments that cross one from the origin to (dx, dy). Each has its beginning, its vector, and the
    crossing: the place along the segment and the point, both times SCALE."""
    found = []
    for ox, oy in product(range(min(0, dx) - 2, max(0, dx) + 3), range(min(0, dy) - 2, max(0, dy) + 3)):
        for vx, vy in VECTORS:
            here, there = Point(ox, oy), Point(ox + vx, oy + vy)
            if here < there and cross((Point(0, 0), Point(dx, dy)), (here, there)):
                along = SCALE * (ox * vy - oy * vx) // (dx * vy - dy * vx)
                found.append((ox, oy, vx, vy, along, dx * along, dy * along))
    return found
