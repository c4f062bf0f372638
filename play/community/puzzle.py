"""Puzzles: a position of a finished match or of the built-in set, and the answers of people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, NewType

from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.ratings.glicko import Rating
from rules.game import AnyGame, AnyPosition

PuzzleId = NewType("PuzzleId", int)

TaskId = NewType("TaskId", str)
"""What is to be solved: `e12` is the exercise 12 of the built-in set, `p12` the puzzle 12 from a match."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The daily puzzle of a server: the position of `match` before move `number` (from 1), or a built-in `exercise`.

    One of the `answers` is the first turn of the `solution`, a line that captures `captures` points. `day` is a date in
    UTC, as 2026-11-21. `message` shows the puzzle in `channel` once it is posted.
    """

    id: PuzzleId
    guild: GuildId
    day: str
    match: MatchId | None
    number: int
    answers: tuple[str, ...]
    solution: tuple[str, ...]
    captures: float
    channel: ChannelId | None = None
    message: MessageId | None = None
    exercise: int | None = None

    @property
    def task(self) -> TaskId:
        return TaskId(f"p{self.id}") if self.exercise is None else exercise_task(self.exercise)


class Goal(NamedTuple):
    """What a player has to do, as the sentence `key` says it: for so many `points`, None where it names none."""

    key: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Task:
    """A position to solve: that of `game` after `moves`. `players` know it from their match.

    One of the `answers` is the first turn of the `solution`. `rating` is the difficulty before the first answer.
    Without a `goal` the solution is the move that wins most.
    """

    id: TaskId
    game: AnyGame
    seed: int
    moves: tuple[str, ...]
    answers: tuple[str, ...]
    solution: tuple[str, ...]
    captures: float
    rating: Rating
    players: tuple[UserId, ...] = ()
    goal: Goal | None = None

    @property
    def is_rated(self) -> bool:
        """Returns whether answers move ratings. What comes from a match its players and their friends could stage."""
        return not self.players

    @property
    def position(self) -> AnyPosition:
        """Returns the position to solve."""
        position = self.game.start(self.seed)
        for move in self.moves:
            position = position.play(self.game.parse(move))
        return position

    def is_right(self, answer: int) -> bool:
        """Returns whether that answer is the solution."""
        return self.answers[answer] == self.solution[0]


class Attempt(NamedTuple):
    """A member's first answer to a daily puzzle; later ones do not count. That of a player of its match is not
    `scored`. `streak` counts the days in a row with a right answer, this one included."""

    puzzle: PuzzleId
    user: UserId
    answer: int
    right: bool
    at: Millis
    scored: bool = True
    streak: int = 0


class Solver(NamedTuple):
    """How many puzzles of a server a member has `solved`, of those they have `tried`, and their present streak."""

    user: UserId
    solved: int
    tried: int
    streak: int = 0


class Answer(NamedTuple):
    """What became of an answer: it is the `first` of its user, or `attempt` is the one that they gave before.

    `before` and `after` are the puzzle ratings of its user, None where the answer moved none.
    """

    attempt: Attempt
    first: bool
    before: Rating | None = None
    after: Rating | None = None


def puzzle_day(now: Millis) -> str:
    """Returns the day of a moment, in UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def exercise_task(number: int) -> TaskId:
    """Returns the id of an exercise of the built-in set."""
    return TaskId(f"e{number}")


def next_streak(puzzle: Puzzle, right: bool, scored: bool, at: Millis, former: Attempt | None) -> int:
    """Returns the streak that an answer leads to, after the one to the server's last puzzle before, if there is one.

    Only an answer on the puzzle's own day goes on with a streak. One that is not scored keeps it as it was.
    """
    if puzzle_day(at) != puzzle.day:
        return 0
    streak = former.streak if former else 0
    return streak if not scored else streak + 1 if right else 0


def present_streaks(attempts: Iterable[Sequence[Attempt]]) -> dict[UserId, int]:
    """Returns the streaks of those who gave these answers. Earlier puzzles are last: today's answer counts before
    yesterday's, which goes on counting while today's is missing."""
    return {attempt.user: attempt.streak for of_puzzle in reversed([*attempts]) for attempt in of_puzzle}
