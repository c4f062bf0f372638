"""The prior of a dot: its patterns and weights."""

from __future__ import annotations

import numpy as np
import pytest

from opponent.dots.field import empty, place
from opponent.dots.move_prior import PATTERNS, RING, SHAPES, THREES, features, move_prior
from opponent.dots.move_weights import WEIGHTS

STRIDE = 21


def prior(mine: list[tuple[int, int]], theirs: list[tuple[int, int]], dot: tuple[int, int]) -> float:
    """Returns the prior of a dot on 20x20, each named by column and row from 1."""
    field = empty(20, 20)
    for player, dots in enumerate((mine, theirs)):
        for x, y in dots:
            place(field, player, x + y * STRIDE)
    return move_prior(field, 0, dot[0] + dot[1] * STRIDE, 0, 0, 1, np.zeros(64, np.int64))


def shape(mine: int, theirs: int) -> int:
    return int(SHAPES[THREES[mine] + 2 * THREES[theirs]])


def test_each_pattern_of_neighbours_has_a_number_and_each_feature_a_weight() -> None:
    numbers = {shape(mine, theirs) for mine in range(256) for theirs in range(256) if not mine & theirs}
    assert numbers == set(range(PATTERNS))
    assert len(WEIGHTS) == RING + PATTERNS
    assert np.isfinite(WEIGHTS).all()


@pytest.mark.parametrize("walls", [0b1, 0b10, 0b1011, 0b11010010])
def test_a_pattern_keeps_its_number_when_turned_but_not_when_colours_change(walls: int) -> None:
    quarter = (walls << 2 | walls >> 6) & 255
    assert shape(walls, 0) == shape(quarter, 0) != shape(0, walls)


def test_a_pattern_keeps_its_number_when_mirrored() -> None:
    assert shape(0b10, 0b1000) == shape(0b10000000, 0b100000)  # up and down exchanged


def test_the_prior_is_the_same_in_all_corners() -> None:
    mine, theirs, dot = [(3, 4), (5, 4), (4, 6)], [(4, 4), (7, 7)], (4, 3)
    turned = [prior([(21 - y, x) for x, y in mine], [(21 - y, x) for x, y in theirs], (21 - dot[1], dot[0]))]
    mirrored = [prior([(21 - x, y) for x, y in mine], [(21 - x, y) for x, y in theirs], (21 - dot[0], dot[1]))]
    assert turned + mirrored == pytest.approx([prior(mine, theirs, dot)] * 2)


def test_a_dot_that_captures_or_saves_is_likelier_than_any_other_beside() -> None:
    around, inside = [(9, 10), (11, 10), (10, 9)], [(10, 10)]
    near = [(x, y) for x in range(8, 13) for y in range(8, 13) if (x, y) not in {*around, *inside, (10, 11)}]
    for mine, theirs in ((around, inside), (inside, around)):
        assert prior(mine, theirs, (10, 11)) > max(prior(mine, theirs, dot) for dot in near)


def test_a_dot_on_the_edge_lists_no_feature_twice() -> None:
    field, found = empty(20, 20), np.zeros(64, np.int64)
    place(field, 1, 1 + STRIDE)
    count = features(field, 0, 2 + STRIDE, 1 + STRIDE, 0, 1, found)
    assert len(set(found[:count].tolist())) == count
    assert found[:count].max() < len(WEIGHTS)
