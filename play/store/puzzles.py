"""Daily puzzles, and the answers to them."""

from __future__ import annotations

from typing import Protocol

from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver
from play.ids import ChannelId, GuildId, MatchId, MessageId


class PuzzleReader(Protocol):
    """Puzzles, as reads see them."""

    async def get(self, puzzle: PuzzleId) -> Puzzle | None: ...

    async def of_day(self, guild: GuildId, day: str) -> Puzzle | None:
        """Returns the puzzle of a server's day."""

    async def unused_matches(self, guild: GuildId, limit: int) -> list[MatchId]:
        """Returns finished matches of a server of which no puzzle was made, the newest first."""

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Returns all answers in their order."""

    async def solvers(self, guild: GuildId, limit: int) -> list[Solver]:
        """Returns who has solved puzzles of a server, those with most first."""


class PuzzleRepository(PuzzleReader, Protocol):
    """Puzzles, as a transaction writes them."""

    async def add(self, puzzle: Puzzle) -> Puzzle:
        """Stores a new puzzle and gives it its id. Raises Stale if its server has one for its day."""

    async def mark_posted(self, puzzle: PuzzleId, channel: ChannelId, message: MessageId) -> None:
        """Notes which message shows a puzzle."""

    async def add_attempt(self, attempt: Attempt) -> None:
        """Stores an answer. Raises Stale if its user has answered already."""
