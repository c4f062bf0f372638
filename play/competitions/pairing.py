"""Pairings of rounds: round robin, Swiss, the bracket of a knock-out, and that with a second chance."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import rustworkx

from play.ids import UserId

Met = Mapping[UserId, Collection[UserId | None]]
"""Whom each player has met."""

Pair = tuple[UserId, UserId | None]
"""The players who move first and second. Without an opponent (None) it is a free round, worth a win."""


def round_robin(players: Sequence[UserId]) -> list[list[Pair]]:
    """Returns all rounds of a round robin. Each player moves first as often as second, give or take one game.

    This is the circle method: one player keeps their place, the others move on by one each round. With an odd number
    each player has one free round.
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
    """Returns whether the first of a pair moves first.

    The player who keeps their place changes sides every round. The other pairs change by their place in the circle.
    """
    return (number if index == 0 else index) % 2 == 0


def _pair(first: UserId | None, second: UserId | None) -> Pair:
    if first is None:
        first, second = second, None
    assert first is not None, "a pair has at least one player"
    return first, second


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """What decides the pairing of a player in a Swiss round. `firsts` is how often they moved first.

    A player of `avoids` is met only if no other pairing of the round is possible; one who is `wished`, if one is.
    """

    user: UserId
    points: float
    firsts: int
    met: frozenset[UserId]
    had_free_round: bool
    avoids: frozenset[UserId] = frozenset()
    wished: UserId | None = None


class NoPairing(Exception):
    """No round is possible in which no two players meet again."""


def swiss(ranking: Sequence[SwissPlayer]) -> list[Pair]:
    """Returns the next Swiss round for `ranking`, the best first.

    Players of equal points meet, the upper half against the lower half, and no two meet twice. With an odd number the
    lowest player without a free round gets one. This is the perfect matching of least cost (Edmonds' blossom
    algorithm); the largest tournament takes milliseconds. Raises NoPairing.
    """
    places = len(ranking) + len(ranking) % 2  # with an odd number, the last one is the free round
    graph = rustworkx.PyGraph[None, int](multigraph=False)
    graph.add_nodes_from([None] * places)
    graph.add_edges_from([(place, lower, -cost) for (place, lower), cost in costs(ranking).items()])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matching) < places:
        raise NoPairing
    pairs = sorted(sorted(pair) for pair in matching)
    return [_with_sides(ranking, higher, lower if lower < len(ranking) else None) for higher, lower in pairs]


_POINTS_COST, _FREE_ROUND_COST = 10_000, 10
"""The costs of a difference of half a point, and of a free round by place. A place off the fold, the pairing of the
upper half with the lower half, costs 1."""

_WISHED_COST = -(10**9)
"""The cost of a pair that the host wishes: more weight than all costs of points and places of a round together."""

_AVOIDED_COST = 10**11
"""The cost of a pair in which one avoids the other: more than all other costs of a round together."""


def costs(ranking: Sequence[SwissPlayer]) -> dict[tuple[int, int], int]:
    """Returns the cost of each pair of places that is allowed, the higher place first.

    It is the square of their distance in half points, then that from the fold. With an odd number, the place after the
    last one means a free round.
    """
    equals = Counter(player.points for player in ranking)
    pairs = {
        (place, lower): _POINTS_COST * int(2 * (player.points - other.points)) ** 2
        + abs(lower - place - equals[player.points] // 2)
        + _AVOIDED_COST * (other.user in player.avoids)
        + _WISHED_COST * (other.user == player.wished)
        for place, player in enumerate(ranking)
        for lower, other in enumerate(ranking[place + 1 :], start=place + 1)
        if other.user not in player.met
    }
    if len(ranking) % 2:
        pairs |= {
            (place, len(ranking)): _FREE_ROUND_COST * (len(ranking) - place) + _POINTS_COST * int(4 * player.points**2)
            for place, player in enumerate(ranking)
            if not player.had_free_round
        }
    return pairs


def _with_sides(ranking: Sequence[SwissPlayer], place: int, lower: int | None) -> Pair:
    """Returns the pair in the order in which they move.

    The player who has moved first less often moves first. At a tie it is the higher one on every other board.
    """
    higher = ranking[place]
    if lower is None:
        return higher.user, None
    other = ranking[lower]
    if (higher.firsts, place % 2) <= (other.firsts, 0):
        return higher.user, other.user
    return other.user, higher.user


def exhibition(players: Sequence[UserId]) -> list[Pair]:
    """Returns the only round of an exhibition, in which the first player meets all others, and moves first on every
    other board."""
    host, *others = players
    return [(host, other) if number % 2 == 0 else (other, host) for number, other in enumerate(others)]


def bracket(players: Sequence[UserId]) -> list[Pair]:
    """Returns the first round of a knock-out for `players`, the best first. The two best can meet only in the final.

    If the number is no power of two, the best have a free round. The winners of neighbouring pairs meet next.
    """
    order = [0]
    while len(order) < len(players):
        order = [seed for above in order for seed in (above, 2 * len(order) - 1 - above)]
    seats = [players[seed] if seed < len(players) else None for seed in order]
    return [_pair(*pair) for pair in zip(seats[::2], seats[1::2], strict=True)]


def with_wishes(pairs: Sequence[Pair], wishes: Collection[tuple[UserId, UserId]]) -> list[Pair]:
    """Returns the pairs of a first round in which those meet who are to, and their opponents each other."""
    changed = list(pairs)
    for user, wished in wishes:
        own, other = (next((at for at, pair in enumerate(changed) if each in pair), None) for each in (user, wished))
        if own is not None and other is not None and own != other:
            left = changed[own][changed[own][0] == user]
            rival = changed[other][changed[other][0] == wished]
            changed[own] = user, wished
            changed[other] = _pair(left, rival)
    return changed


def next_knock_out_round(winners: Sequence[UserId]) -> list[Pair]:
    """Returns the next round of a knock-out for the `winners` of a round, in its order."""
    return list(zip(winners[::2], winners[1::2], strict=True))


def double_elimination(unbeaten: Sequence[UserId], beaten: Sequence[UserId], met: Met) -> list[Pair]:
    """Returns the next round of players who are out with their second defeat.

    The `unbeaten`, in the order of the bracket, play their neighbours. The `beaten` have one defeat, the one who is to
    have a free round first, then the best ones: each plays the last whom they have not met, if there is one. The last
    of both meet in the final.
    """
    if len(unbeaten) == len(beaten) == 1:
        return [(unbeaten[0], beaten[0])]
    pairs: list[Pair] = [(unbeaten[at], unbeaten[at + 1]) for at in range(0, len(unbeaten) - 1, 2)]
    if len(unbeaten) % 2:
        pairs.append((unbeaten[-1], None))
    left = list(beaten)
    if len(left) % 2:
        pairs.append((left.pop(0), None))
    while left:
        first = left.pop(0)
        second = next((other for other in reversed(left) if other not in met[first]), left[-1])
        left.remove(second)
        pairs.append((first, second))
    return pairs
