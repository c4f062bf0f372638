"""Lines of leaderboards and of season tables."""

from __future__ import annotations

from dataclasses import dataclass

from play.ids import UserId
from play.ratings.glicko import Rating

MIN_RATED_GAMES = 5
"""Rated games before a user is listed on a leaderboard."""


@dataclass(frozen=True, slots=True)
class Leader:
    """A line of a leaderboard; `place` counts from 1, and equal values share it. None is too far down to be counted.
    `games` counts the rated ones that were played where the leaderboard is: on its server, or everywhere."""

    place: int | None
    user: UserId
    rating: Rating
    games: int


@dataclass(frozen=True, slots=True)
class Scorer:
    """A line of a season's table."""

    place: int
    user: UserId
    points: float
    games: int
