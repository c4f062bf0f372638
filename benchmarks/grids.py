"""Reads the shared grids of a day and guesses the answers: `python -m benchmarks.grids` prints how often that succeeds.

Solvers of three strengths go through the exercises of each day and share their grids. Who has not found a move tries
those near the last dot first. Readers know the answers of earlier days: they learn which moves were right when grids
looked like those of today (naive Bayes), and guess the first move of each step. Some see the board, too. Each is
compared with one that learns the same without the grids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from datetime import date, timedelta
from math import hypot, log
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from bot.markup import spoken
from play.community.daily import EDITIONS, SHOWN, STEPS, Run, calendar
from play.community.exercise import Exercise
from play.community.exercises import exercises
from play.ids import Millis, UserId
from presentation.daily import shared_text
from rules.game import AnyPosition, Point, parse_point
from tools.program import argument_parser, say

DAYS, SOLVERS = 600, 60
"""Of the calendar, and of each day."""

FIRST_STEPS = 180
"""Steps from which readers only learn."""

STRENGTHS = (800.0, 1200.0, 1600.0)
MAX_WRONG = 8
"""Wrong moves after which a solver has the solution shown."""

THEME = "paper"
MAX_DISTANCE = 6
"""Steps from the last dot that a reader tells apart."""

NORMAL_95 = 1.96
SMOOTHING = 2.0
"""Moves of which as many were right as of all moves, which are counted to those seen."""


class Step(NamedTuple):
    """A step of a day: how the grids show it, the legal first moves, and which of them are right."""

    looks: tuple[Hashable, ...]
    moves: tuple[str, ...]
    right: frozenset[str]
    last: Point
    size: tuple[int, int]


class Reader:
    """One who guesses by how often moves like this were right, with the `grids` and the `board` or without them."""

    def __init__(self, *, grids: bool, board: bool) -> None:
        self._grids, self._board = grids, board
        self._right, self._all = Counter[Hashable](), Counter[Hashable]()

    def learn(self, step: Step) -> None:
        """Notes which moves were right."""
        for move in step.moves:
            for seen in (None, *self._seen(step, move)):
                self._all[seen] += 1
                self._right[seen] += move in step.right

    def guess(self, step: Step, chance: Random) -> str:
        """Returns the likeliest move, one by chance of several."""
        usual = SMOOTHING * self._right[None] / self._all[None]

        def likelihood(move: str) -> float:
            seen = self._seen(step, move)
            return sum(log((self._right[each] + usual) / (self._all[each] + SMOOTHING)) for each in seen)

        return max(chance.sample(step.moves, len(step.moves)), key=likelihood)

    def _seen(self, step: Step, move: str) -> list[Hashable]:
        """Returns all that there is to see of a move: its place, its distance from the last dot, and how grids look."""
        point, (width, height) = parse_point(move), step.size
        sight: Hashable = 3 * point.x // width, 3 * point.y // height
        if self._board:
            sight = sight, min(MAX_DISTANCE, round(_distance(point, step.last)))
        return [(look, sight) for look in (step.looks if self._grids else step.looks[:1])]


READERS = {
    "the day alone": Reader(grids=False, board=False),
    "the grids": Reader(grids=True, board=False),
    "the board": Reader(grids=False, board=True),
    "the board and the grids": Reader(grids=True, board=True),
}


def make_steps(days: int, solvers: int, seed: int = 1) -> list[Step]:
    """Returns the steps of so many days of the calendar, each with the grids of so many solvers."""
    chance, first, steps = Random(seed), date.fromisoformat(EDITIONS[0].day), list[Step]()  # noqa: S311 - a simulation
    words = spoken().of("en")
    for number in range(days):
        day = (first + timedelta(number)).isoformat()
        todays = [exercises()[each] for each in calendar().of(day)]
        positions = [each.position for each in todays]
        texts = []
        for solver in range(solvers):
            strength = STRENGTHS[solver % len(STRENGTHS)]
            pairs = zip(todays, positions, strict=True)
            results = tuple(_solve(exercise, position, strength, chance) for exercise, position in pairs)
            texts.append(shared_text(Run(day, UserId(solver), Millis(0), results=results), 1, words, THEME))
        for place, (exercise, position) in enumerate(zip(todays, positions, strict=True)):
            lines = [text.splitlines()[1 + place] for text in texts]
            steps.append(_step(exercise, position, (place, *_looks(lines))))
    return steps


def count_found(steps: Sequence[Step], reader: Reader, seed: int = 1) -> list[bool]:
    """Lets a reader guess one step after the other and learn its answer; returns which were right, but for the first
    FIRST_STEPS."""
    chance, found = Random(seed), list[bool]()  # noqa: S311 - a simulation
    for number, step in enumerate(steps):
        if number >= FIRST_STEPS:
            found.append(reader.guess(step, chance) in step.right)
        reader.learn(step)
    return found


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Returns the mean, and half of its 95 % interval."""
    return mean(values), NORMAL_95 * stdev(values) / len(values) ** 0.5


def _step(exercise: Exercise, position: AnyPosition, looks: tuple[Hashable, ...]) -> Step:
    picture = position.picture()
    moves, right = tuple(map(str, position.moves())), frozenset(exercise.tree.right)
    assert right <= {*moves}, "a first move is a dot"
    return Step(looks, moves, right, picture.last[0], (picture.width, picture.height))


def _solve(exercise: Exercise, position: AnyPosition, strength: float, chance: Random) -> int:
    """Returns the result of a solver of that strength: wrong moves before a right first one, or SHOWN."""
    if chance.random() < 1 / (1 + 10 ** ((exercise.rating.value - strength) / 400)):
        return 0
    last, right = position.picture().last[0], exercise.tree.right
    moves = [*map(str, position.moves())]
    order = sorted(moves, key=lambda move: _distance(parse_point(move), last) * chance.uniform(0.5, 1.5))
    wrong = next(place for place, move in enumerate(order) if move in right)
    return wrong if wrong <= MAX_WRONG else SHOWN


def _looks(lines: Sequence[str]) -> Iterator[Hashable]:
    """Yields what the grids of a step tell: the parts of solvers with each number of wrong moves, in eighths."""
    for line, count in Counter(lines).items():
        yield line, round(8 * count / len(lines))


def _distance(one: Point, other: Point) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--solvers", type=int, default=SOLVERS)
    given = parser.parse_args()
    steps = make_steps(given.days, given.solvers)
    tried = steps[FIRST_STEPS:]
    say(f"{given.days * STEPS} steps with {given.solvers} grids each, {len(tried)} of them guessed")
    say(f"{'one of the legal moves by chance':<34}{mean(len(step.right) / len(step.moves) for step in tried):7.1%}")
    found = {name: count_found(steps, reader) for name, reader in READERS.items()}
    for name, each in found.items():
        share, error = interval(each)
        say(f"{name:<34}{share:7.1%} ±{error:.1%}")
    for more, less in (("the grids", "the day alone"), ("the board and the grids", "the board")):
        share, error = interval([float(a) - float(b) for a, b in zip(found[more], found[less], strict=True)])
        say(f"{f'{more}, less {less}':<34}{share:+7.1%} ±{error:.1%}")


if __name__ == "__main__":
    main()
