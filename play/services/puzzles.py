"""The use cases of the daily puzzle."""

from __future__ import annotations

from dataclasses import replace

from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver, day_of
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.refusal import Refused
from play.store import Store

CANDIDATES = 8
"""Finished matches, the newest first, in which a puzzle is looked for."""


TABLE = 10
"""People in the table of solvers."""


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
            raise Refused("no_puzzle")
        return stored

    async def answer(self, puzzle: PuzzleId, user: UserId, answer: int, at: Millis) -> Attempt:
        """`user` answers. Raises Refused: `no_puzzle`, `answered_already`, and `own_game` for who played it."""
        async with self._store.write() as transaction:
            stored = await transaction.puzzle(puzzle)
            if stored is None or not 0 <= answer < len(stored.answers):
                raise Refused("no_puzzle")
            match = await transaction.match(stored.match)
            if match is not None and user in match.players:
                raise Refused("own_game")
            attempts = await transaction.attempts(puzzle)
            if any(attempt.user == user for attempt in attempts):
                raise Refused("answered_already")
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
