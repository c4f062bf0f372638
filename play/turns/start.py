"""From a match and a code to the step of a turn, in any game."""

from collections.abc import Sequence
from typing import NamedTuple

from play.match.events import Event, EventKind
from play.match.match import Match
from play.turns import dash, dots
from play.turns.step import CHOSEN, TurnStep
from rules.dash import DashPosition
from rules.dots import DotsPosition, Turn
from rules.game import BadNotation, Point, parse_point

RECENT_MOVES = 4
"""Moves whose places tell where the next one will probably go."""


class ClosingTurn(NamedTuple):
    """A turn in its notation, and the dots that it captures."""

    turn: str
    dots: int


def step_at(match: Match, code: str = "", rank: dots.Rank = dots.rank_alike) -> TurnStep | None:
    """Returns the step that `code` leads to; None for a game whose moves can only be typed.

    `rank` tells how likely the crossings of the first step of Dots are. Raises RuleError for a code that leads nowhere:
    codes come from outside, and may be forged.
    """
    position = match.position
    if isinstance(position, DotsPosition):
        return dots.step_at(position, _recent_moves(match), code, rank)
    if isinstance(position, DashPosition):
        return dash.step_at(position, code)
    return None


def step_in(
    position: DotsPosition, recent: Sequence[Point], code: str = "", rank: dots.Rank = dots.rank_alike
) -> TurnStep:
    """Returns the step of a `code` in a position without a match, after the `recent` dots. Raises RuleError."""
    return dots.step_at(position, dots.RecentMoves(recent), code, rank)


def leaves_choice(match: Match, code: str) -> bool:
    """Returns whether a turn of Dot Dash cannot be played yet, or its player has not said which fives count.

    Raises RuleError.
    """
    step = step_at(match, code) if isinstance(match.position, DashPosition) else None
    return step is not None and (step.complete_turn is None or (step.asks and " five " not in code))


def code_of(match: Match, steps: Sequence[str]) -> str:
    """Returns the code of a turn that a player has entered in these steps.

    The first may be a crossing, and so may what a chain or a dash goes on with; any other step is a code itself.
    Raises BadNotation for what can be no code.
    """
    code = ""
    for step in steps:
        if isinstance(match.position, DotsPosition):
            code = dots.go_on(match.position, code, step)
        elif isinstance(match.position, DashPosition):
            code = dash.go_on(match.position, code, step)
        else:
            raise BadNotation("no_turn")
    return code


def landings(match: Match, code: str) -> list[Point]:
    """Returns where the stone of a dash that is begun may land; nothing for any other code."""
    return dash.landings(match.position, code) if isinstance(match.position, DashPosition) else []


def encode(match: Match, typed: str, max_length: int) -> str | None:
    """Returns the code of a legal turn; None if it is longer than `max_length` characters. Raises RuleError."""
    position, move = match.position, match.game.parse(typed)
    code = dots.encode(position, move) if isinstance(position, DotsPosition) and isinstance(move, Turn) else str(move)
    return code if len(code) <= max_length else None


def chooses_closings(match: Match) -> bool:
    """Returns whether the players choose what their dots close."""
    return isinstance(match.position, DotsPosition) and dots.chooses_closings(match.position)


def choose_closings(match: Match, typed: str) -> ClosingTurn | None:
    """Returns a dot with what it could close and its player has not been asked about.

    Returns None if there is nothing, and for a turn that says what it closes. Raises RuleError.
    """
    turn = match.game.parse(typed)
    if not isinstance(turn, Turn) or turn != Turn(turn.dot):
        return None
    step = step_at(match, f"{turn}{CHOSEN}")
    if step is None or step.complete_turn in (None, str(turn)):
        return None
    captured = next((effect.details["count"] for effect in step.effects if effect.key == "captures"), 0)
    return ClosingTurn(step.complete_turn, int(captured))


def recent_points(match: Match) -> Sequence[Point]:
    """Returns where the last moves were played, the newest last."""
    return _points(match.moves[-RECENT_MOVES:])


def _recent_moves(match: Match) -> dots.RecentMoves:
    mover, moves = match.position.to_act, match.moves
    made = [number for number, event in enumerate(moves, 1) if event.seat == mover and event.kind is EventKind.MOVE]
    return dots.RecentMoves(recent_points(match), _points(moves[made[-1] :]) if made else None)


def _points(moves: Sequence[Event]) -> Sequence[Point]:
    found = []
    for event in moves:
        try:
            found.append(parse_point(event.text.partition(" ")[0].partition("-")[0]))
        except BadNotation:
            continue  # a turn without a crossing, such as STOP
    return found
