"""The threats by which the computer is measured: the marked dots win, and no others."""

from __future__ import annotations

import pytest

from opponent.dots.field import from_rows
from rules.game import parse_point
from tests.opponent.dots.forks import winning_dots
from tests.opponent.dots.hunt import cell_of
from tests.opponent.dots.problems import Diagram
from tests.opponent.dots.threats import LEAST, THREE_DOTS, TWO_DOTS

CASES = [(2, diagram) for diagram in TWO_DOTS] + [(3, diagram) for diagram in THREE_DOTS]


@pytest.mark.sample(5)
@pytest.mark.parametrize(("dots", "diagram"), CASES)
def test_only_the_marked_dots_make_a_capture_unavoidable(dots: int, diagram: Diagram) -> None:
    problem = diagram.problem
    field = from_rows(problem.position.rows(), (0, 0))
    marked = sorted(cell_of(field, parse_point(answer)) for answer in problem.answers)
    assert sorted(winning_dots(field, 0, dots, LEAST)) == marked
    assert not winning_dots(field, 0, dots - 1, LEAST)


def test_there_are_21() -> None:
    assert len(CASES) == 21
