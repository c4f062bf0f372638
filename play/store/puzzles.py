"""Daily puzzles, the answers to them, and puzzle ratings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver, TaskId
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.ratings.glicko import Rating


class PuzzleReader(Protocol):
    """Puzzles, as reads see them."""

    async def get(self, puzzle: PuzzleId) -> Puzzle | None: ...

    async def of_day(self, guild: GuildId, day: str) -> Puzzle | None:
        """Returns the puzzle of a server's day."""

    async def posted(self, guild: GuildId, until: str, limit: int) -> list[Puzzle]:
        """Returns the posted puzzles of a server until a day, that day's first."""

    async def past(self, guild: GuildId, before: str, user: UserId, limit: int) -> list[Puzzle]:
        """Returns the posted puzzles from matches of a server but those of the user, before a day, the newest first."""

    async def unused_matches(self, guild: GuildId, limit: int) -> list[MatchId]:
        """Returns finished matches of a server of which no puzzle was made, the newest first."""

    async def attempt(self, puzzle: PuzzleId, user: UserId) -> Attempt | None:
        """Returns the answer of a user."""

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Returns all answers in their order."""

    async def solvers(self, guild: GuildId, limit: int) -> list[Solver]:
        """Returns who has solved puzzles of a server, those with most first, without their streaks."""

    async def skill(self, user: UserId) -> Rating:
        """Returns the puzzle rating of a user."""

    async def grades(self, tasks: Collection[TaskId]) -> dict[TaskId, Rating]:
        """Returns the ratings of those tasks that have an answer."""

    async def tried(self, user: UserId) -> list[TaskId]:
        """Returns the tasks that a user has answered, the longest ago first."""


class PuzzleRepository(PuzzleReader, Protocol):
    """Puzzles, as a transaction writes them."""

    async def add(self, puzzle: Puzzle) -> Puzzle:
        """Stores a new puzzle and gives it its id. Raises Stale if its server has one for its day."""

    async def mark_posted(self, puzzle: PuzzleId, channel: ChannelId, message: MessageId) -> None:
        """Notes which message shows a puzzle."""

    async def add_attempt(self, attempt: Attempt) -> None:
        """Stores an answer. Raises Stale if its user has answered already."""

    async def add_try(self, user: UserId, task: TaskId, at: Millis) -> bool:
        """Notes that a user has answered a task. Returns whether it was the first time."""

    async def save_skill(self, user: UserId, rating: Rating) -> None:
        """Stores the puzzle rating of a user."""

    async def save_grade(self, task: TaskId, rating: Rating) -> None:
        """Stores the rating of a task."""
