"""Puzzles from played games: positions in which a player missed a capture, or a net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from opponent.budget import Budget
from opponent.captures import Look, corrected
from opponent.levels import HARDEST
from opponent.review import Think, points_won, principal_variation, replay_positions
from rules.dots import DotsPosition, Turn
from rules.game import AnyGame

GLANCE_BUDGET = Budget(nodes=600, millis=200, fresh=True)
THOUGHT_BUDGET = Budget(nodes=8000, millis=1500, fresh=True)
"""For each position at first, and for one that looks like a puzzle."""

MIN_POINTS = 2.0
"""Points that the missed move must win at once, and by which it must beat the played move and every other."""

MAX_POSITIONS = 120
"""Positions searched in a game."""

MAX_ANSWERS = 4
"""Moves to choose from."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position before move `number` (from 1). `answers` are shuffled; one of them is the `solution`. The
    solution begins `line`, which wins `captures` points at once."""

    number: int
    answers: tuple[str, ...]
    solution: str
    line: tuple[str, ...]
    captures: float


async def find_puzzle(game: AnyGame, seed: int, moves: Sequence[str], think: Think, look: Look) -> Puzzle | None:
    """Returns a puzzle from a game of Dots for two, or None if no position makes a good one."""
    positions = replay_positions(game, seed, moves)
    if len(positions[0].score) != 2 or not isinstance(positions[0], DotsPosition):
        return None
    chance = Random(f"{seed} {len(moves)}")  # noqa: S311 - a game, not a secret
    numbers = [number for number, move in enumerate(moves, start=1) if isinstance(game.parse(move), Turn)]
    chance.shuffle(numbers)
    for number in numbers[:MAX_POSITIONS]:
        before, played = positions[number - 1], moves[number - 1]
        choice = await corrected(before, await think(before, GLANCE_BUDGET, seed, HARDEST), look)
        if choice.move == played or points_won(game, before, principal_variation(game, before, choice)) < MIN_POINTS:
            continue
        choice = await corrected(before, await think(before, THOUGHT_BUDGET, seed, HARDEST), look)
        line = principal_variation(game, before, choice)
        others = [each for each in choice.candidates if each.move != choice.move]
        if (
            choice.move == played
            or points_won(game, before, line) < MIN_POINTS
            or any(choice.value - each.value < MIN_POINTS for each in others[:2])
        ):
            continue
        after = await think(positions[number], THOUGHT_BUDGET, seed, HARDEST) if not positions[number].outcome else None
        if after is None or choice.value + after.value < MIN_POINTS:
            continue
        answers = [choice.move, played, *(each.move for each in others if each.move != played)][:MAX_ANSWERS]
        chance.shuffle(answers)
        return Puzzle(number, tuple(answers), choice.move, line, points_won(game, before, line))
    return None
