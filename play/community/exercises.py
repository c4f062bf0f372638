"""The built-in set of exercises: `python -m tools.puzzle_set` makes and proves them from games of the computer.

Those of the first set, whose answers are only chosen from, stay for messages and ratings that know their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from play.community.exercise_tree import Line, Node, read_moves, read_tree
from play.community.puzzle import Goal, Task, TaskId, exercise_task
from play.ratings.glicko import Rating
from rules.game import AnyGame, AnyPosition
from rules.registry import DEFAULT, make_game

DEVIATION = 90.0
"""Of the first rating of an exercise, which the computer's weaker levels have measured."""

POSITIONS_CACHE_SIZE = 64
"""The three of the day are those that are asked for."""

WITHDRAWN = frozenset({120, 126, 1454})
"""Exercises that are not offered any more: a deeper search finds a move that is worth more than the right ones. They
stay for messages that know their numbers."""


class Kind(StrEnum):
    """The subject of an exercise: its goal, for the player to move."""

    CAPTURE = "capture"
    """Capture at least `points` dots by threats, or at once."""
    NET = "net"
    """Capture at least `points` dots, beginning with a dot that does not threaten them yet."""
    LADDER = "ladder"
    """Chase at least `points` dots, with a threat by each dot, until they are captured."""
    ESCAPE = "escape"
    """Save at least `points` dots that the opponent could capture."""
    WALL = "wall"
    """Hold the wall round a base or house: otherwise the opponent gets at least `points` points by breaking it."""
    STOP = "stop"
    """Win by STOP: at once, or after one dot. STOP too early loses dots."""
    ENDING = "ending"
    """Few crossings are left: lead by at least `points` at the end, whatever the opponent does."""


CAPTURING = frozenset({Kind.CAPTURE, Kind.NET, Kind.LADDER})
"""Kinds whose main line captures."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position of `game` after `moves`, whose player to move has a goal: that of its `kind`, for so many `points`.

    `answers` are moves to choose from; exactly one of them is right. `rating` is the difficulty before any solver's
    answer. `seed` is that of the game it comes from.
    """

    number: int
    kind: Kind
    game: AnyGame
    seed: int
    moves: Line
    points: int
    answers: Line
    rating: Rating
    text: str
    """The tree, as `play.community.exercise_tree` reads it."""

    @property
    def id(self) -> TaskId:
        return exercise_task(self.number)

    @property
    def goal(self) -> Goal:
        return Goal(f"exercise.goal.{self.kind}", None if self.kind is Kind.STOP else self.points)

    @property
    def tree(self) -> Node:
        return read_tree(self.text)

    @property
    def depth(self) -> int:
        """Returns the number of moves that a solver has to find, at least."""
        return self.tree.depth

    @property
    def position(self) -> AnyPosition:
        """Returns the position to solve."""
        return _replay(self.game, self.seed, self.moves)

    @property
    def task(self) -> Task:
        """Returns the exercise as it is answered by a choice among its moves."""
        tree = self.tree
        solution = tree.line_of(next(answer for answer in self.answers if answer in tree.right))
        captures = self.points if self.kind in CAPTURING else 0
        what = (self.answers, solution, captures, self.rating)
        return Task(self.id, self.game, self.seed, self.moves, *what, goal=self.goal)


@cache
def exercises() -> Mapping[int, Exercise]:
    """Returns the built-in set by number, in the order in which it was made; a later one only adds to its end."""
    return {row["number"]: _exercise(row) for row in _stored("exercises.json")["exercises"]}


@cache
def first_set() -> Mapping[int, Task]:
    """Returns the exercises of the first set by number, the easiest first: their answers are chosen from."""
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
        for row in _stored("puzzles.json")
    }


def find_task(number: int) -> Task | None:
    """Returns an exercise of either set as it is answered by a choice among moves, if there is one with this number."""
    exercise = exercises().get(number)
    return first_set().get(number) if exercise is None else exercise.task


@lru_cache(POSITIONS_CACHE_SIZE)
def _replay(game: AnyGame, seed: int, moves: Line) -> AnyPosition:
    """Returns the position after these moves. To play them takes most of the time of a tap."""
    position = game.start(seed)
    for move in moves:
        position = position.play(game.parse(move))
    return position


def _stored(name: str) -> Any:
    return json.loads(files("play.community").joinpath(name).read_bytes())


def _exercise(row: dict[str, Any]) -> Exercise:
    preset, size = row["game"].split()
    return Exercise(
        row["number"],
        Kind(row["kind"]),
        _game(preset, size),
        row["seed"],
        read_moves(row["moves"]),
        row["points"],
        read_moves(row["answers"]),
        Rating(row["rating"], DEVIATION),
        row["tree"],
    )


@cache
def _game(preset: str, size: str) -> AnyGame:
    return make_game(preset, {"size": size})
