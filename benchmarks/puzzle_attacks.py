"""Simulates attacks on puzzle ratings: `python -m benchmarks.puzzle_attacks` prints what each brings in 60 days.

Each attacker has the three exercises of the first days of the calendar. A puzzle begins with its first rating.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from random import Random
from statistics import mean
from typing import NamedTuple

from play.community.daily import EDITIONS, calendar
from play.community.exercise import Exercise
from play.community.exercises import exercises
from play.community.puzzle import rate_answer
from play.ids import DAY, Millis
from play.ratings.glicko import Rating

DAYS, RUNS = 60, 20
STRENGTH = 1300.0
"""The true strength of the attackers."""

TO_CHOOSE = 4
"""Moves to choose from, of which one is right."""


class Puzzle(NamedTuple):
    """A step of the daily: its first rating, the legal moves of its board, and how many of them are right."""

    rating: Rating
    moves: int
    right: int


class Try(NamedTuple):
    """One answer: how likely it is right, and among how many moves it was found."""

    chance: float
    choices: int


class Attack(NamedTuple):
    """A way to answer a puzzle; `helpers` first miss it on purpose with accounts of their own."""

    name: str
    answer: Callable[[Puzzle], Try]
    helpers: int = 0


def _finds(puzzle: Puzzle) -> float:
    """Returns how likely a solver of STRENGTH finds a puzzle."""
    return 1 / (1 + 10 ** ((puzzle.rating.value - STRENGTH) / 400))


def _knows(puzzle: Puzzle) -> Try:
    return Try(1.0, puzzle.moves)


ATTACKS = (
    Attack("plays honestly", lambda puzzle: Try(_finds(puzzle), puzzle.moves)),
    Attack("guesses on the board", lambda puzzle: Try(puzzle.right / puzzle.moves, puzzle.moves)),
    Attack("guesses among four moves", lambda _: Try(1 / TO_CHOOSE, TO_CHOOSE)),
    Attack(
        "guesses among four what it does not find",
        lambda puzzle: Try(_finds(puzzle) + (1 - _finds(puzzle)) / TO_CHOOSE, TO_CHOOSE),
    ),
    Attack("knows all answers by a second account", _knows, helpers=1),
    Attack("knows them, and five new accounts miss each puzzle first", _knows, helpers=5),
)


@cache
def puzzles() -> list[list[Puzzle]]:
    """Returns the steps of the first days of the calendar."""
    first = date.fromisoformat(EDITIONS[0].day)
    days = (calendar().of((first + timedelta(number)).isoformat()) for number in range(DAYS))
    return [[_puzzle(exercises()[number]) for number in day] for day in days]


def _puzzle(exercise: Exercise) -> Puzzle:
    return Puzzle(exercise.rating, sum(1 for _ in exercise.position.moves()), len(exercise.tree.right))


REPORTED_DAYS = (1, 7, 30, DAYS)


def main() -> None:
    print("\n".join(table()))  # noqa: T201


def table() -> list[str]:
    """Returns a line for each attack, with the mean ratings of RUNS attackers after each of REPORTED_DAYS."""
    lines = []
    for attack in ATTACKS:
        ratings = [simulate(attack, seed) for seed in range(RUNS)]
        means = [f"{mean(each[day - 1] for each in ratings):.0f}" for day in REPORTED_DAYS]
        lines.append(f"| {attack.name} | {' | '.join(means)} |")
    return lines


def simulate(attack: Attack, seed: int) -> list[float]:
    """Returns the rating of an attacker after each day."""
    chance, user, found = Random(seed), Rating(), list[float]()  # noqa: S311 - a simulation
    for day in range(DAYS):
        now = Millis(day * DAY)
        for puzzle in puzzles()[day]:
            rating = puzzle.rating
            for _ in range(attack.helpers):
                _, rating = rate_answer(Rating(), rating, right=False, choices=puzzle.moves, now=now)
            tried = attack.answer(puzzle)
            user, _ = rate_answer(user, rating, right=chance.random() < tried.chance, choices=tried.choices, now=now)
        found.append(user.value)
    return found


if __name__ == "__main__":
    main()
