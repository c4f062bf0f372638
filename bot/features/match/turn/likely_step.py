"""The steps of a turn, with the crossings where the next dot will probably go first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import exp

from opponent.suggest.point_ranking import rank_points
from play.match.match import Match
from play.turns import TurnStep, step_at
from rules.dots import DotsPosition
from rules.point import Point


def likely_step(match: Match, code: str = "", reach: int | None = None) -> TurnStep | None:
    """Returns the step that `code` leads to, as `step_at` does, with the chances of its crossings.

    With `reach`, the first step of Dots offers only crossings that near to the last dot, if any. Raises RuleError.
    """
    return step_at(match, code, partial(_rank, reach=reach))


def _rank(position: DotsPosition, recent: Sequence[Point], reach: int | None) -> Mapping[Point, float]:
    ranked = rank_points(position, recent, reach) or rank_points(position, recent)
    best = ranked[0].weight if ranked else 0.0
    return {one.point: exp(one.weight - best) for one in ranked}
