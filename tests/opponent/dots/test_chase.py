"""Captures that can be forced, against the exact solvers of the ladders and of the threats."""

from __future__ import annotations

import numpy as np
import pytest

from opponent.dots.arrays import SIZE, STRIDE, copy
from opponent.dots.chase import FIELDS, FOUND, chase
from opponent.dots.field import from_rows
from rules.dots import DotsPosition
from rules.notation import point_name
from rules.point import Point
from tests.opponent.dots.ladders import BROKEN, LADDERS, Ladder
from tests.opponent.dots.problems import NET

TRIES = 400


def forced(position: DotsPosition, near: Point | None = None, tries: int = TRIES) -> tuple[str, int]:
    """Returns the dot that forces a capture, and how many dots it captures; ("", 0) if there is none."""
    rooms, found = np.zeros((FIELDS, SIZE), np.int16), np.zeros(FOUND, np.int64)
    field = from_rows(position.rows(), (0, 0))
    copy(field, rooms[0])
    stride = int(field[STRIDE])
    cell, won = chase(rooms, found, int(position.to_act), (near.y + 1) * stride + near.x + 1 if near else 0, tries)
    return (point_name(Point(cell % stride - 1, cell // stride - 1)) if cell else "", won)


@pytest.mark.parametrize("ladder", LADDERS, ids=str)
def test_a_ladder_that_works_captures_the_prey_and_all_that_fled(ladder: Ladder) -> None:
    dot, won = forced(ladder.position)
    assert won >= ladder.prey + ladder.steps - 1
    assert ladder.is_played_through(lambda position: forced(position)[0] or "A1")
    assert dot


@pytest.mark.parametrize("ladder", BROKEN, ids=str)
def test_a_ladder_that_fails_is_no_chase(ladder: Ladder) -> None:
    assert forced(ladder.position) == ("", 0)


def test_a_quiet_net_is_no_chase() -> None:
    assert forced(NET.problem.position)[1] == 0


def test_a_chase_that_needs_more_dots_than_may_be_tried_is_not_found() -> None:
    assert forced(LADDERS[-1].position, tries=3) == ("", 0)


def test_only_dots_near_a_crossing_begin_a_chase_there() -> None:
    position = LADDERS[0].position
    assert forced(position, near=LADDERS[0].first) == forced(position)
    assert forced(position, near=Point(0, 0)) == ("", 0)
