"""Puzzle ratings: a first answer is a game of its user against the puzzle, rated by Glicko-2."""

from __future__ import annotations

from dataclasses import replace

from play.ids import Millis
from play.ratings.glicko import GameResult, Rating, rate_period

MATCH_PUZZLE = Rating(deviation=150.0)
"""The first rating of a puzzle from a match, of which nothing is known."""


def rate_answer(user: Rating, puzzle: Rating, *, right: bool, now: Millis) -> tuple[Rating, Rating]:
    """Returns the ratings of user and puzzle after a first answer.

    No time passes for a puzzle: its deviation only shrinks, so it moves ever more slowly. Its volatility stays.
    """
    after = rate_period(user, [GameResult(puzzle, float(right))], user.periods(now), now)
    moved = rate_period(puzzle, [GameResult(user.at_time(now), float(not right))], 0.0, now)
    return after, replace(moved, volatility=puzzle.volatility)
