"""Glicko-2, game by game.

Source: Mark Glickman, *Example of the Glicko-2 system* (2022). Glickman counts in rating periods. We rate each game
when it ends, with the fraction of a period that has passed since the player's last game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

from play.ids import Millis

INITIAL_RATING, MAX_DEVIATION, INITIAL_VOLATILITY = 1500.0, 350.0, 0.06
"""The rating, deviation and volatility of a new player."""

TAU = 0.75
"""How fast the volatility may change."""

MIN_DEVIATION = 45.0
"""No deviation is smaller. Otherwise many games in one evening, in which no time passes, would freeze a rating."""

PROVISIONAL_DEVIATION = 110.0
"""From this deviation on a rating is marked as provisional."""

PERIOD_MILLIS = Millis(403_000_000)
"""A rating period, 4.66 days: without a game a deviation of 60 grows to PROVISIONAL_DEVIATION in a year."""

_SCALE = 400 / log(10)
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength as far as it is known. `at` is when they were rated last, None before the first time."""

    value: float = INITIAL_RATING
    deviation: float = MAX_DEVIATION
    volatility: float = INITIAL_VOLATILITY
    at: Millis | None = None

    @property
    def provisional(self) -> bool:
        return self.deviation >= PROVISIONAL_DEVIATION

    @property
    def assured(self) -> float:
        """The strength that they have at least, almost surely: two deviations below the value."""
        return self.value - 2 * self.deviation

    def at_time(self, now: Millis) -> Rating:
        """Returns the rating with its deviation at `now`. Without games it grows, up to that of a new player."""
        return Rating(self.value, _grown(self.deviation, self.volatility, self.periods(now)), self.volatility, self.at)

    def periods(self, now: Millis) -> float:
        """Returns the rating periods since the last game. 0 before the first one."""
        return 0.0 if self.at is None else max(0, now - self.at) / PERIOD_MILLIS


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game against `opponent`, rated as at its end. `score` is 1 for a win, 0.5 for a draw, 0 for a loss.

    `weight` is how much of a game it counts as: 1, or less where the two meet very often.
    """

    opponent: Rating
    score: float
    weight: float = 1.0


def expected(player: Rating, opponent: Rating) -> float:
    """Returns the score that `player` can expect, from 0 to 1."""
    return 1 / (1 + exp(-_reach(opponent.deviation / _SCALE) * (player.value - opponent.value) / _SCALE))


def rate_period(player: Rating, results: Sequence[GameResult], periods: float, now: Millis) -> Rating:
    """Returns the rating of `player` after `results` of one moment, `periods` rating periods after their last game.

    The steps are those of Glickman's paper: 2 scales, 3 and 4 estimate variance and improvement, 5 finds the
    volatility, 6 widens, 7 narrows, 8 scales back.
    """
    deviation = player.deviation / _SCALE
    precision = gain = 0.0
    for result in results:
        reach = _reach(result.opponent.deviation / _SCALE)
        chance = expected(player, result.opponent)
        precision += result.weight * reach**2 * chance * (1 - chance)
        gain += result.weight * reach * (result.score - chance)
    volatility = _volatility(deviation, player.volatility, 1 / precision, gain / precision)
    widened = _grown(player.deviation, volatility, periods) / _SCALE
    narrowed = 1 / sqrt(1 / widened**2 + precision)
    value = player.value + _SCALE * narrowed**2 * gain
    return Rating(value, min(MAX_DEVIATION, max(MIN_DEVIATION, _SCALE * narrowed)), volatility, now)


def _grown(deviation: float, volatility: float, periods: float) -> float:
    return min(MAX_DEVIATION, sqrt(deviation**2 + periods * (volatility * _SCALE) ** 2))


def _reach(deviation: float) -> float:
    """Returns Glickman's g: how much a game says against an opponent of this deviation."""
    return 1 / sqrt(1 + 3 * deviation**2 / pi**2)


def _volatility(deviation: float, volatility: float, variance: float, improvement: float) -> float:
    """Returns the new volatility (step 5), the root of f, by the Illinois method, which always converges."""
    start = log(volatility**2)
    surprise = improvement**2 - deviation**2 - variance

    def f(x: float) -> float:
        spread = deviation**2 + variance + exp(x)
        return exp(x) * (surprise - exp(x)) / (2 * spread**2) - (x - start) / TAU**2

    low = start
    if surprise > 0:
        high = log(surprise)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return exp(low / 2)
