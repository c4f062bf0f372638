"""The smallest chains of far links (RULES section 5).

The sections that a player may draw cross each other, so no walk along walls finds the smallest chain. But no chain
round a dot is smaller than the border of the dot's country (see rules/dots/planar_map.py). Where that border turns from
one section into another at a crossing, no dot stands: a chain may use at most one of the two. So the search leaves out
either, and looks again, always at the smallest border so far; the first border that turns on dots alone is the smallest
chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from rules.dots.field import OFF_FIELD
from rules.dots.link_graph import Web
from rules.dots.planar_map import SCALE, Countries, Edge, Sections, area
from rules.dots.segments import Section
from rules.point import Point

MOST_STEPS, MOST_IN_ALL = 10_000, 50_000
"""How far the search walks along borders for one chain, and for all chains of a turn. Beyond, it leaves out whichever
of two sections makes the border grow less, so that the chain may not be the smallest; MOST_STEPS later it gives up."""

Chain = tuple[Point, ...]


class Smallest:
    """The smallest chains that can be made of a web; its patience ends (see MOST_STEPS)."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._countries = Countries(web)

    def chain_round(self, centre: Point) -> Chain | None:
        """The chain with the smallest area round a dot of somebody else, of these with the fewest sections and then
        the first in reading order; counterclockwise. None if there is none."""
        patience = self._countries.steps
        patience += min(MOST_STEPS, max(0, MOST_IN_ALL - patience))
        nothing: Sections = frozenset()
        number = count()
        waiting: list[tuple[int, int, int, Sections, list[Edge]]] = []
        seen = set()
        found: list[tuple[int, int, list[tuple[int, int]], Chain]] = []

        def look(without: Sections) -> None:
            if without not in seen and self._countries.steps <= patience + MOST_STEPS:
                seen.add(without)
                if border := self._countries.border(centre, without):
                    heappush(waiting, (area(border), -len(without), next(number), without, border))

        look(nothing)
        while waiting and not (found and waiting[0][0] > found[0][0]):
            size, _, _, without, border = heappop(waiting)
            turn = self._turn(border)
            if turn is None:
                chain = self._dots(border)
                heappush(found, (size, len(chain), sorted((-dot.y, dot.x) for dot in chain), chain))
                continue
            tired = self._countries.steps > patience
            if tired:
                waiting.clear()
            for section in turn:
                look(without | {section})
            if tired:
                del waiting[1:]
        return found[0][3] if found else None

    def chains_round(self, prey: set[int]) -> Iterator[tuple[int, Chain]]:
        """The smallest chains round all of `prey`, mostly each once.

        Crossings that no section parts are in the same country: most dots can so leave for the edge.
        """
        field, grid = self._web.field, self._web.field.grid
        walls, parted = self._walls()
        seen: set[int] = set()
        for cell in sorted(prey):
            if cell in seen:
                continue
            seen.add(cell)
            country, grounded = [cell], cell in grid.outside
            for here in country:
                for step in grid.steps[::2]:
                    there = here + step
                    if (
                        field.placed[there] != OFF_FIELD
                        and there not in seen
                        and there not in walls
                        and (here, there) not in parted
                    ):
                        seen.add(there)
                        country.append(there)
                        grounded |= there in grid.outside
            if not grounded and (chain := self.chain_round(grid.point(cell))):
                yield cell, chain

    def _walls(self) -> tuple[set[int], set[tuple[int, int]]]:
        """The crossings that lie on sections, and the neighbours between which one passes."""
        grid = self._web.field.grid
        walls = {grid.index(dot) for dot in self._web.dots}
        parted: set[tuple[int, int]] = set()
        for a, b in self._web.all_sections():
            start, dx, dy = grid.index(a), b.x - a.x, b.y - a.y
            if dx % 2 == dy % 2 == 0:
                walls.add(start + grid.index(b) >> 1)
            elif abs(dx) == 1 and abs(dy) == 2:
                row = start + dy // 2 * grid.stride
                parted |= {(row, row + dx), (row + dx, row)}
            elif abs(dx) == 2 and abs(dy) == 1:
                column = start + dx // 2
                parted |= {(column, column + dy * grid.stride), (column + dy * grid.stride, column)}
        return walls, parted

    def _turn(self, border: list[Edge]) -> tuple[Section, Section] | None:
        """Two sections between which a border turns at a crossing."""
        before = border[-1].section
        for edge in border:
            if before != edge.section and not self._countries.is_dot(edge.vertex):
                return before, edge.section
            before = edge.section
        return None

    def _dots(self, border: list[Edge]) -> Chain:
        vertices = (edge.vertex for edge in border)
        return tuple(Point(x // SCALE, y // SCALE) for x, y in vertices if self._countries.is_dot((x, y)))
