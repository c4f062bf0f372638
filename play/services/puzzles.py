"""The use cases of the daily puzzle."""

from __future__ import annotations

from dataclasses import replace

from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver, puzzle_day
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.refusal import Reason, Refused
from play.store import Store

MAX_CANDIDATE_MATCHES = 8
"""Finished matches, the newest first, that are searched for a puzzle."""

MAX_SOLVERS = 10
"""Lines in the table of solvers."""


class Puzzles:
    """The use cases of puzzles. Raises Refused for what cannot be done."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, guild: GuildId, now: Millis) -> Puzzle | None:
        """Returns today's puzzle of a server, if there is one already."""
        async with self._store.read() as reader:
            return await reader.puzzles.of_day(guild, puzzle_day(now))

    async def sources(self, guild: GuildId) -> list[MatchId]:
        """Returns finished matches of a server of which no puzzle was made yet, the newest first."""
        async with self._store.read() as reader:
            return await reader.puzzles.unused_matches(guild, MAX_CANDIDATE_MATCHES)

    async def add(self, puzzle: Puzzle) -> Puzzle:
        """Stores a puzzle, unless there is one for its day already; returns the one of that day."""
        async with self._store.write() as tx:
            there = await tx.puzzles.of_day(puzzle.guild, puzzle.day)
            return there or await tx.puzzles.add(puzzle)

    async def mark_posted(self, puzzle: Puzzle, channel: ChannelId, message: MessageId) -> Puzzle:
        """Notes which message shows a puzzle."""
        async with self._store.write() as tx:
            await tx.puzzles.mark_posted(puzzle.id, channel, message)
        return replace(puzzle, channel=channel, message=message)

    async def get(self, puzzle: PuzzleId) -> Puzzle:
        """Returns a puzzle. Raises Refused (`no_puzzle`)."""
        async with self._store.read() as reader:
            stored = await reader.puzzles.get(puzzle)
        if stored is None:
            raise Refused(Reason.NO_PUZZLE)
        return stored

    async def answer(self, puzzle: PuzzleId, user: UserId, answer: int, at: Millis) -> Attempt:
        """Stores the answer of `user`. Raises Refused (`no_puzzle`, `answered_already`, `own_game` for its players)."""
        async with self._store.write() as tx:
            stored = await tx.puzzles.get(puzzle)
            if stored is None or not 0 <= answer < len(stored.answers):
                raise Refused(Reason.NO_PUZZLE)
            match = await tx.matches.get(stored.match)
            if match is not None and user in match.players:
                raise Refused(Reason.OWN_GAME)
            attempts = await tx.puzzles.attempts(puzzle)
            if any(attempt.user == user for attempt in attempts):
                raise Refused(Reason.ANSWERED_ALREADY)
            attempt = Attempt(puzzle, user, answer, stored.answers[answer] == stored.solution[0], at)
            await tx.puzzles.add_attempt(attempt)
        return attempt

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Returns all answers in their order."""
        async with self._store.read() as reader:
            return await reader.puzzles.attempts(puzzle)

    async def table(self, guild: GuildId) -> list[Solver]:
        """Returns the best solvers of a server, at most MAX_SOLVERS."""
        async with self._store.read() as reader:
            return await reader.puzzles.solvers(guild, MAX_SOLVERS)
