"""Starting positions (docs/rules-reference.md, Starts): the dots on the field before the first move, seat by seat."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.dots.options import Setup
from rules.point import Point, Seat

Stones = tuple[tuple[Seat, Point], ...]

SINGLE = ("01", "10")
DOUBLE = ("0110", "1001")
"""Rows from the top, a digit for the seat of each dot."""

_FOUR_ON_USUAL_PAGE = ((11, 10), (26, 10), (26, 20), (11, 20))


def stones(setup: Setup, width: int, height: int) -> Stones:
    """Returns the dots of a fixed set-up. Rows are counted from the top here, as on the rules page."""
    if setup is Setup.CROSS:
        return _placed(SINGLE, ((width // 2 - 1, height // 2 - 1),), height)
    if setup is Setup.DOUBLE:
        return _placed(DOUBLE, ((width // 2 - 2, height // 2 - 1),), height)
    if setup is Setup.FOUR:
        if (width, height) == (39, 32):
            return _placed(SINGLE, _FOUR_ON_USUAL_PAGE, height)
        left, top = (width - 3) // 3, (height - 3) // 3
        right, bottom = width - 2 - left, height - 2 - top
        return _placed(SINGLE, ((left, top), (right, top), (right, bottom), (left, bottom)), height)
    return ()


def random_stones(setup: Setup, width: int, height: int, crosses: int, seed: int) -> Stones:
    """Returns `crosses` crosses in random places, at least one crossing between any two, away from the edge."""
    pattern = SINGLE if setup is Setup.RANDOM else DOUBLE
    chance = random.Random(seed)  # noqa: S311 - a set-up is no secret
    free = list(_places(pattern, width, height))
    corners = []
    for _ in range(crosses):
        corner = chance.choice(free)
        corners.append(corner)
        free = [place for place in free if not _touch(pattern, place, corner)]
    return _placed(pattern, tuple(corners), height)


def handicap_stones(count: int, width: int, height: int, others: Stones) -> Stones:
    """Returns `count` extra dots of the first seat: on the quarter points in the order of go, or on the free crossing
    nearest to each (the lower, then the left one of several). `others` are the dots that are there already."""
    x, y = width // 4, height // 4
    right, top, middle, centre = width - 1 - x, height - 1 - y, width // 2, height // 2
    corners = ((x, y), (right, top), (right, y), (x, top))
    sides = ((x, centre), (right, centre), (middle, y), (middle, top))
    taken, found = {point for _, point in others}, []
    for column, row in (*corners, *sides)[:count]:
        nearest: Point | None = Point(column, row)
        if nearest in taken:
            free = (Point(i, j) for j in range(height) for i in range(width) if Point(i, j) not in taken)
            nearest = min(free, key=lambda point: (point.x - column) ** 2 + (point.y - row) ** 2, default=None)
        if nearest is not None:
            taken.add(nearest)
            found.append((Seat(0), nearest))
    return tuple(found)


def room_for(setup: Setup, width: int, height: int) -> int:
    """Returns how many random crosses always find room, in any places of the first ones."""
    pattern = SINGLE if setup is Setup.RANDOM else DOUBLE
    places = set(_places(pattern, width, height))
    spoilt = (2 * len(pattern[0]) + 1) * (2 * len(pattern) + 1)
    return -(-len(places) // spoilt)


def _places(pattern: tuple[str, ...], width: int, height: int) -> Iterator[tuple[int, int]]:
    margin = min(width, height) // 5
    for y in range(margin, height - margin - len(pattern) + 1):
        for x in range(margin, width - margin - len(pattern[0]) + 1):
            yield x, y


def _touch(pattern: tuple[str, ...], one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) <= len(pattern[0]) and abs(one[1] - other[1]) <= len(pattern)


def _placed(pattern: tuple[str, ...], corners: tuple[tuple[int, int], ...], height: int) -> Stones:
    return tuple(
        (Seat(int(digit)), Point(x + dx, height - 1 - y - dy))
        for x, y in corners
        for dy, row in enumerate(pattern)
        for dx, digit in enumerate(row)
    )
