"""From a match and a code to the step of a turn, in any game."""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.match.turn.steps import dash, dots, typed_dash
from bot.features.match.turn.steps.step import TurnStep
from play.match.match import Match
from rules.dash import DashPosition
from rules.dots import DotsPosition, Turn
from rules.game import BadNotation
from rules.notation import parse_point
from rules.point import Point

RECENT_MOVES = 4
"""Moves whose places tell where the next one will probably go."""


def step_at(match: Match, code: str = "", reach: int | None = None) -> TurnStep | None:
    """Returns the step that `code` leads to; None for a game whose moves can only be typed.

    With `reach`, the first step of Dots offers only crossings that near to the last dot, if any. Raises
    RuleError for a code that leads nowhere: codes come from outside, and may be forged.
    """
    position = match.position
    if isinstance(position, DotsPosition):
        return dots.step_at(position, recent_points(match), code, reach)
    if isinstance(position, DashPosition):
        return dash.step_at(position, code)
    return None


def read_code(match: Match, typed: str, theme: str = "") -> str:
    """Returns what a player typed if it is a turn; in Dot Dash in its notation, or as the code of a turn that is begun.

    `theme` tells what names of colours mean. Raises BadNotation.
    """
    position = match.position
    if isinstance(position, DashPosition):
        return typed_dash.read_code(position, typed, theme)
    match.game.parse(typed)
    return typed


def leaves_choice(match: Match, code: str) -> bool:
    """Returns whether a turn of Dot Dash cannot be played yet, or its player has not said which fives count.

    Raises RuleError.
    """
    step = step_at(match, code) if isinstance(match.position, DashPosition) else None
    return step is not None and (step.complete_turn is None or (bool(step.options) and " five " not in code))


def encode(match: Match, typed: str, max_length: int) -> str | None:
    """Returns the code of a legal turn; None if it is longer than `max_length` characters. Raises RuleError."""
    position, move = match.position, match.game.parse(typed)
    code = dots.encode(position, move) if isinstance(position, DotsPosition) and isinstance(move, Turn) else str(move)
    return code if len(code) <= max_length else None


def recent_points(match: Match) -> Sequence[Point]:
    """Returns where the last moves were played, the newest last."""
    found = []
    for event in match.moves[-RECENT_MOVES:]:
        try:
            found.append(parse_point(event.text.partition(" ")[0].partition("-")[0]))
        except BadNotation:
            continue  # a turn without a crossing, such as STOP
    return found
