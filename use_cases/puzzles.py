"""The use cases of a server's own puzzle, and what rates answers to exercises."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from play.community.exercise import Exercise, Goal, found_tree
from play.community.exercises import find_exercise
from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver, puzzle_day
from play.community.solving import Solved, Solving, Verdict
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused
from rules.game import RuleError
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Events
from use_cases.exercises import note_solved, rate_try, read_streak
from use_cases.match_writer import retry_on_conflict

MAX_CANDIDATE_MATCHES = 8
"""Finished matches, the newest first, that are searched for a puzzle."""

MAX_SOLVERS = 10
"""Lines in the table of solvers."""

MISSED = Goal("puzzle.task")


class PuzzleState(NamedTuple):
    """A puzzle of a server as a user sees it: `attempt` is their first try, which `first` says that it has just been.

    `verdict` is that on their last move, or the solution that was shown. `text` is what its makers tell once it is
    solved.
    """

    puzzle: Puzzle
    solving: Solving
    attempt: Attempt | None
    verdict: Verdict | None = None
    first: bool = False
    text: str = ""


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

    async def take_made(self, guild: GuildId, now: Millis) -> Puzzle | None:
        """Stores as today's puzzle of a server the next one that its hosts have made, unless there is one for the day;
        returns the one of the day, if any."""

        async def attempt() -> Puzzle | None:
            async with self._store.write() as tx:
                day = puzzle_day(now)
                there = await tx.puzzles.of_day(guild, day)
                made = next(iter(await tx.made_exercises.waiting(guild)), None)
                if there is not None or made is None:
                    return there
                puzzle = Puzzle(PuzzleId(0), guild, day, None, 0, made.answers, (), made.points, made=made.id)
                return await tx.puzzles.add(puzzle)

        return await retry_on_conflict(attempt)

    async def mark_posted(self, puzzle: Puzzle, channel: ChannelId, message: MessageId) -> Puzzle:
        """Notes which message shows a puzzle."""
        with suppress(Stale):  # its server was deleted meanwhile
            async with self._store.write() as tx:
                await tx.puzzles.mark_posted(puzzle.id, channel, message)
        return replace(puzzle, channel=channel, message=message)

    async def exercise(self, puzzle: Puzzle) -> Exercise:
        """Returns what a puzzle asks. Raises Refused (`no_puzzle`)."""
        async with self._store.read() as reader:
            return await exercise_of(reader, puzzle)

    async def open(self, puzzle: PuzzleId, user: UserId) -> PuzzleState:
        """Returns a puzzle as `user` sees it. Raises Refused (`no_puzzle`)."""
        async with self._store.read() as reader:
            return await _state(reader, puzzle, user)

    async def play(self, puzzle: PuzzleId, user: UserId, move: str | None, at: Millis) -> PuzzleState:
        """Judges a move of `user`, or shows them the solution (None). The first try counts.

        Raises Refused (`no_puzzle`, and the reasons of the rules).
        """

        async def attempt() -> PuzzleState:
            async with self._store.write() as tx:
                return await _play(tx, await _state(tx, puzzle, user), user, move, at)

        state = await retry_on_conflict(attempt)
        if state.first:
            self._events.puzzle_answered(state.puzzle.guild)
        return state

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Returns all answers in their order."""
        async with self._store.read() as reader:
            return await reader.puzzles.attempts(puzzle)

    async def table(self, guild: GuildId, now: Millis) -> list[Solver]:
        """Returns the best solvers of a server, at most MAX_SOLVERS, with their streaks."""
        async with self._store.read() as reader:
            solvers = await reader.puzzles.solvers(guild, MAX_SOLVERS)
            return [each._replace(streak=await read_streak(reader, each.user, now)) for each in solvers]

    async def skill(self, user: UserId) -> Rating:
        """Returns the puzzle rating of a user."""
        async with self._store.read() as reader:
            return await reader.puzzles.skill(user)


async def exercise_of(reader: Reader, puzzle: Puzzle) -> Exercise:
    """Returns what a puzzle asks. Raises Refused (`no_puzzle`)."""
    if puzzle.exercise is not None:
        exercise = find_exercise(puzzle.exercise)
        if exercise is None:
            raise Refused(Reason.NO_PUZZLE)
        return exercise
    if puzzle.made is not None:
        made = await reader.made_exercises.get(puzzle.made)
        if made is None:
            raise Refused(Reason.NO_PUZZLE)
        return made.exercise(puzzle.task)
    match = None if puzzle.match is None else await reader.matches.get(puzzle.match)
    if match is None:
        raise Refused(Reason.NO_PUZZLE)
    moves = tuple(move.text for move in match.moves[: puzzle.number - 1])
    tree, players = found_tree(match.game, puzzle.solution), tuple(match.players)
    what = puzzle.task, match.game, match.seed, moves, MISSED, tree, puzzle.answers
    return Exercise(*what, players=players, enough=puzzle.captures)


async def _state(reader: Reader, puzzle: PuzzleId, user: UserId) -> PuzzleState:
    stored = await reader.puzzles.get(puzzle)
    if stored is None:
        raise Refused(Reason.NO_PUZZLE)
    exercise = await exercise_of(reader, stored)
    solving = await asyncio.to_thread(Solving.begin, exercise)
    made = None if stored.made is None else await reader.made_exercises.get(stored.made)
    return PuzzleState(stored, solving, await reader.puzzles.attempt(puzzle, user), text=made.text if made else "")


async def _play(tx: Transaction, state: PuzzleState, user: UserId, move: str | None, at: Millis) -> PuzzleState:
    exercise = state.solving.exercise
    try:
        verdict = state.solving.judge(move, chosen=True)  # its first move is all that is asked
    except RuleError as error:
        raise Refused.by_rules(error) from error
    state = state._replace(verdict=verdict)
    right = isinstance(verdict, Solved) and move is not None
    if right:
        await note_solved(tx, user, at)
    if state.attempt is not None:
        return state
    attempt = Attempt(state.puzzle.id, user, right, at, scored=user not in exercise.players)
    await tx.puzzles.add_attempt(attempt)
    if attempt.scored:
        await rate_try(tx, user, exercise, at, right=right, choices=len(exercise.answers))
    return state._replace(attempt=attempt, first=True)
