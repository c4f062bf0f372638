"""What puzzles ask of a store."""

from __future__ import annotations

from typing import Protocol

from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver
from play.ids import ChannelId, GuildId, MatchId, MessageId


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
