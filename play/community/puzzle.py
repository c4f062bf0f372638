"""The daily puzzle of a server: a position of one of its finished matches, and who has found the missed dot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, NewType, Protocol

from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from play.store.store import Store

PuzzleId = NewType("PuzzleId", int)

CANDIDATES = 8
"""Finished matches, the newest first, in which a puzzle is looked for."""

TABLE = 10
"""People in the table of solvers."""


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


class PuzzleReader(Protocol):
    """What a store says about puzzles."""

    async def puzzle(self, puzzle: PuzzleId) -> Puzzle | None: ...

    async def puzzle_of(self, guild: GuildId, day: str) -> Puzzle | None:
        """The puzzle of a server's day."""

    async def unpuzzled(self, guild: GuildId, limit: int) -> list[MatchId]:
        """Finished matches of a server of which no puzzle was made, the newest first."""

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Everybody's answers, in their order."""

    async def solvers(self, guild: GuildId, limit: int) -> list[Solver]:
        """Who has solved puzzles of a server, those with most first."""


class PuzzleWriter(Protocol):
    """What a store notes about puzzles."""

    async def add_puzzle(self, puzzle: Puzzle) -> Puzzle:
        """Stores a new puzzle and gives it its id. Raises Stale if its server has one for its day."""

    async def puzzle_posted(self, puzzle: PuzzleId, channel: ChannelId, message: MessageId) -> None:
        """Notes where a puzzle stands."""

    async def add_attempt(self, attempt: Attempt) -> None:
        """Stores an answer. Raises Stale if there is one of its person."""


class Puzzles:
    """The use cases. Raises Refused for what cannot be done."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, guild: GuildId, now: Millis) -> Puzzle | None:
        """Today's puzzle of a server, if it is known already."""
        async with self._store.read() as reader:
            return await reader.puzzle_of(guild, day_of(now))

    async def sources(self, guild: GuildId) -> list[MatchId]:
        """Finished matches of a server of which no puzzle was made yet, the newest first."""
        async with self._store.read() as reader:
            return await reader.unpuzzled(guild, CANDIDATES)

    async def add(self, puzzle: Puzzle) -> Puzzle:
        """Stores a puzzle, unless there is one for its day already; returns the one of that day."""
        async with self._store.write() as transaction:
            there = await transaction.puzzle_of(puzzle.guild, puzzle.day)
            return there or await transaction.add_puzzle(puzzle)

    async def posted(self, puzzle: Puzzle, channel: ChannelId, message: MessageId) -> Puzzle:
        """Notes where a puzzle stands."""
        async with self._store.write() as transaction:
            await transaction.puzzle_posted(puzzle.id, channel, message)
        return replace(puzzle, channel=channel, message=message)

    async def get(self, puzzle: PuzzleId) -> Puzzle:
        """Raises Refused (`no_puzzle`)."""
        async with self._store.read() as reader:
            stored = await reader.puzzle(puzzle)
        if stored is None:
            raise Refused(Reason.NO_PUZZLE)
        return stored

    async def answer(self, puzzle: PuzzleId, user: UserId, answer: int, at: Millis) -> Attempt:
        """`user` answers. Raises Refused: `no_puzzle`, `answered_already`, and `own_game` for who played it."""
        async with self._store.write() as transaction:
            stored = await transaction.puzzle(puzzle)
            if stored is None or not 0 <= answer < len(stored.answers):
                raise Refused(Reason.NO_PUZZLE)
            match = await transaction.match(stored.match)
            if match is not None and user in match.players:
                raise Refused(Reason.OWN_GAME)
            attempts = await transaction.attempts(puzzle)
            if any(attempt.user == user for attempt in attempts):
                raise Refused(Reason.ANSWERED_ALREADY)
            attempt = Attempt(puzzle, user, answer, stored.answers[answer] == stored.solution[0], at)
            await transaction.add_attempt(attempt)
        return attempt

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Everybody's answers, in their order."""
        async with self._store.read() as reader:
            return await reader.attempts(puzzle)

    async def table(self, guild: GuildId) -> list[Solver]:
        """Those of a server who have solved most, at most ten."""
        async with self._store.read() as reader:
            return await reader.solvers(guild, TABLE)


def day_of(now: Millis) -> str:
    """The day of a moment, in UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
