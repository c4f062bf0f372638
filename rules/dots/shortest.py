"""The chain with the fewest dots round a closed face: the option `length` of RULES section 1 (Sport Dots).

A shortest chain round a point is a shortest closed walk of dots that winds round it once. The winding is counted where
a walk crosses a ray from the point to the right, just above the point's row: up is +1, down -1. A walk is built dot by
dot in layers of equal length, and of the walks that lead to the same dot with the same winding only the best is kept:
the smaller area and then, among equals, the one whose dots come first in reading order. All of it adds up along a walk.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.dots.grid import Grid
from rules.game import Point


class _Walk(NamedTuple):
    """The best walk so far to a dot: compared by area, then by order, never by its dots."""

    area: int
    order: int
    dots: tuple[int, ...]


def shortest_chain(grid: Grid, alive: bytearray, player: int, inside: int, longest: int) -> tuple[int, ...]:
    """The shortest chain of `player` round the crossing `inside`, counterclockwise. One of `longest` dots is known."""
    centre = grid.point(inside)
    best: _Walk | None = None
    for start in range(inside + 1, inside + grid.width - centre.x):
        if alive[start] == player:
            found = _round(grid, alive, player, start, centre, longest)
            if found and (not best or (len(found.dots), found) < (len(best.dots), best)):
                best, longest = found, len(found.dots)
    assert best is not None, "the face is closed"
    return best.dots


def _round(grid: Grid, alive: bytearray, player: int, start: int, centre: Point, longest: int) -> _Walk | None:
    """The best walk from `start`, on the ray, upwards and round `centre` back to it, of at most `longest` dots."""
    points, home = grid.points, grid.points[start]
    first = _Walk(0, _order(grid, home), (start,))
    seen = {(start, 0)}
    layer = {(start, 0): first}
    for length in range(2, longest + 2):
        following: dict[tuple[int, int], _Walk] = {}
        for (cell, winding), walk in layer.items():
            at = points[cell]
            for step in grid.steps if length > 2 else grid.steps[1:4]:
                after = cell + step
                if alive[after] != player:
                    continue
                to = points[after]
                key = (after, winding + _wound(at, to, centre))
                area = walk.area + at.x * to.y - to.x * at.y
                if key == (start, 1):
                    reached = _Walk(area, walk.order, walk.dots)
                elif key not in seen and max(abs(to.x - home.x), abs(to.y - home.y)) <= longest + 1 - length:
                    reached = _Walk(area, walk.order + _order(grid, to), (*walk.dots, after))
                else:
                    continue
                following[key] = min(following.get(key, reached), reached)
        if (start, 1) in following:
            return following[start, 1]
        seen.update(following)
        layer = following
    return None


def _wound(at: Point, to: Point, centre: Point) -> int:
    """Whether a step crosses the ray upwards (1), downwards (-1) or not at all."""
    if at.y == centre.y and to.y == centre.y + 1 and at.x > centre.x:
        return 1
    if at.y == centre.y + 1 and to.y == centre.y and to.x > centre.x:
        return -1
    return 0


def _order(grid: Grid, dot: Point) -> int:
    """Less, the earlier in reading order: of two sets of dots, that with the first dot not in both sums up to less."""
    return -(1 << (grid.width * dot.y + grid.width - 1 - dot.x))
