"""Simulated solvers of exercises, who find a step as often as Glicko expects of their strength."""

from __future__ import annotations

from random import Random

from play.community.solving import Solving

FOUND_LATER = 0.5
"""How likely one who did not find a move at first finds it with each further try."""


def finds(strength: float, rating: float, chance: Random) -> bool:
    """Draws whether a solver finds a step of that rating without a wrong move."""
    return chance.random() < 1 / (1 + 10 ** ((rating - strength) / 400))


def right_move(solving: Solving) -> str:
    return solving.node.line[0]


def wrong_move(solving: Solving, chance: Random) -> str:
    """Draws one of the legal moves that are not right."""
    moves = [str(move) for move in solving.position.moves()]
    return chance.choice([move for move in moves if move not in solving.node.right])
