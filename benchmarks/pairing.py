"""Pairing a Swiss round of the largest tournament, which the event loop waits for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.figure import Figure, times
from play.competitions.pairing import SwissPlayer, swiss
from play.competitions.tournament import MAX_PLAYERS
from play.ids import UserId


def figures() -> Iterator[Figure]:
    runs = [partial(swiss, ranking) for ranking in _rounds(6)]
    yield Figure(f"a Swiss round of {MAX_PLAYERS}", times(runs), "ms", 5, processor=True)


def _rounds(number: int) -> Iterator[list[SwissPlayer]]:
    """Yields the rankings before each round of a tournament in which half of the games are drawn."""
    points = {UserId(user): 0.0 for user in range(1, MAX_PLAYERS + 1)}
    met: dict[UserId, set[UserId]] = {user: set() for user in points}
    for _ in range(number):
        ranking = sorted(points, key=lambda user: (-points[user], user))
        yield (players := [SwissPlayer(user, points[user], 0, frozenset(met[user]), False) for user in ranking])
        for first, second in swiss(players):
            assert second is not None
            points[min(first, second)] += 0.5 if (first + second) % 2 else 1
            points[max(first, second)] += 0.5 if (first + second) % 2 else 0
            met[first].add(second)
            met[second].add(first)
