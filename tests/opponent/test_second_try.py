"""A second try is right if its lead is nearly that of the better move."""

from __future__ import annotations

import pytest

from opponent.choice import HARDEST, Budget, Choice
from opponent.review import judge_turn
from rules.game import AnyPosition
from rules.registry import make_game

AFTER = make_game("zagram", {"size": "5x5"}).start(0).play(make_game("zagram", {"size": "5x5"}).parse("A1"))
"""The opponent, seat 1, is to move."""


@pytest.mark.parametrize(("rival", "good"), [(-3.0, True), (-2.6, True), (-2.4, False), (3.0, False)])
async def test_a_turn_is_judged_by_the_lead_after_it(rival: float, good: bool) -> None:
    async def think(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        return Choice("B2", rival, 0.5)

    assert await judge_turn(AFTER, 0, 3.0, 0, think) == (good, "B2")
