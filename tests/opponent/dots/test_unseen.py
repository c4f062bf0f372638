"""The positions of its own games that the strongest level misjudged."""

from __future__ import annotations

import pytest

from opponent.choice import Budget
from rules.game import parse_point
from tests.opponent.dots.unseen import UNSEEN, choices, last_position


@pytest.mark.parametrize(("name", "capture"), UNSEEN.items())
def test_the_unseen_dot_captures_four(name: str, capture: str) -> None:
    assert last_position(name).consequences_of(parse_point(capture)).captures == 4


def test_each_seed_is_a_choice_of_its_own() -> None:
    assert len(choices("capture-unseen", Budget(nodes=30), seeds=3)) == 3
