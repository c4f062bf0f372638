"""Puzzles: a position of a finished match or of the built-in set, and the answers of people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, NewType

from play.community.exercise import TaskId
from play.community.exercises import exercise_task
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId

PuzzleId = NewType("PuzzleId", int)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The daily puzzle of a server: the position of `match` before move `number` (from 1), or a built-in `exercise`.

    The first turn of the `solution`, a line that captures `captures` points, is to be found; it is one of the `answers`
    to choose from. `day` is a date in UTC, as 2026-11-21. `message` shows the puzzle in `channel` once it is posted.
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


class Attempt(NamedTuple):
    """A member's first try of a server's puzzle; later ones do not count. That of a player of its match is not
    `scored`."""

    puzzle: PuzzleId
    user: UserId
    right: bool
    at: Millis
    scored: bool = True


class Solver(NamedTuple):
    """How many puzzles of a server a member has `solved`, of those they have `tried`, and their present streak."""

    user: UserId
    solved: int
    tried: int
    streak: int = 0


def puzzle_day(now: Millis) -> str:
    """Returns the day of a moment, in UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
