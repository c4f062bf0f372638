"""Simulated solvers of exercises, who find a step as often as Glicko expects of their strength; one who is known."""

from __future__ import annotations

from random import Random

from play.community.lesson import STOP_LESSONS, LessonState
from play.community.solving import Solving
from play.ids import Millis, UserId
from play.ratings.glicko import Rating
from storage import Database

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


async def settle(store: Database, user: UserId, at: Millis) -> None:
    """Makes a user known, who has had a lesson of STOP, too: they have the exercises of the day."""
    async with store.write() as tx:
        await tx.puzzles.save_skill(user, Rating(1500, 100, at=at))
        await tx.lessons.save(user, STOP_LESSONS[0], LessonState(done=at))
