"""Lessons on the board: a position, one dot to place, and what answers a wrong one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from play.ids import Millis
from rules.dots import DotsPosition, Turn
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
    """A dot tried in a lesson, with the turns that follow it: those that show why it is right, or what answers it."""

    right: bool
    line: tuple[str, ...]


@dataclass(frozen=True)
class Lesson:
    """A lesson of the path, by its `key`.

    `rows` are the board from the top: X is a dot of the player, who is to move, O one of the opponent. The dot lies in
    the part of the board whose lower left corner is `corner`. Each of the `right` ones solves the lesson; `line` is how
    it goes on after the first of them. A wrong one is answered by a capture, if there is one, else by what `answers`
    has for it, else where the first right one was. `kind` is that of the puzzles that follow.
    """

    key: str
    kind: str
    rows: tuple[str, ...]
    right: tuple[str, ...]
    corner: str = "A1"
    line: tuple[str, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)

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
        return make_game("zagram", {"size": size, "start": "stones", "stones": stones})

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

    def answer(self, dot: str) -> Attempt:
        """Returns what a dot is good for. Raises IllegalMove where none can be placed."""
        after = self.position.play(Turn(parse_point(dot)))
        if dot in self.right:
            return Attempt(True, (dot, *(self.line if dot == self.right[0] else ())))
        return Attempt(False, (dot, self._reply(after, dot)))

    def _reply(self, after: DotsPosition, dot: str) -> str:
        """Returns the answer to a wrong dot: the largest capture, if there is one."""
        captures = {move.dot: after.consequences_of(move.dot).captures for move in after.moves()}
        largest = max(captures, key=lambda point: captures[point])
        return point_name(largest) if captures[largest] else self.answers.get(dot, self.right[0])
