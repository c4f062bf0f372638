"""The built-in puzzles: made by `python -m tools.puzzle_set` from games of the computer with itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files

from play.community.puzzle import Puzzle, PuzzleId, Task, exercise_task
from play.ids import GuildId
from play.ratings.glicko import Rating
from rules.registry import DEFAULT, make_game

DEVIATION = 90.0
"""Of the first rating of an exercise, which the computer's weaker levels have measured."""


@cache
def exercises() -> Mapping[int, Task]:
    """Returns the built-in puzzles by their number, the easiest first."""
    rows = json.loads(files("play.community").joinpath("puzzles.json").read_bytes())
    return {
        row["number"]: Task(
            exercise_task(row["number"]),
            make_game(DEFAULT, {"size": row["size"]}),
            row["seed"],
            tuple(row["moves"].split()),
            tuple(row["answers"]),
            tuple(row["solution"]),
            row["captures"],
            Rating(row["rating"], DEVIATION),
        )
        for row in rows
    }


def exercise_of_day(guild: GuildId, day: str) -> Puzzle:
    """Returns the exercise for a server's day. It returns only after as many days as there are exercises."""
    known = exercises()
    numbers = sorted(known, key=lambda number: number * 2_654_435_761 % 2**32)
    number = numbers[(guild + date.fromisoformat(day).toordinal()) % len(numbers)]
    task = known[number]
    return Puzzle(
        *(PuzzleId(0), guild, day, None, len(task.moves) + 1),
        answers=task.answers,
        solution=task.solution,
        captures=task.captures,
        exercise=number,
    )
