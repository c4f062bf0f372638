"""The smallest chains of far links (docs/rules-reference.md, Far links).

The segments that a player may draw cross each other, so no walk along walls finds the smallest chain. But no chain
round a dot is smaller than the border of the dot's region (`rules.dots.planar_map`). Where that border turns from one
segment into another at a crossing, there is no dot: a chain may use at most one of the two.

So the search leaves out either, and looks again, always at the smallest border so far. The first border that turns on
dots alone is the smallest chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from heapq import heappop, heappush
from itertools import count

from rules.dots.enclosure import Enclosure
from rules.dots.field import OFF_FIELD, Field
from rules.dots.link_graph import LinkGraph, Segment, box
from rules.dots.planar_map import SCALE, Edge, PlanarMap, Segments, Way, area
from rules.game import Point

MAX_CHAIN_STEPS, MAX_TURN_STEPS = 10_000, 50_000
"""Steps that the search walks along borders for one chain, and for all chains of a turn.

Beyond, it leaves out the segment without which the border grows less, so the chain may not be the smallest.
MAX_CHAIN_STEPS later it gives up. In 23,000 chains of random thickets on 39x32 two needed more.
"""

Chain = tuple[Point, ...]


class _Search:
    """A search for one chain, which walked so many of the `allowed` steps."""

    def __init__(self, found: Chain | None, steps: int, allowed: int, way: Way) -> None:
        self.chain, self.steps, self._allowed, self._way = found, steps, allowed, way

    @cached_property
    def _met(self) -> set[Segment]:
        """The segments on which the result depends."""
        return self._way.met()

    @cached_property
    def _near(self) -> set[Point]:
        """The crossings in the boxes round these segments."""
        return {point for segment in self._met for point in box(*segment)}

    def answers(self, allowed: int) -> bool:
        """Returns whether a search with so many allowed steps would do the same."""
        return allowed == self._allowed or self.steps <= min(allowed, self._allowed)

    def is_same_on(self, graph: LinkGraph) -> bool:
        """Returns whether all the segments that it met are on a graph that has no others than that of the search."""
        if self._near.isdisjoint(graph.changed):
            return True
        return all(graph.changed.isdisjoint(box(*segment)) or graph.joins(*segment) for segment in self._met)


class SmallestChains:
    """The smallest chains of a player on a field; the search is bounded (see MAX_CHAIN_STEPS). Its results are kept.

    A base only takes segments from the player, unless it contains older ones. A search that met none of these segments
    before would do the same after it.
    """

    def __init__(self, field: Field, player: int) -> None:
        self._field, self._player = field, player
        self._before: SmallestChains | None = None
        self._closed: Enclosure | None = None
        self._searches: dict[Point, _Search] = {}

    def on(self, field: Field, closed: Enclosure) -> SmallestChains:
        """Returns the chains of the same player on a `field` that differs from this one by a base, `closed`."""
        other = SmallestChains(field, self._player)
        if len(field.bases) > len(self._field.bases):
            other._before, other._closed = self, closed
        return other

    @cached_property
    def _graph(self) -> LinkGraph:
        if self._before is None or self._closed is None:
            return LinkGraph(self._field, self._player)
        return self._before._graph.on(self._field, self._closed)

    @cached_property
    def _map(self) -> PlanarMap:
        return PlanarMap(self._graph)

    def chain_round(self, centre: Point, allowed: int = MAX_CHAIN_STEPS) -> Chain | None:
        """Returns the chain with the smallest area round an opponent's dot; None if there is none. Of equals the one
        with the fewest segments, and then the first in reading order; counterclockwise."""
        return self._search(centre, allowed).chain

    def _search(self, centre: Point, allowed: int) -> _Search:
        search = self._known(centre)
        if search is None or not search.answers(allowed):
            before, way = self._map.steps, self._map.begin()
            chain = self._find(centre, before + allowed)
            search = self._searches[centre] = _Search(chain, self._map.steps - before, allowed, way)
        return search

    def _known(self, centre: Point) -> _Search | None:
        """Returns a search that was made for this chain, here or before."""
        search = self._searches.get(centre)
        if search is None and self._before is not None:
            search = self._before._known(centre)
            if search is not None and search.is_same_on(self._graph):
                self._searches[centre] = search
            else:
                search = None
        return search

    def _find(self, centre: Point, limit: int) -> Chain | None:
        """Searches until the map has walked about `limit` steps in all."""
        nothing: Segments = frozenset()
        number = count()
        waiting: list[tuple[int, int, int, Segments, list[Edge]]] = []
        seen = set()
        found: list[tuple[int, int, list[tuple[int, int]], Chain]] = []

        def search(without: Segments) -> None:
            if without not in seen and self._map.steps <= limit + MAX_CHAIN_STEPS:
                seen.add(without)
                if border := self._map.border(centre, without):
                    heappush(waiting, (area(border), -len(without), next(number), without, border))

        search(nothing)
        while waiting and not (found and waiting[0][0] > found[0][0]):
            size, _, _, without, border = heappop(waiting)
            turn = self._turn(border)
            if turn is None:
                chain = self._dots(border)
                heappush(found, (size, len(chain), sorted((-dot.y, dot.x) for dot in chain), chain))
                continue
            exhausted = self._map.steps > limit
            if exhausted:
                waiting.clear()
            for segment in turn:
                search(without | {segment})
            if exhausted:
                del waiting[1:]
        return found[0][3] if found else None

    def chains_round(self, targets: set[int], max_steps: int = MAX_TURN_STEPS) -> Iterator[tuple[int, Chain]]:
        """Lists the smallest chains round all of `targets`, mostly each once. Crossings that no segment separates
        are in the same region: most dots reach the edge in this way."""
        left = max_steps
        field, grid = self._field, self._field.grid
        walls, separated = self._walls()
        seen: set[int] = set()
        for cell in sorted(targets):
            if cell in seen:
                continue
            seen.add(cell)
            region, grounded = [cell], cell in grid.outside
            for here in region:
                for step in grid.steps[::2]:
                    there = here + step
                    if (
                        field.placed[there] != OFF_FIELD
                        and there not in seen
                        and there not in walls
                        and (here, there) not in separated
                    ):
                        seen.add(there)
                        region.append(there)
                        grounded |= there in grid.outside
            if grounded:
                continue
            search = self._search(grid.point(cell), min(MAX_CHAIN_STEPS, max(0, left)))
            left -= search.steps
            if search.chain is not None:
                yield cell, search.chain

    def _walls(self) -> tuple[set[int], set[tuple[int, int]]]:
        """Returns the crossings that lie on segments, and the neighbours between which one passes."""
        grid = self._field.grid
        walls = {grid.index(dot) for dot in self._graph.dots}
        separated: set[tuple[int, int]] = set()
        for a, b in self._graph.all_segments():
            start, dx, dy = grid.index(a), b.x - a.x, b.y - a.y
            if dx % 2 == dy % 2 == 0:
                walls.add(start + grid.index(b) >> 1)
            elif abs(dx) == 1 and abs(dy) == 2:
                row = start + dy // 2 * grid.stride
                separated |= {(row, row + dx), (row + dx, row)}
            elif abs(dx) == 2 and abs(dy) == 1:
                column = start + dx // 2
                separated |= {(column, column + dy * grid.stride), (column + dy * grid.stride, column)}
        return walls, separated

    def _turn(self, border: list[Edge]) -> tuple[int, int] | None:
        """Returns the numbers of two segments between which a border turns at a crossing."""
        before = border[-1].number
        for edge in border:
            if before != edge.number and not self._map.is_dot(edge.vertex):
                return before, edge.number
            before = edge.number
        return None

    def _dots(self, border: list[Edge]) -> Chain:
        vertices = (edge.vertex for edge in border)
        return tuple(Point(x // SCALE, y // SCALE) for x, y in vertices if self._map.is_dot((x, y)))
