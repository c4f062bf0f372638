"""Seasons of predictions without a board: what strategies bring that know nothing, and what a good judge brings.

The lead of the first player in a game is a random walk with a drift. The ratings show a part of the drift, the judge
sees more of it, and nobody sees the steps that are still to come.

    python -m tests.play.oracles
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from play.community.prediction import PICKS, WINDOWS, Result, points_of, step_of

GAMES: Final = 12
"""Games of a season that one may predict: a final or two a week."""

SPREAD: Final = 12.0
"""The standard deviation of the margin, in dots."""

SEEN: Final = 0.7
"""The part of the difference in strength that the judge sees and the ratings don't."""


class Moment(NamedTuple):
    """A window with all that can be known in it: the score, what ratings add to that, and what the judge sees."""

    window: int
    lead: float
    rated: float
    judged: float

    @property
    def obvious(self) -> int:
        return step_of(round(self.lead + self.rated))


Strategy = Callable[[Moment, Random], int]

STRATEGIES: Final[dict[str, Strategy]] = {
    "the obvious": lambda moment, _: moment.obvious,
    "the leader": lambda moment, _: step_of(round(moment.lead)),
    "the leader, clearly": lambda moment, _: 4 if moment.lead > 0 else -4 if moment.lead < 0 else 0,
    "the favourite": lambda moment, _: 2 if moment.rated > 0 else -2,
    "the underdog": lambda moment, _: -2 if moment.rated > 0 else 2,
    "a draw": lambda moment, _: 0,
    "at random": lambda moment, random: random.choice(PICKS),
    "a good judge": lambda moment, _: step_of(round(moment.lead + moment.judged)),
}


def season(strategy: Strategy, random: Random, *, plain: bool = False) -> int:
    """Returns the points of a season in which a strategy predicts every game in every window; `plain` ones count the
    steps to the result alone, whatever was obvious."""
    return sum(_game(strategy, random, plain=plain) for _ in range(GAMES))


def _game(strategy: Strategy, random: Random, *, plain: bool) -> int:
    rated, hidden, noise = random.gauss(0, SPREAD / 2), random.gauss(0, SPREAD / 2), random.gauss(0, SPREAD / 2)
    judged = rated + SEEN * (hidden + (1 - SEEN) * noise)
    leads = [0.0]
    for _ in range(WINDOWS):
        leads.append(leads[-1] + (rated + hidden + random.gauss(0, SPREAD) * WINDOWS**0.5) / WINDOWS)
    step = step_of(round(leads[-1]))
    points = 0
    for window, lead in enumerate(leads[:-1]):
        rest = 1 - window / WINDOWS
        moment = Moment(window, lead, rated * rest, judged * rest)
        baseline = (PICKS[-1] if step > 0 else PICKS[0]) if plain else moment.obvious
        points += points_of(strategy(moment, random), baseline, window, Result(step, step))
    return points


def seasons(strategy: Strategy, number: int, seed: int, *, plain: bool = False) -> list[int]:
    """Returns the points of so many seasons."""
    random = Random(seed)
    return [season(strategy, random, plain=plain) for _ in range(number)]


def best_of(strategy: Strategy, accounts: int, number: int, seed: int) -> list[int]:
    """Returns the best points of so many accounts, in so many seasons."""
    points = seasons(strategy, accounts * number, seed)
    return [max(points[start : start + accounts]) for start in range(0, len(points), accounts)]


def main() -> None:
    print("strategy | plain points | points | 95th percentile | seasons above zero")  # noqa: T201
    for name, strategy in STRATEGIES.items():
        points = sorted(seasons(strategy, 2000, 45))
        above, plain = sum(each > 0 for each in points) / len(points), fmean(seasons(strategy, 2000, 45, plain=True))
        print(f"{name} | {plain:.0f} | {fmean(points):.0f} | {points[int(0.95 * len(points))]} | {above:.0%}")  # noqa: T201
    print(f"best of 20 at random | {fmean(best_of(STRATEGIES['at random'], 20, 200, 45)):.0f}")  # noqa: T201


if __name__ == "__main__":
    main()
