"""The daily puzzle of a server: a position of one of its finished matches, and the answers of its members."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, NewType

from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId

PuzzleId = NewType("PuzzleId", int)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position of `match` before move `number` (from 1).

    One of the `answers` is the first turn of the `solution`, a line that captures `captures` points. `day` is a date in
    UTC, as 2026-11-21. `message` shows the puzzle in `channel` once it is posted.
    """

    id: PuzzleId
    guild: GuildId
    day: str
    match: MatchId
    number: int
    answers: tuple[str, ...]
    solution: tuple[str, ...]
    captures: float
    channel: ChannelId | None = None
    message: MessageId | None = None


class Attempt(NamedTuple):
    """A member's first answer. Later ones do not count."""

    puzzle: PuzzleId
    user: UserId
    answer: int
    right: bool
    at: Millis


class Solver(NamedTuple):
    """How many puzzles of a server a member has `solved`, of those they have `tried`."""

    user: UserId
    solved: int
    tried: int


def puzzle_day(now: Millis) -> str:
    """Returns the day of a moment, in UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
