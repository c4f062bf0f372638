"""The daily puzzle of a server: a position of one of its finished matches, and who has found the missed dot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, NewType

from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId

PuzzleId = NewType("PuzzleId", int)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position of `match` before move `number` (from 1). One of the `answers` is the first turn of the `solution`,
    a line that captures `captures` points. `day` is that of its server, as 2026-11-21 in UTC; `message` shows it in
    `channel` once it is posted."""

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
    """What somebody answered first; nothing after it counts."""

    puzzle: PuzzleId
    user: UserId
    answer: int
    right: bool
    at: Millis


class Solver(NamedTuple):
    """How many puzzles of a server somebody has solved, of how many that he tried."""

    user: UserId
    solved: int
    tried: int


def day_of(now: Millis) -> str:
    """The day of a moment, in UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
