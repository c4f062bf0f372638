"""The map that far links make: cut at all their crossings, they part the paper into countries with simple borders."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from rules.dots.link_graph import VECTORS, Web
from rules.dots.segments import Section, cross, vector
from rules.point import Point

SCALE = 840
"""Crossings of two sections lie on multiples of 1/1 to 1/8 of a square: whole numbers at this scale."""

Vertex = tuple[int, int]
"""A dot, or a crossing of sections, in squares times SCALE."""

Sections = frozenset[Section]

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
    """A piece of a border: from a vertex along a section, forwards (1) or backwards (-1), to the next vertex. There is
    one of each on a map; `ahead` holds where a walk may go on from it, the leftmost first and the way back last."""

    __slots__ = ("ahead", "section", "vertex", "way")

    def __init__(self, vertex: Vertex, section: Section, way: int) -> None:
        self.vertex, self.section, self.way = vertex, section, way
        self.ahead: list[Edge] = []


class _Cut(NamedTuple):
    """Where `other` cuts a section, `along` it, for sorting."""

    along: int
    vertex: Vertex
    other: Section


class Countries:
    """The countries of a web of sections. Everything is looked at when it is asked for, and kept."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self.steps = 0
        """How many edges have been walked along: what it has cost so far."""
        self._rows: dict[int, tuple[list[tuple[int, int]], list[Section]]] = {}
        self._edges: dict[tuple[Vertex, Section, int], Edge] = {}
        self._cut: dict[Section, tuple[list[_Cut], list[Vertex]]] = {}

    def border(self, centre: Point, without: Sections) -> list[Edge] | None:
        """The border of the country of `centre`, on which no section lies, when some sections are left out;
        counterclockwise. None if it has no end.

        Looks to the right, just above the row of `centre`, and walks round what it meets, with the country on the left.
        That may lie within the country: then it looks on, behind it.
        """
        places, crossing = self._row(centre.y)
        row = centre.y * SCALE
        ahead = [each for each in crossing[bisect(places, (2 * centre.x, 0)) :] if each not in without]
        while ahead:
            section = ahead[0]
            way = 1 if section[0].y < section[1].y else -1
            below = (vertex for vertex in self._vertices(section) if vertex[1] <= row)
            start = max(below, key=lambda vertex: vertex[1])
            walk = self._walk(self._edge(start, section, way), without)
            for loop in _loops(walk):
                if area(loop) > 0:
                    return loop
            met = {
                edge.section
                for edge, after in zip(walk, (*walk[1:], walk[0]), strict=True)
                if (edge.vertex[1] <= row) != (after.vertex[1] <= row)
            }
            behind = max(place for place, each in enumerate(ahead) if each in met)
            ahead = ahead[behind + 1 :]
        return None

    def is_dot(self, vertex: Vertex) -> bool:
        x, y = vertex
        return x % SCALE == y % SCALE == 0 and (x // SCALE, y // SCALE) in self._web.dots

    def _row(self, y: int) -> tuple[list[tuple[int, int]], list[Section]]:
        """The sections that cross a line just above a row, from left to right, and where: in half squares on the row,
        and how they lean."""
        if (known := self._rows.get(y)) is not None:
            return known
        met = []
        for dot in self._web.dots:
            if dot.y in (y, y - 1):
                for section in self._web.sections_at(dot):
                    other = section[1] if section[0] == dot else section[0]
                    if other.y > y:
                        dx, dy = other.x - dot.x, other.y - dot.y
                        met.append((2 * dot.x + 2 * dx * (y - dot.y) // dy, 2 * dx // dy, section))
        met.sort()
        found = [(x, lean) for x, lean, _ in met], [section for *_, section in met]
        self._rows[y] = found
        return found

    def _walk(self, start: Edge, without: Sections) -> list[Edge]:
        """The walk from `start` always by the leftmost section that is not left out, until it begins again."""
        walk = []
        edge = start
        while True:
            walk.append(edge)
            for after in edge.ahead or self._look_ahead(edge):
                if after.section not in without:
                    edge = after
                    break
            if edge is start:
                self.steps += len(walk)
                return walk

    def _look_ahead(self, edge: Edge) -> list[Edge]:
        vertices = self._vertices(edge.section)
        vertex = vertices[vertices.index(edge.vertex) + edge.way]
        back = _RANK[vector(edge.section, -edge.way)]
        turns = []
        for section in self._through(vertex, edge.section):
            for way, (x, y) in ((1, section[1]), (-1, section[0])):
                if vertex != (x * SCALE, y * SCALE):
                    turn = (back - _RANK[vector(section, way)]) % 16
                    turns.append((turn or 16, section, way))
        edge.ahead = [self._edge(vertex, section, way) for _, section, way in sorted(turns)]
        return edge.ahead

    def _edge(self, vertex: Vertex, section: Section, way: int) -> Edge:
        key = vertex, section, way
        edge = self._edges.get(key)
        if edge is None:
            edge = self._edges[key] = Edge(vertex, section, way)
        return edge

    def _through(self, vertex: Vertex, section: Section) -> list[Section]:
        """The sections that begin, end or cross at a vertex of `section`."""
        if self.is_dot(vertex):
            return self._web.sections_at(Point(vertex[0] // SCALE, vertex[1] // SCALE))
        return [section, *(cut.other for cut in self._cuts(section)[0] if cut.vertex == vertex)]

    def _vertices(self, section: Section) -> list[Vertex]:
        return self._cuts(section)[1]

    def _cuts(self, section: Section) -> tuple[list[_Cut], list[Vertex]]:
        """Where other sections cut this one, and all the vertices on it, both in order."""
        if (known := self._cut.get(section)) is not None:
            return known
        a, b = section
        dots = self._web.dots
        cuts = []
        for ox, oy, dx, dy, along, x, y in _crossings(b.x - a.x, b.y - a.y):
            c, d = (a.x + ox, a.y + oy), (a.x + ox + dx, a.y + oy + dy)
            if c in dots and d in dots and self._web.joins(Point(*c), Point(*d)):
                cuts.append(_Cut(along, (a.x * SCALE + x, a.y * SCALE + y), (Point(*c), Point(*d))))
        cuts.sort()
        ends = ((a.x * SCALE, a.y * SCALE), (b.x * SCALE, b.y * SCALE))
        found = cuts, [ends[0], *dict.fromkeys(cut.vertex for cut in cuts), ends[1]]
        self._cut[section] = found
        return found


def area(border: list[Edge]) -> int:
    """Twice the area on the left of a border, times SCALE twice."""
    total = 0
    x0, y0 = border[-1].vertex
    for edge in border:
        x, y = edge.vertex
        total += x0 * y - x * y0
        x0, y0 = x, y
    return total


def _loops(walk: list[Edge]) -> Iterator[list[Edge]]:
    """The simple loops that a closed walk consists of."""
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
    """All sections that cross one from the origin to (dx, dy): where each begins, its vector, and the crossing: how far
    along, and where, both times SCALE."""
    found = []
    for ox, oy in product(range(min(0, dx) - 2, max(0, dx) + 3), range(min(0, dy) - 2, max(0, dy) + 3)):
        for vx, vy in VECTORS:
            here, there = Point(ox, oy), Point(ox + vx, oy + vy)
            if here < there and cross((Point(0, 0), Point(dx, dy)), (here, there)):
                along = SCALE * (ox * vy - oy * vx) // (dx * vy - dy * vx)
                found.append((ox, oy, vx, vy, along, dx * along, dy * along))
    return found
