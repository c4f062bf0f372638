"""Simulates solvers of known strength in rushes: `python -m benchmarks.puzzle_ratings` prints what they are rated.

A guesser finds a puzzle as Glicko expects it, and one in four of those that are too hard for them by a guess. A solver
never guesses, and so is rated a little too low: each right answer might have been a guess.

Newcomers play the daily on the board, which begins with their first days. They are *held* as it is, so that the first
day costs them MAX_FIRST_FALL at most, or *free*, without that floor.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from math import inf
from random import Random
from statistics import mean, pstdev

from play.community.daily import EDITIONS, Newcomer, Run, calendar
from play.community.exercises import exercises
from play.community.puzzle import first_day_floor, rate_answer
from play.community.rush import Candidate, choose_tasks
from play.community.streak import day_start
from play.ids import DAY, Millis, UserId
from play.ratings.glicko import Rating

STRENGTHS = (1000, 1250, 1500, 1750, 2000)
RUSHES = (1, 2, 3, 5)
SOLVERS = 200
ANSWERS = 4
NEWCOMERS = (700, 1000, 1250, 1500, 1750)
DAYS = (1, 2, 3, 5, 10, 20, 40)


def main() -> None:
    for guesses in (False, True):
        print("guessers" if guesses else "solvers", "rated after 10, 20, 30 and 50 answers (mean ± deviation):")  # noqa: T201
        for strength in STRENGTHS:
            ratings = [rate_solver(strength, seed, guesses=guesses) for seed in range(SOLVERS)]
            columns = [[each[number - 1] for each in ratings] for number in RUSHES]
            print(f"  {strength}:", "  ".join(f"{mean(each):.0f} ± {pstdev(each):.0f}" for each in columns))  # noqa: T201
    for held in (True, False):
        print(f"newcomers, {'held' if held else 'free'}, rated after {DAYS} days (mean ± deviation):")  # noqa: T201
        for strength in NEWCOMERS:
            ratings = [rate_newcomer(strength, seed, held=held) for seed in range(SOLVERS)]
            columns = [[each[day - 1] for each in ratings] for day in DAYS]
            print(f"  {strength}:", "  ".join(f"{mean(each):.0f} ± {pstdev(each):.0f}" for each in columns))  # noqa: T201


def rate_newcomer(strength: float, seed: int, *, held: bool) -> list[float]:
    """Returns the puzzle rating of a newcomer after each day of the daily. First ratings of puzzles are true."""
    chance, user, found = Random(seed), Rating(), list[float]()  # noqa: S311 - a simulation
    first = date.fromisoformat(EDITIONS[-1].day)
    for number in range(max(DAYS)):
        day, now = (first + timedelta(number)).isoformat(), Millis(day_start(EDITIONS[-1].day) + number * DAY)
        run = Run.begin(day, UserId(1), now, Newcomer(number, user, knows_stop=False))
        for exercise in (exercises()[each] for each in calendar().of_run(run)):
            finds = 1 / (1 + 10 ** ((exercise.rating.value - strength) / 400))
            moves = _moves(exercise.number)
            right = chance.random() < finds + (1 - finds) * len(exercise.tree.right) / moves
            floor = first_day_floor(None if number == 0 else Millis(0), now) if held else -inf
            user, _ = rate_answer(user, exercise.rating, right=right, choices=moves, now=now, floor=floor)
        found.append(user.value)
    return found


@cache
def _moves(number: int) -> int:
    return sum(1 for _ in exercises()[number].position.moves())


def rate_solver(strength: float, seed: int, *, guesses: bool) -> list[float]:
    """Returns the puzzle rating of a solver after each rush. The ratings of puzzles are those of the set, and true."""
    chance, user, found = Random(seed), Rating(), list[float]()  # noqa: S311 - a simulation
    unmet = {each.id: each for each in exercises().values()}
    for rush in range(max(RUSHES)):
        candidates = [Candidate(each.id, each.rating.value, each.kind) for each in unmet.values()]
        for task in choose_tasks(candidates, [], [], user, f"{seed} {rush}"):
            rating = unmet.pop(task).rating
            finds = 1 / (1 + 10 ** ((rating.value - strength) / 400))
            right = chance.random() < (finds + (1 - finds) / ANSWERS if guesses else finds)
            user, _ = rate_answer(user, rating, right=right, choices=ANSWERS, now=Millis(rush))
        found.append(user.value)
    return found


if __name__ == "__main__":
    main()
