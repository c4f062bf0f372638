"""A position of a played game in which somebody missed a capture, or a net: find the dot that he did not find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from opponent.budget import Budget
from opponent.levels import HARDEST
from opponent.review import Think, replayed, telling, won
from rules.dots import DotsPosition
from rules.game import AnyGame

GLANCE, THOUGHT = Budget(nodes=600, millis=200), Budget(nodes=8000, millis=1500)
"""For each position at first, and for one that looks like a puzzle."""

LEAST = 2.0
"""Points that the missed move must win at once, and be better by than the played one and than any other."""

MOST_LOOKED_AT = 120
"""Positions of a game."""

ANSWERS = 4
"""Moves to choose from."""


@dataclass(frozen=True, slots=True)
class Found:
    """The position is that before move `number` (from 1); `answers` are in no telling order, `solution` is one of them
    and begins `line`, which wins `captures` points at once."""

    number: int
    answers: tuple[str, ...]
    solution: str
    line: tuple[str, ...]
    captures: float


async def puzzle(game: AnyGame, seed: int, moves: Sequence[str], think: Think) -> Found | None:
    """A puzzle from a game of Dots for two; None if nothing in it makes a good one."""
    positions = replayed(game, seed, moves)
    if len(positions[0].score) != 2 or not isinstance(positions[0], DotsPosition):
        return None
    chance = Random(f"{seed} {len(moves)}")  # noqa: S311 - a game, not a secret
    numbers = list(range(1, len(moves) + 1))
    chance.shuffle(numbers)
    for number in numbers[:MOST_LOOKED_AT]:
        before, played = positions[number - 1], moves[number - 1]
        choice = await think(before, GLANCE, seed, HARDEST)
        if choice.move == played or won(game, before, telling(game, before, choice)) < LEAST:
            continue
        choice = await think(before, THOUGHT, seed, HARDEST)
        line = telling(game, before, choice)
        others = [each for each in choice.candidates if each.move != choice.move]
        if (
            choice.move == played
            or won(game, before, line) < LEAST
            or any(choice.value - each.value < LEAST for each in others[:2])
        ):
            continue
        after = await think(positions[number], THOUGHT, seed, HARDEST) if not positions[number].outcome else None
        if after is None or choice.value + after.value < LEAST:
            continue
        answers = [choice.move, played, *(each.move for each in others if each.move != played)][:ANSWERS]
        chance.shuffle(answers)
        return Found(number, tuple(answers), choice.move, line, won(game, before, line))
    return None
