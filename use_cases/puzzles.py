"""The use cases of the daily puzzle."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from play.community.exercises import find_task
from play.community.puzzle import (
    Answer,
    Attempt,
    Puzzle,
    PuzzleId,
    Solver,
    Task,
    TaskId,
    next_streak,
    present_streaks,
    puzzle_day,
)
from play.community.puzzle_rating import MATCH_PUZZLE, rate_answer
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Events
from use_cases.match_writer import retry_on_conflict

MAX_CANDIDATE_MATCHES = 8
"""Finished matches, the newest first, that are searched for a puzzle."""

MAX_SOLVERS = 10
"""Lines in the table of solvers."""


class Puzzles:
    """The use cases of puzzles. Raises Refused for what cannot be done."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

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

        async def attempt() -> Puzzle:
            async with self._store.write() as tx:
                there = await tx.puzzles.of_day(puzzle.guild, puzzle.day)
                return there or await tx.puzzles.add(puzzle)

        return await retry_on_conflict(attempt)

    async def mark_posted(self, puzzle: Puzzle, channel: ChannelId, message: MessageId) -> Puzzle:
        """Notes which message shows a puzzle."""
        with suppress(Stale):  # its server was deleted meanwhile
            async with self._store.write() as tx:
                await tx.puzzles.mark_posted(puzzle.id, channel, message)
        return replace(puzzle, channel=channel, message=message)

    async def get(self, puzzle: PuzzleId) -> Puzzle:
        """Returns a puzzle. Raises Refused (`no_puzzle`)."""
        async with self._store.read() as reader:
            return await _get(reader, puzzle)

    async def task(self, puzzle: Puzzle) -> Task:
        """Returns what a puzzle asks. Raises Refused (`no_puzzle`)."""
        async with self._store.read() as reader:
            return await task_of(reader, puzzle)

    async def answer(self, puzzle: PuzzleId, user: UserId, answer: int, at: Millis) -> Answer:
        """Stores the answer of `user`, if it is their first. Raises Refused (`no_puzzle`)."""

        async def attempt() -> Answer:
            async with self._store.write() as tx:
                return await _answer(tx, puzzle, user, answer, at)

        given = await retry_on_conflict(attempt)
        if given.first:
            self._events.puzzle_answered((await self.get(puzzle)).guild)
        return given

    async def attempt(self, puzzle: Puzzle, user: UserId) -> Attempt | None:
        """Returns the answer that a user has given."""
        async with self._store.read() as reader:
            return await reader.puzzles.attempt(puzzle.id, user)

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Returns all answers in their order."""
        async with self._store.read() as reader:
            return await reader.puzzles.attempts(puzzle)

    async def table(self, guild: GuildId, now: Millis) -> list[Solver]:
        """Returns the best solvers of a server, at most MAX_SOLVERS, with their streaks."""
        async with self._store.read() as reader:
            solvers = await reader.puzzles.solvers(guild, MAX_SOLVERS)
            latest = await reader.puzzles.posted(guild, puzzle_day(now), 2)
            if latest and latest[0].day != puzzle_day(now):
                del latest[1:]  # its day is over: who has not answered has no streak
            streaks = present_streaks([await reader.puzzles.attempts(puzzle.id) for puzzle in latest])
        return [solver._replace(streak=streaks.get(solver.user, 0)) for solver in solvers]

    async def skill(self, user: UserId) -> Rating:
        """Returns the puzzle rating of a user."""
        async with self._store.read() as reader:
            return await reader.puzzles.skill(user)


async def _get(reader: Reader, puzzle: PuzzleId) -> Puzzle:
    stored = await reader.puzzles.get(puzzle)
    if stored is None:
        raise Refused(Reason.NO_PUZZLE)
    return stored


async def task_of(reader: Reader, puzzle: Puzzle) -> Task:
    """Returns what a puzzle asks. Raises Refused (`no_puzzle`)."""
    if puzzle.exercise is not None:
        task = find_task(puzzle.exercise)
        if task is None:
            raise Refused(Reason.NO_PUZZLE)
        return task
    match = None if puzzle.match is None else await reader.matches.get(puzzle.match)
    if match is None:
        raise Refused(Reason.NO_PUZZLE)
    moves = tuple(move.text for move in match.moves[: puzzle.number - 1])
    what = (puzzle.answers, puzzle.solution, puzzle.captures, MATCH_PUZZLE, tuple(match.players))
    return Task(puzzle.task, match.game, match.seed, moves, *what)


async def _answer(tx: Transaction, puzzle: PuzzleId, user: UserId, answer: int, at: Millis) -> Answer:
    stored = await _get(tx, puzzle)
    given = await tx.puzzles.attempt(puzzle, user)
    if given is not None:
        return Answer(given, first=False)
    task = await task_of(tx, stored)
    if not 0 <= answer < len(task.answers):
        raise Refused(Reason.NO_PUZZLE)
    right, scored = task.is_right(answer), user not in task.players
    before = [each for each in await tx.puzzles.posted(stored.guild, stored.day, 2) if each.id != stored.id]
    former = await tx.puzzles.attempt(before[0].id, user) if before else None
    streak = next_streak(stored, right, scored, at, former)
    attempt = Attempt(puzzle, user, answer, right, at, scored, streak)
    await tx.puzzles.add_attempt(attempt)
    rated = await rate_try(tx, user, task, at, right=right) if scored else None
    return Answer(attempt, True, *rated) if rated else Answer(attempt, True)


async def rate_try(
    tx: Transaction, user: UserId, task: Task, at: Millis, *, right: bool
) -> tuple[Rating, Rating] | None:
    """Rates an answer if it is the first of `user` to this task of the built-in set.

    Returns their rating before and after.
    """
    if not await tx.puzzles.add_try(user, task.id, at) or not task.is_rated:
        return None
    return await rate_first_answer(tx, user, task.id, task.rating, len(task.answers), at, right=right)


async def rate_first_answer(
    tx: Transaction, user: UserId, task: TaskId, first: Rating, choices: int, at: Millis, *, right: bool
) -> tuple[Rating, Rating]:
    """Rates an answer of `user`, one of so many `choices`, to a task whose rating is `first` before all answers.

    Returns their rating before and after.
    """
    skill, grades = await tx.puzzles.skill(user), await tx.puzzles.grades([task])
    after, grade = rate_answer(skill, grades.get(task, first), right=right, choices=choices, now=at)
    await tx.puzzles.save_skill(user, after)
    await tx.puzzles.save_grade(task, grade)
    return skill, after
