"""Standings of a tournament, with their tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from play.ids import UserId


@dataclass(frozen=True, slots=True)
class Score:
    """A finished game of two players, or (without `second`) a free round of `first`. Both may have lost."""

    first: UserId
    second: UserId | None
    points: tuple[float, float]

    @property
    def sides(self) -> tuple[tuple[UserId, UserId | None, float], ...]:
        """Each player with their opponent and their points."""
        if self.second is None:
            return ((self.first, None, self.points[0]),)
        return (self.first, self.second, self.points[0]), (self.second, self.first, self.points[1])


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line in the standings. `place` counts from 1; players who tie in everything share it.

    `buchholz` is the sum of the points of all opponents. `sonneborn_berger` is that of the opponents whom the player
    beat, and half of that of those with whom they drew. In a free round players count as their own opponent with whom
    they drew (a simple form of FIDE's rule of the virtual opponent).
    """

    place: int
    user: UserId
    points: float
    wins: int
    buchholz: float
    sonneborn_berger: float


def standings(players: Sequence[UserId], scores: Iterable[Score], *, swiss: bool) -> list[Standing]:
    """Returns the standings, the best first.

    Ties are broken by Buchholz (only if `swiss`), then by Sonneborn-Berger, then by wins. Players who still tie share
    a place, in the order of `players`.
    """
    sides = [side for score in scores for side in score.sides]
    points = dict.fromkeys(players, 0.0)
    for user, _, gained in sides:
        points[user] += gained
    wins, buchholz, berger = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0), dict.fromkeys(players, 0.0)
    for user, opponent, gained in sides:
        if opponent is None:
            buchholz[user] += points[user]
            berger[user] += points[user] / 2
        else:
            wins[user] += gained == 1
            buchholz[user] += points[opponent]
            berger[user] += points[opponent] * gained

    def merit(user: UserId) -> tuple[float, ...]:
        ties = (buchholz[user], berger[user]) if swiss else (berger[user],)
        return (points[user], *ties, wins[user])

    order = sorted(players, key=merit, reverse=True)
    table: list[Standing] = []
    for index, user in enumerate(order):
        tied = index > 0 and merit(user) == merit(order[index - 1])
        place = table[-1].place if tied else index + 1
        table.append(Standing(place, user, points[user], wins[user], buchholz[user], berger[user]))
    return table
