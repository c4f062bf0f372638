"""The shapes of a picture."""

from __future__ import annotations

import pytest

from rules.game import Point, Zone


@pytest.mark.parametrize(
    ("point", "low", "high"),
    [
        ((20, 15), (16, 11), (24, 19)),
        ((0, 0), (0, 0), (8, 8)),
        ((38, 31), (30, 23), (38, 31)),
        ((2, 30), (0, 23), (8, 31)),
    ],
)
def test_the_zone_around_a_point_is_moved_into_the_field(
    point: tuple[int, int], low: tuple[int, int], high: tuple[int, int]
) -> None:
    assert Zone.around(Point(*point), 4, 39, 32) == Zone(Point(*low), Point(*high))


def test_the_zone_around_a_point_is_cut_to_a_small_field() -> None:
    assert Zone.around(Point(3, 6), 4, 5, 7) == Zone(Point(0, 0), Point(4, 6))


def test_a_zone_holds_its_corners_and_nothing_beyond() -> None:
    zone = Zone(Point(2, 3), Point(4, 5))
    assert zone.contains(Point(2, 3))
    assert zone.contains(Point(4, 5))
    assert not zone.contains(Point(5, 5))
    assert not zone.contains(Point(2, 2))
