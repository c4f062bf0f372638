"""Simulates attacks on puzzle ratings: `python -m benchmarks.puzzle_attacks` prints what each brings in 60 days.

Each attacker has the daily's three steps a day. A puzzle begins with its first rating.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import mean
from typing import NamedTuple

from play.community.puzzle_rating import rate_answer
from play.ids import Millis
from play.ratings.glicko import Rating

DAYS, RUNS = 60, 20
DAY_MILLIS = 86_400_000
STRENGTH = 1300.0
"""The true strength of the attackers."""

LEVELS = (850.0, 1200.0, 1600.0)
"""The ratings of the three steps of a day."""

ON_BOARD, TO_CHOOSE = 60, 4
"""Moves among which a solver finds the right one: free crossings of a board, or those to choose from."""


class Try(NamedTuple):
    """One answer: how likely it is right, and among how many moves it was found."""

    chance: float
    choices: int


class Attack(NamedTuple):
    """A way to answer a puzzle of a rating; `helpers` first miss it on purpose with accounts of their own."""

    name: str
    answer: Callable[[float], Try]
    helpers: int = 0


def _finds(puzzle: float) -> float:
    """Returns how likely a solver of STRENGTH finds a puzzle."""
    return 1 / (1 + 10 ** ((puzzle - STRENGTH) / 400))


ATTACKS = (
    Attack("plays honestly", lambda puzzle: Try(_finds(puzzle), ON_BOARD)),
    Attack("guesses on the board", lambda _: Try(1 / ON_BOARD, ON_BOARD)),
    Attack("guesses among four moves", lambda _: Try(1 / TO_CHOOSE, TO_CHOOSE)),
    Attack(
        "guesses among four what it does not find",
        lambda puzzle: Try(_finds(puzzle) + (1 - _finds(puzzle)) / TO_CHOOSE, TO_CHOOSE),
    ),
    Attack("knows all answers by a second account", lambda _: Try(1.0, ON_BOARD), helpers=1),
    Attack("knows them, and five new accounts miss each puzzle first", lambda _: Try(1.0, ON_BOARD), helpers=5),
)


REPORTED_DAYS = (1, 7, 30, DAYS)


def main() -> None:
    print("\n".join(table()))  # noqa: T201


def table() -> list[str]:
    """Returns the lines of the table in docs/ratings-lab.md, with means over RUNS attackers."""
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
        now = Millis(day * DAY_MILLIS)
        for level in LEVELS:
            puzzle = Rating(level, 90.0)
            for _ in range(attack.helpers):
                _, puzzle = rate_answer(Rating(), puzzle, right=False, choices=ON_BOARD, now=now)
            tried = attack.answer(level)
            user, _ = rate_answer(user, puzzle, right=chance.random() < tried.chance, choices=tried.choices, now=now)
        found.append(user.value)
    return found


if __name__ == "__main__":
    main()
