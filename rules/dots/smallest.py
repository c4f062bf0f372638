"""The smallest chains of far links (docs/rules-reference.md, Far links).

The segments that a player may draw cross each other, so no walk along walls finds the smallest chain. But no chain
round a dot is smaller than the border of the dot's region (`rules.dots.planar_map`). Where that border turns from one
segment into another at a crossing, there is no dot: a chain may use at most one of the two.

So the search leaves out either, and looks again, always at the smallest border so far. The first border that turns on
dots alone is the smallest chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from rules.dots.field import OFF_FIELD
from rules.dots.link_graph import LinkGraph
from rules.dots.planar_map import SCALE, Edge, PlanarMap, Segments, area
from rules.dots.segments import Segment
from rules.point import Point

MAX_CHAIN_STEPS, MAX_TURN_STEPS = 10_000, 50_000
"""Steps that the search walks along borders for one chain, and for all chains of a turn.

Beyond, it leaves out the segment without which the border grows less, so the chain may not be the smallest.
MAX_CHAIN_STEPS later it gives up. In 23,000 chains of random thickets on 39x32 two needed more.
"""

Chain = tuple[Point, ...]


class SmallestChains:
    """The smallest chains of a graph; the search is bounded (see MAX_CHAIN_STEPS)."""

    def __init__(self, graph: LinkGraph, max_steps: int = MAX_TURN_STEPS) -> None:
        self._graph = graph
        self._max_steps = max_steps
        self._map = PlanarMap(graph)

    def chain_round(self, centre: Point) -> Chain | None:
        """Returns the chain with the smallest area round an opponent's dot; None if there is none. Of equals the one
        with the fewest segments, and then the first in reading order; counterclockwise."""
        limit = self._map.steps
        limit += min(MAX_CHAIN_STEPS, max(0, self._max_steps - limit))
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

    def chains_round(self, targets: set[int]) -> Iterator[tuple[int, Chain]]:
        """Lists the smallest chains round all of `targets`, mostly each once. Crossings that no segment separates
        are in the same region: most dots reach the edge in this way."""
        field, grid = self._graph.field, self._graph.field.grid
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
            if not grounded and (chain := self.chain_round(grid.point(cell))):
                yield cell, chain

    def _walls(self) -> tuple[set[int], set[tuple[int, int]]]:
        """Returns the crossings that lie on segments, and the neighbours between which one passes."""
        grid = self._graph.field.grid
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

    def _turn(self, border: list[Edge]) -> tuple[Segment, Segment] | None:
        """Returns two segments between which a border turns at a crossing."""
        before = border[-1].segment
        for edge in border:
            if before != edge.segment and not self._map.is_dot(edge.vertex):
                return before, edge.segment
            before = edge.segment
        return None

    def _dots(self, border: list[Edge]) -> Chain:
        vertices = (edge.vertex for edge in border)
        return tuple(Point(x // SCALE, y // SCALE) for x, y in vertices if self._map.is_dot((x, y)))
