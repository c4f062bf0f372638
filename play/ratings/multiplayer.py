"""Ratings of three and four players: the Plackett-Luce model of openskill, on Glicko's scale.

Source: Weng and Lin, *A Bayesian Approximation Method for Online Ranking*, JMLR 12 (2011).
"""

from __future__ import annotations

from collections.abc import Sequence

from openskill.models import PlackettLuce

from play.ids import Millis
from play.ratings.glicko import INITIAL_RATING, MAX_DEVIATION, MIN_DEVIATION, Rating

_MODEL = PlackettLuce(mu=INITIAL_RATING, sigma=MAX_DEVIATION, beta=MAX_DEVIATION / 2, tau=MAX_DEVIATION / 100)
"""The model's usual proportions, with 1500 and 350 for a new player."""


def rate_table(players: Sequence[Rating], places: Sequence[int], now: Millis) -> list[Rating]:
    """Returns the ratings after a game. `places` counts from 0; players with the same place drew."""
    teams = [[_MODEL.rating(mu=player.value, sigma=player.deviation)] for player in players]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(team[0].mu, min(MAX_DEVIATION, max(MIN_DEVIATION, team[0].sigma)), player.volatility, now)
        for player, team in zip(players, rated, strict=True)
    ]
