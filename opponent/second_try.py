"""A second try of a position: whether another turn is as good as the one that a review has found."""

from __future__ import annotations

from typing import NamedTuple

from opponent.budget import Budget
from opponent.generic.knowledge import leads
from opponent.levels import HARDEST
from opponent.review import MILLIS, MIN_GAP, NODES, Think
from rules.game import AnyPosition


class Verdict(NamedTuple):
    """Whether a turn is as good, and the reply that is expected to it; empty where there is none."""

    good: bool
    reply: str


async def judge_turn(after: AnyPosition, mover: int, value: float, seed: int, think: Think) -> Verdict:
    """Judges the turn of `mover` that has led to the position `after`; a good one leads to the expected lead `value`.

    The search is that of a review, whose value it is compared with. For two players.
    """
    if after.outcome:
        return Verdict(leads(after.score)[mover] > value - MIN_GAP, "")
    choice = await think(after, Budget(NODES, MILLIS, fresh=True), seed, HARDEST)
    lead = choice.value if after.to_act == mover else -choice.value
    return Verdict(lead > value - MIN_GAP, choice.move if after.to_act != mover else "")
