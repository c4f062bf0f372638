"""Lessons on the board: a position, one dot to place or STOP to say, and what answers a wrong one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from play.ids import Millis
from rules.dots import Call, DotsPosition
from rules.game import AnyGame
from rules.notation import parse_point, point_name
from rules.picture import Zone
from rules.point import Point
from rules.registry import make_game

PAD_SIDE = 5
"""Crossings a side of the part in which the dot lies: as many as there are buttons."""

PUZZLES = 3
"""Puzzles of its kind that follow a lesson."""


class LessonState(NamedTuple):
    """How far a user is with a lesson: when its dot was first found, and how many `puzzles` were played after it."""

    done: Millis | None = None
    puzzles: int = 0


class Attempt(NamedTuple):
    """A turn tried in a lesson, with those that follow it: they show why it is right, or what answers it.

    Nothing answers a STOP, and a dot that is captured where it is placed.
    """

    right: bool
    line: tuple[str, ...]


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
    def position(self) -> DotsPosition:
        """The position to look at."""
        position = self.game.start(0)
        assert isinstance(position, DotsPosition)
        return position

    @property
    def zone(self) -> Zone:
        """The part of the board in which the dot lies."""
        low = parse_point(self.corner)
        return Zone(low, Point(low.x + PAD_SIDE - 1, low.y + PAD_SIDE - 1))

    @property
    def has_stop(self) -> bool:
        """Returns whether the rules have STOP."""
        return Call.STOP in self.position.calls()

    def play(self, turn: str) -> DotsPosition:
        """Returns the position after a dot or STOP. Raises RuleError for what cannot be played."""
        after = self.position.play(self.game.parse(turn))
        assert isinstance(after, DotsPosition)
        return after

    def answer(self, turn: str) -> Attempt:
        """Returns what a dot or STOP is good for. Raises RuleError for what cannot be played."""
        after = self.play(turn)
        if turn in self.right:
            return Attempt(True, (turn, *(self.line if turn == self.right[0] else ())))
        player = self.position.to_act
        falls = after.score[1 - player] > self.position.score[1 - player]
        return Attempt(False, (turn,) if falls or turn == Call.STOP else (turn, self._reply(after, turn)))

    def _reply(self, after: DotsPosition, dot: str) -> str:
        """Returns the answer to a wrong dot: the largest capture, if there is one."""
        captures = {move.dot: after.consequences_of(move.dot).captures for move in after.moves()}
        largest = max(captures, key=lambda point: captures[point])
        return point_name(largest) if captures[largest] else self.answers.get(dot, self.right[0])
