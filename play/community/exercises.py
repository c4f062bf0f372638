"""The built-in set of exercises: `python -m tools.puzzle_set` makes and proves them from games of the computer.

Those of the first set stay for messages, rushes and ratings that know their numbers.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from play.community.exercise import Exercise, Goal, Kind, TaskId, found_tree
from play.community.exercise_tree import read_moves
from play.ratings.glicko import Rating
from rules.game import AnyGame
from rules.registry import DEFAULT, make_game

DEVIATION = 90.0
"""Of the first rating of an exercise, which the computer's weaker levels have measured."""

WITHDRAWN = frozenset({120, 126, 1454})
"""Exercises that are not offered any more: a deeper search finds a move that is worth more than the right ones. They
stay for messages that know their numbers."""

WINS_MOST = Goal("rush.task")
"""The goal of what a search has found in a game."""


def exercise_task(number: int) -> TaskId:
    """Returns the id of an exercise of the built-in set."""
    return TaskId(f"e{number}")


@cache
def exercises() -> Mapping[int, Exercise]:
    """Returns the built-in set by number, in the order in which it was made; a later one only adds to its end."""
    return {row["number"]: _exercise(row) for row in _stored("exercises.json")["exercises"]}


@cache
def first_set() -> Mapping[int, Exercise]:
    """Returns the exercises of the first set by number, the easiest first."""
    return {row["number"]: _first_exercise(row) for row in _stored("puzzles.json")}


def find_exercise(number: int) -> Exercise | None:
    """Returns an exercise of either set, if there is one with this number."""
    return exercises().get(number) or first_set().get(number)


def _stored(name: str) -> Any:
    return json.loads(files("play.community").joinpath(name).read_bytes())


def _exercise(row: dict[str, Any]) -> Exercise:
    preset, size = row["game"].split()
    kind = Kind(row["kind"])
    return Exercise(
        exercise_task(row["number"]),
        _game(preset, size),
        row["seed"],
        read_moves(row["moves"]),
        Goal(f"exercise.goal.{kind}", None if kind is Kind.STOP else row["points"]),
        row["tree"],
        read_moves(row["answers"]),
        Rating(row["rating"], DEVIATION),
        kind,
    )


def _first_exercise(row: dict[str, Any]) -> Exercise:
    game = _game(DEFAULT, row["size"])
    return Exercise(
        exercise_task(row["number"]),
        game,
        row["seed"],
        tuple(row["moves"].split()),
        WINS_MOST,
        found_tree(game, tuple(row["solution"])),
        tuple(row["answers"]),
        Rating(row["rating"], DEVIATION),
        enough=row["captures"],
    )


@cache
def _game(preset: str, size: str) -> AnyGame:
    return make_game(preset, {"size": size})
