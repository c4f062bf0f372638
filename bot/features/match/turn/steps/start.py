"""From a match and what was begun to the next step, whatever the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.features.match.turn.steps import dash, dots
from bot.features.match.turn.steps.step import Step
from rules.dash import DashPosition
from rules.dots import DotsPosition, Turn
from rules.game import BadNotation
from rules.notation import parse_point
from rules.point import Point

if TYPE_CHECKING:
    from play.match.match import Match


def step_at(match: Match, begun: str = "", reach: int | None = None) -> Step | None:
    """The step that `begun` has led to; None for a game that can only be typed. With `reach` the first step of Dots
    knows the crossings alone that lie so near to the last dot, if there are any.

    Raises RuleError for what cannot be begun: a code is as trustworthy as whoever sent it.
    """
    position = match.position
    if isinstance(position, DotsPosition):
        return dots.step(position, recent_points(match), begun, reach)
    if isinstance(position, DashPosition):
        return dash.step(position, begun)
    return None


def encode(match: Match, typed: str, room: int) -> str | None:
    """The code of a legal turn, of at most `room` characters; None if it takes more. Raises RuleError."""
    position, move = match.position, match.game.parse(typed)
    code = dots.code(position, move) if isinstance(position, DotsPosition) and isinstance(move, Turn) else str(move)
    return code if len(code) <= room else None


def recent_points(match: Match) -> Sequence[Point]:
    """Where the last turns were played, the newest last."""
    found = []
    for event in match.moves[-4:]:
        try:
            found.append(parse_point(event.text.partition(" ")[0].partition("-")[0]))
        except BadNotation:
            continue  # a turn without a place, such as STOP
    return found
