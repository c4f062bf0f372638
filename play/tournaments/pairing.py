"""Who meets whom: tables for everybody against everybody, Swiss rounds, and the bracket of a knock-out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx

from play.ids import UserId

Pair = tuple[UserId, UserId | None]
"""Who moves first and who second; without an opponent (None) it is a free round, worth a win."""


def round_robin(players: Sequence[UserId]) -> list[list[Pair]]:
    """Every round of everybody against everybody, each moving first as often as second, give or take one.

    The circle method: one player keeps his seat, the others move on by one each round. An odd number has a free round
    each.
    """
    circle = [None, *players] if len(players) % 2 else list(players)
    half = len(circle) // 2
    rounds = []
    for number in range(len(circle) - 1):
        seats = [circle[0], *circle[1 + number :], *circle[1 : 1 + number]]
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        rounds.append([_pair(*(pair if _leads(index, number) else pair[::-1])) for index, pair in enumerate(pairs)])
    return rounds


def _leads(index: int, number: int) -> bool:
    """Who keeps his seat changes every round; in the other pairs the sides change by their place in the circle."""
    return (number if index == 0 else index) % 2 == 0


def _pair(first: UserId | None, second: UserId | None) -> Pair:
    if first is None:
        first, second = second, None
    assert first is not None, "nobody is paired with nobody"
    return first, second


@dataclass(frozen=True, slots=True)
class Record:
    """What pairs a player of a Swiss tournament: his points, how often he moved first, and whom he has met."""

    user: UserId
    points: float
    firsts: int
    met: frozenset[UserId]
    had_free_round: bool


class NoPairing(Exception):
    """Nobody is left to meet whom he has not met."""


def swiss(ranking: Sequence[Record]) -> list[Pair]:
    """The next round for `ranking`, the best first: equal points meet, upper half against lower half, nobody twice.

    The lowest player who has not had one gets the free round of an odd number. It is the perfect matching of least cost
    (Edmonds' blossom algorithm). Raises NoPairing.
    """
    graph, nobody = networkx.Graph(), len(ranking)
    for place, player in enumerate(ranking):
        for lower in range(place + 1, len(ranking)):
            if ranking[lower].user not in player.met:
                graph.add_edge(place, lower, weight=-_cost(ranking, place, lower))
        if len(ranking) % 2 and not player.had_free_round:
            graph.add_edge(place, nobody, weight=-_FREE * (nobody - place) - _POINTS * int(4 * player.points**2))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < len(ranking):
        raise NoPairing
    pairs = sorted(sorted(pair) for pair in matching)
    return [_seated(ranking, higher, None if lower == nobody else lower) for higher, lower in pairs]


_POINTS, _FREE = 10_000, 10
"""What a difference of half a point costs, and a free round by place, beside one place off the fold."""


def _cost(ranking: Sequence[Record], place: int, lower: int) -> int:
    """How little `place` and `lower` should meet: by the square of their distance in half points, then by the fold."""
    difference = int(2 * (ranking[place].points - ranking[lower].points))
    equals = sum(record.points == ranking[place].points for record in ranking)
    return _POINTS * difference**2 + abs(lower - place - equals // 2)


def _seated(ranking: Sequence[Record], place: int, lower: int | None) -> Pair:
    """The pair with whoever has moved first less often in front; at a tie, the higher one on every other board."""
    higher = ranking[place]
    if lower is None:
        return higher.user, None
    other = ranking[lower]
    if (higher.firsts, place % 2) <= (other.firsts, 0):
        return higher.user, other.user
    return other.user, higher.user


def bracket(players: Sequence[UserId]) -> list[Pair]:
    """The first round of a knock-out for `players`, the best first: the two best can meet only in the final.

    The best have a free round where the number is no power of two. Winners of neighbouring pairs meet next
    (`advanced`).
    """
    order = [0]
    while len(order) < len(players):
        order = [seed for above in order for seed in (above, 2 * len(order) - 1 - above)]
    seats = [players[seed] if seed < len(players) else None for seed in order]
    return [_pair(*pair) for pair in zip(seats[::2], seats[1::2], strict=True)]


def advanced(winners: Sequence[UserId]) -> list[Pair]:
    """The next round for the `winners` of a round, in its order."""
    return list(zip(winners[::2], winners[1::2], strict=True))
