"""Chooses a move in any game through its rules alone."""

from __future__ import annotations

from opponent.budget import Budget
from opponent.choice import Choice
from opponent.generic.dash import DashKnowledge
from opponent.generic.dots import DotsKnowledge
from opponent.generic.far import FarKnowledge
from opponent.generic.search import Search
from opponent.levels import level_of
from rules.dash import DashPosition
from rules.dots import DotsPosition, Links
from rules.game import AnyPosition


def choose(position: AnyPosition, budget: Budget, seed: int, level: int) -> Choice:
    """Returns the best move that `budget` allows to find for the player to act. With a budget of nodes equal
    arguments give equal moves. Dots have automatic closing or far links here; the rest is in `opponent.choose`."""
    oversight = level_of(level).oversight
    if isinstance(position, DashPosition):
        dash = DashKnowledge(position.rules, seed)
        return Search(dash, dash.first(position), seed, oversight).run(budget)
    if not isinstance(position, DotsPosition):
        raise TypeError(f"no knowledge of {type(position).__name__}")
    dots = (FarKnowledge if position.rules.links is Links.FAR else DotsKnowledge)(position.rules)
    return Search(dots, dots.first(position), seed, oversight).run(budget)
