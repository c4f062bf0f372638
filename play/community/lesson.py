"""Lessons on the board: a position, one dot to place or STOP to say, and what answers a wrong one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from play.community.exercise import Exercise, Goal, TaskId
from play.community.exercise_tree import Node, Step
from play.ids import Millis
from rules.game import AnyGame, Point, Zone, parse_point, point_name
from rules.registry import make_game

PAD_SIDE = 5
"""Crossings a side of the part in which the dot lies: as many as there are buttons."""

PUZZLES = 3
"""Puzzles of its kind that follow a lesson."""


class LessonState(NamedTuple):
    """How far a user is with a lesson: when its dot was first found, and how many `puzzles` were played after it."""

    done: Millis | None = None
    puzzles: int = 0


@dataclass(frozen=True)
class Lesson:
    """A lesson of the path, by its `key`.

    `rows` are the board from the top: X is a dot of the player, who is to move, O one of the opponent. The dot lies in
    the part of the board whose lower left corner is `corner`. Each of the `right` ones solves the lesson, or STOP if
    that is among them; `line` is how it goes on after the first of them. A wrong one is answered by a capture, if there
    is one, else by what `answers` has for it, else where the first right one was. `kind` is that of the puzzles that
    follow. `preset` has the rules.
    """

    key: str
    kind: str
    rows: tuple[str, ...]
    right: tuple[str, ...]
    corner: str = "A1"
    line: tuple[str, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    preset: str = "zagram"

    @cached_property
    def game(self) -> AnyGame:
        """The game, which begins at the position."""
        height = len(self.rows)
        stones = " ".join(
            f"{'XO'.index(sign)}:{point_name(Point(x, height - 1 - y))}"
            for y, row in enumerate(self.rows)
            for x, sign in enumerate(row)
            if sign in "XO"
        )
        size = f"{len(self.rows[0])}x{height}"
        return make_game(self.preset, {"size": size, "start": "stones", "stones": stones})

    @cached_property
    def exercise(self) -> Exercise:
        """The position, and what is right there."""
        first, *others = self.right
        right = {first: Step(self.line)} | {each: Step(()) for each in others}
        tree = Node(right, (first,), {wrong: (answer,) for wrong, answer in self.answers.items()})
        goal = Goal(f"lesson.task.{self.key}")
        return Exercise(TaskId(self.key), self.game, 0, (), goal, tree, by_rules=True)

    @property
    def zone(self) -> Zone:
        """The part of the board in which the dot lies."""
        low = parse_point(self.corner)
        return Zone(low, Point(low.x + PAD_SIDE - 1, low.y + PAD_SIDE - 1))
