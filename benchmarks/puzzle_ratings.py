"""Simulates solvers of known strength in rushes: `python -m benchmarks.puzzle_ratings` prints what they are rated.

A guesser finds a puzzle as Glicko expects it, and one in four of those that are too hard for them by a guess. A solver
never guesses, and so is rated a little too low: each right answer might have been a guess.
"""

from __future__ import annotations

from random import Random
from statistics import mean, pstdev

from play.community.exercises import exercises
from play.community.puzzle import rate_answer
from play.community.rush import Candidate, choose_tasks
from play.ids import Millis
from play.ratings.glicko import Rating

STRENGTHS = (1000, 1250, 1500, 1750, 2000)
RUSHES = (1, 2, 3, 5)
SOLVERS = 200
ANSWERS = 4


def main() -> None:
    for guesses in (False, True):
        print("guessers" if guesses else "solvers", "rated after 10, 20, 30 and 50 answers (mean ± deviation):")  # noqa: T201
        for strength in STRENGTHS:
            ratings = [rate_solver(strength, seed, guesses=guesses) for seed in range(SOLVERS)]
            columns = [[each[number - 1] for each in ratings] for number in RUSHES]
            print(f"  {strength}:", "  ".join(f"{mean(each):.0f} ± {pstdev(each):.0f}" for each in columns))  # noqa: T201


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
