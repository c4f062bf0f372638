"""The eighths of the squares against a plain test of points in the polygon."""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import cos, pi, sin

import pytest

from renderer.tile import crossings
from rules.game import Area, Point, Seat


def random_ring(seed: int) -> tuple[Point, ...]:
    """Returns the outline of a random heap of unit squares without holes or pinches, some of its corners cut."""
    luck = random.Random(seed)
    while True:
        squares = {(5, 5)}
        for _ in range(luck.randrange(4, 30)):
            x, y = luck.choice(sorted(squares))
            dx, dy = luck.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
            squares.add((x + dx, y + dy))
        steps: dict[Point, list[Point]] = {}
        for x, y in squares:
            corners = [Point(x, y), Point(x + 1, y), Point(x + 1, y + 1), Point(x, y + 1)]
            sides = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
            for k, side in enumerate(sides):
                if side not in squares:
                    steps.setdefault(corners[k], []).append(corners[(k + 1) % 4])
        ring = [min(steps)]
        while (following := steps[ring[-1]][0]) != ring[0] and len(steps[ring[-1]]) == 1:
            ring.append(following)
        if len(ring) == len(steps) and all(len(ends) == 1 for ends in steps.values()):
            return _cut(ring, luck)


def _cut(ring: list[Point], luck: random.Random) -> tuple[Point, ...]:
    """Leaves out corner dots whose neighbours are one diagonal step apart and are kept themselves."""
    kept, taken = [], set(ring)
    for k, point in enumerate(ring):
        before, after = ring[k - 1], ring[(k + 1) % len(ring)]
        turns = before.x != after.x and before.y != after.y
        if turns and {before, after} <= taken and len(taken) > 4 and luck.random() < 0.6:
            taken.discard(point)
        else:
            kept.append(point)
    return tuple(kept)


def holds(ring: tuple[Point, ...], x: float, y: float) -> bool:
    odd = False
    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
        if (a.y > y) != (b.y > y) and x < a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y):
            odd = not odd
    return odd


def around(numbers: Iterable[int]) -> range:
    """Returns the numbers from one below the lowest to one above the highest."""
    low, *_, high = sorted(numbers)
    return range(low - 1, high + 2)


@pytest.mark.parametrize("seed", range(60))
def test_octants_are_covered_exactly_where_their_middles_lie_in_the_ring(seed: int) -> None:
    ring = random_ring(seed)
    found = crossings([Area(Seat(0), ring)])
    covered = {(point, k) for point, crossing in found.items() for k in range(8) if crossing.octants[k]}
    assert covered == {
        (Point(x, y), k)
        for x in around(point.x for point in ring)
        for y in around(point.y for point in ring)
        for k in range(8)
        if holds(ring, x + 0.3 * cos((k + 0.5) * pi / 4), y + 0.3 * sin((k + 0.5) * pi / 4))
    }


def test_a_crossing_knows_its_links_and_the_chains_at_its_corners() -> None:
    found = crossings([Area(Seat(1), (Point(2, 1), Point(1, 2), Point(0, 1), Point(1, 0)))])
    assert bytes(found[Point(2, 1)].links) == bytes([0, 0, 0, 2, 0, 2, 0, 0])
    assert bytes(found[Point(1, 1)].corners) == bytes([2, 2, 2, 2])
    assert bytes(found[Point(2, 2)].corners) == bytes([0, 0, 2, 0])
