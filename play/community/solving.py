"""One solver's way through an exercise, on the board.

Its tree was proved when it was made, so no search is needed here (docs/decisions/teaching.md#0176). It guarantees:

- Every right move of the solver is in the tree; whatever else is legal is wrong.
- The reply to a right move is the one that resists longest; the goal is reached after every other one, too.
- The goal is out of reach after a wrong move and the first move of its refutation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

from play.community.daily import Run
from play.community.exercise_tree import Line, Node
from play.community.exercises import Exercise
from play.ratings.glicko import Rating
from rules.game import AnyPosition, IllegalMove


@dataclass(frozen=True, slots=True)
class Right:
    """A right move: the opponent's `reply` is on the board of `next`, and there is more to find."""

    reply: str
    next: Solving


@dataclass(frozen=True, slots=True)
class Solved:
    """The last right move: `line` begins with it and shows how the goal is reached."""

    line: Line


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong move: `line` begins with it and shows what refutes it."""

    line: Line


Verdict = Right | Solved | Wrong


@dataclass(frozen=True, slots=True)
class Solving:
    """One solver's way through an exercise: the `position` now, and the right moves `found` so far."""

    exercise: Exercise
    position: AnyPosition
    node: Node
    found: Line = ()

    @classmethod
    def begin(cls, exercise: Exercise, found: Line = ()) -> Self:
        """Returns the way of a solver who has `found` these moves. Raises ValueError if they are not right, or solve
        the exercise."""
        solving = cls(exercise, exercise.position, exercise.tree)
        for move in found:
            verdict = solving.try_move(move)
            if not isinstance(verdict, Right):
                raise ValueError(f"{move} leads no further in exercise {exercise.number}")
            after = verdict.next
            solving = cls(exercise, after.position, after.node, after.found)
        return solving

    def try_move(self, move: str) -> Verdict:
        """Returns what a move of the solver leads to. Raises RuleError for one that the rules reject."""
        turn = self.exercise.game.parse(move)
        move, after = str(turn), self.position.play(turn)
        step = self.node.right.get(move)
        if step is None:
            refutation = self.node.refutations.get(move, self.node.refutation)
            return Wrong((move, *self._legal(after, refutation)))
        if step.then is None:
            return Solved((move, *step.rest))
        (reply,) = step.rest
        replied = after.play(self.exercise.game.parse(reply))
        return Right(reply, Solving(self.exercise, replied, step.then, (*self.found, move)))

    def _legal(self, position: AnyPosition, line: Line) -> Iterator[str]:
        """Yields the moves of a line as far as they can be played: a wrong move may lie where a later one should."""
        for move in line:
            try:
                position = position.play(self.exercise.game.parse(move))
            except IllegalMove:
                return
            yield move


class DailyState(NamedTuple):
    """A daily as its user sees it after what they did last.

    `solving` is the present step, None when all are over. `verdict` is that on the last move, or the solution that was
    shown, on the board `judged`; `before` and `after` are the puzzle ratings that it moved. `is_stale` says that the
    press was of a panel that has gone on since.
    """

    run: Run
    solving: Solving | None
    verdict: Verdict | None = None
    judged: Solving | None = None
    before: Rating | None = None
    after: Rating | None = None
    is_stale: bool = False
