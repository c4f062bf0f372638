"""Puzzles of servers: a position of a finished match or of the built-in set, the answers of people, and ratings.

A first answer is a game of its user against the puzzle, rated by Glicko-2.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf
from typing import NamedTuple, NewType

from play.community.exercise import Kind, TaskId
from play.community.exercises import exercise_task
from play.community.made_exercise import MadeId
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.ratings.glicko import INITIAL_RATING, GameResult, Rating, expected, rate_period

PuzzleId = NewType("PuzzleId", int)

MATCH_PUZZLE = Rating(deviation=150.0)
"""The first rating of a puzzle from a match, of which nothing is known."""

MAX_CHANGE = 120.0
"""Points by which one answer moves the rating of its user at most: nobody is known after one puzzle."""

MAX_FIRST_FALL = 100.0
"""Points by which the rating of a newcomer falls on their first day at most. What goes beyond is not counted, and
leaves their strength as unknown as it was: later answers find it."""

SETTLED_DEVIATION = 150.0
"""The deviation from which on a user is known. Answers of others move no puzzle: fresh accounts make none look hard,
or easy."""

MAX_ABOVE = 400.0
"""Points above a puzzle up to which a right answer to it lifts a settled user: one who knows all answers from elsewhere
rises no higher than that above the hardest."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The daily puzzle of a server: the position of `match` before move `number` (from 1), a built-in `exercise`, or
    one that was `made` for the server.

    The first turn of the `solution`, a line that captures `captures` points, is to be found; it is one of the `answers`
    to choose from. `day` is a date in UTC, as 2026-11-21. `message` shows the puzzle in `channel` once it is posted.
    """

    id: PuzzleId
    guild: GuildId
    day: str
    match: MatchId | None
    number: int
    answers: tuple[str, ...]
    solution: tuple[str, ...]
    captures: float
    channel: ChannelId | None = None
    message: MessageId | None = None
    exercise: int | None = None
    made: MadeId | None = None

    @property
    def task(self) -> TaskId:
        return TaskId(f"p{self.id}") if self.exercise is None else exercise_task(self.exercise)


class Attempt(NamedTuple):
    """A member's first try of a server's puzzle; later ones do not count. That of a player of its match is not
    `scored`."""

    puzzle: PuzzleId
    user: UserId
    right: bool
    at: Millis
    scored: bool = True


class Figure(NamedTuple):
    """How many exercises of a kind a user has `solved` at the first try, of those that they have `tried`."""

    solved: int = 0
    tried: int = 0

    @property
    def share(self) -> float:
        """Returns the share that they would solve of further ones: of one more right and one more wrong one, too."""
        return (self.solved + 1) / (self.tried + 2)


def weakest_kind(figures: Mapping[Kind, Figure], *, knows_stop: bool) -> Kind:
    """Returns the kind of which a user solves the least; STOP only if they know it."""
    kinds = [kind for kind in Kind if knows_stop or kind is not Kind.STOP]
    return min(kinds, key=lambda kind: figures.get(kind, Figure()).share)


class Solver(NamedTuple):
    """How many puzzles of a server a member has `solved`, of those they have `tried`, and their present streak."""

    user: UserId
    solved: int
    tried: int
    streak: int = 0


def puzzle_day(now: Millis) -> str:
    """Returns the day of a moment, in UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def first_day_floor(began: Millis | None, now: Millis) -> float:
    """Returns the lowest rating of a user who `began` to answer then, if at all; none after their first day."""
    return INITIAL_RATING - MAX_FIRST_FALL if began is None or puzzle_day(began) == puzzle_day(now) else -inf


def rate_answer(
    user: Rating, puzzle: Rating, *, right: bool, choices: int, now: Millis, floor: float = -inf
) -> tuple[Rating, Rating]:
    """Returns the ratings of user and puzzle after a first answer, one of so many `choices`.

    Of an answer that would take the user's below the `floor`, only the part counts that does not. No time passes for a
    puzzle: its deviation only shrinks, so it moves ever more slowly. Its volatility stays.
    """
    score, weight = _score(expected(user, puzzle), choices, right=right)
    after = rate_period(user, [GameResult(puzzle, score, weight)], user.periods(now), now)
    value = min(user.value + MAX_CHANGE, max(user.value - MAX_CHANGE, after.value))
    if value < floor <= user.value:
        part = (user.value - floor) / (user.value - value)
        value = user.value + part * (value - user.value)
        after = replace(after, deviation=user.deviation + part * (after.deviation - user.deviation))
    solver = user.at_time(now)
    if solver.deviation > SETTLED_DEVIATION:
        return replace(after, value=value), puzzle
    if right:
        value = max(user.value, min(value, puzzle.value + MAX_ABOVE))
    score, weight = _score(1 - expected(puzzle, solver), choices, right=right)
    moved = rate_period(puzzle, [GameResult(solver, 1 - score, weight)], 0.0, now)
    return replace(after, value=value), replace(moved, volatility=puzzle.volatility)


def _score(chance: float, choices: int, *, right: bool) -> tuple[float, float]:
    """Returns the score of an answer whose user knows it by `chance` and else guesses, and how much it tells.

    Source: the three-parameter model of item response theory. `weight` is its information in parts of an answer that
    cannot be guessed; `weight * (score - chance)` is the slope of its likelihood. The mean of that is 0, so guesses
    lift nobody.
    """
    known = chance / (chance + (1 - chance) / choices)  # how likely a right answer was no guess
    weight = (1 - 1 / choices) * known
    return chance + ((known if right else 0.0) - chance) / weight, weight
