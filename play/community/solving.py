"""One solver's way through an exercise, on the board.

The tree of one of the built-in set was proved when it was made, so no search is needed here
(docs/decisions/teaching.md#0176). It guarantees:

- Every right move of the solver is in the tree; whatever else is legal is wrong.
- The reply to a right move is the one that resists longest; the goal is reached after every other one, too.
- The goal is out of reach after a wrong move and the first move of its refutation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

from play.community.daily import Run
from play.community.exercise import Exercise, name_of
from play.community.exercise_tree import Line, Node
from play.ratings.glicko import Rating
from rules.dots import Call, DotsPosition, Turn
from rules.game import AnyPosition, IllegalMove, point_name


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
                raise ValueError(f"{move} leads no further in exercise {exercise.id}")
            after = verdict.next
            solving = cls(exercise, after.position, after.node, after.found)
        return solving

    @property
    def has_stop(self) -> bool:
        """Returns whether the solver may say STOP."""
        return isinstance(self.position, DotsPosition) and Call.STOP in self.position.calls()

    def count_choices(self, *, chosen: bool = False) -> int:
        """Returns among how many moves the solver answers: all legal ones, or the answers where one is `chosen`."""
        return len(self.exercise.answers) if chosen else sum(1 for _ in self.position.moves())

    def judge(self, move: str | None, *, chosen: bool = False) -> Verdict:
        """Returns what a move of the solver leads to, or the solution to one who gives up (None).

        A right one that was `chosen` among the answers solves the exercise. Raises RuleError.
        """
        verdict = Solved(self.node.line) if move is None else self.try_move(move)
        return Solved(self.node.line_of(verdict.next.found[-1])) if chosen and isinstance(verdict, Right) else verdict

    def try_move(self, move: str) -> Verdict:
        """Returns what a move of the solver leads to. Raises RuleError for one that the rules reject."""
        turn, zone = self.exercise.game.parse(move), self.exercise.zone
        move, after = name_of(turn), self.position.play(turn)
        if zone is not None and isinstance(turn, Turn) and not zone.contains(turn.dot):
            raise IllegalMove("outside_part")
        step = self.node.right.get(move)
        if step is None:
            if self._captures_enough(after):
                return Solved((move,))
            return Wrong((move, *self._legal(after, self._refutation(move, after))))
        if step.then is None:
            return Solved(self.node.line_of(move))
        (reply,) = step.rest
        replied = after.play(self.exercise.game.parse(reply))
        return Right(reply, Solving(self.exercise, replied, step.then, (*self.found, move)))

    def _captures_enough(self, after: AnyPosition) -> bool:
        enough, seat = self.exercise.enough, self.position.to_act
        return enough is not None and after.score[seat] - self.position.score[seat] >= enough

    def _refutation(self, move: str, after: AnyPosition) -> Line:
        """Returns what refutes a wrong move. By the rules nothing answers a STOP, and a dot that is captured where it
        is placed."""
        line = self.node.refutations.get(move, self.node.refutation)
        if not self.exercise.by_rules or not isinstance(after, DotsPosition):
            return line
        rival = 1 - self.position.to_act
        if move == Call.STOP or after.score[rival] > self.position.score[rival]:
            return ()
        captures = {each.dot: after.consequences_of(each.dot).captures for each in after.moves()}
        largest = max(captures, key=lambda dot: captures[dot])
        return (point_name(largest),) if captures[largest] else line

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
