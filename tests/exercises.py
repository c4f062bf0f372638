"""A few exercises on 5x5 for tests, small enough to be read: blue's dot on C3 is to be captured."""

from __future__ import annotations

from play.community.daily import Calendar, Edition
from play.community.exercise import Exercise, Goal, Kind
from play.community.exercises import exercise_task
from play.ratings.glicko import Rating
from rules.registry import DEFAULT, make_game

GAME = make_game(DEFAULT, {"size": "5x5", "start": "empty"})

AT_ONCE = ("B3", "C3", "C4", "A1", "D3", "A5"), "cb=,!cb", ("C2", "B2", "D2")
"""C2 captures. After any other dot blue saves its dot there."""

IN_TWO = ("B3", "C3", "D3", "A5"), "cb(cd,ab=,ac=,!ab),cd(cb,ab=,ac=,!ab),!cb", ("C2", "B2", "D2")
"""C2 or C4, and then A2 or A3: what counts here is the way, not the sense of it."""


def an_exercise(number: int, rating: float) -> Exercise:
    """Returns an exercise that is solved at once, or with an odd number in two moves."""
    moves, tree, answers = IN_TWO if number % 2 else AT_ONCE
    goal = Goal("exercise.goal.capture", 1)
    return Exercise(exercise_task(number), GAME, 1, moves, goal, tree, answers, Rating(rating, 90.0), Kind.CAPTURE)


EXERCISES = {number: an_exercise(number, 800 + number) for number in range(1, 541)}
"""Enough for sixty days without a repetition."""

CALENDAR = Calendar({number: each.rating.value for number, each in EXERCISES.items()}, [Edition("2026-01-01", 540)])
