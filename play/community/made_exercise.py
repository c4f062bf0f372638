"""Exercises that the hosts of a server have made for it of positions: its lessons, and its puzzles of coming days."""

from dataclasses import dataclass, replace
from typing import Final, NewType

from play.boards.own_board import SEED
from play.community.exercise import Exercise, Goal, Kind, TaskId
from play.community.exercise_tree import Line
from play.ids import GuildId, Millis, UserId
from play.refusal import Reason, Refused
from rules.dots import Dots

MadeId = NewType("MadeId", int)

MAX_LESSONS: Final = 30
"""Lessons of a server."""

MAX_WAITING: Final = 30
"""Puzzles of a server that wait for their days."""

MAX_NAME, MAX_TEXT = 60, 1000
"""Characters of a name, and of what is told once the exercise is solved."""


@dataclass(frozen=True, slots=True)
class MadeExercise:
    """An exercise at the beginning of `game`, which a `user` has made for a server: a lesson, or its puzzle of a coming
    day. `tree` is the text of what the solver has proved; `text` is told once it is solved."""

    guild: GuildId
    user: UserId
    is_lesson: bool
    name: str
    text: str
    game: Dots
    kind: Kind
    points: int
    answers: Line
    tree: str
    at: Millis
    id: MadeId = MadeId(0)

    def tell(self, name: str, text: str) -> "MadeExercise":
        """Returns the exercise under a name, with what is told of it. Raises Refused (`bad_board_name`,
        `lesson_too_long`)."""
        name, text = " ".join(name.split()), text.strip()
        if not name or len(name) > MAX_NAME:
            raise Refused(Reason.BAD_BOARD_NAME, most=MAX_NAME)
        if len(text) > MAX_TEXT:
            raise Refused(Reason.LESSON_TOO_LONG, most=MAX_TEXT)
        return replace(self, name=name, text=text)

    def exercise(self, task: TaskId) -> Exercise:
        """Returns what is to be solved, as the `task`. Its maker knows it, so it moves no rating."""
        goal = Goal(f"exercise.goal.{self.kind}", None if self.kind is Kind.STOP else self.points)
        what = task, self.game, SEED, (), goal, self.tree, self.answers
        return Exercise(*what, kind=self.kind, players=(self.user,))
