"""Line-ups of a contest on boards, by rating or as managers want them, and its pairs: none has blocked one another."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import rustworkx

from play.competitions.contest import (
    MIN_BOARDS,
    NO_BLOCKS,
    Blocked,
    Board,
    Cause,
    Contest,
    Player,
    PlayerNumber,
    Side,
    Stage,
    cancel,
)
from play.ids import Millis, UserId
from play.refusal import Reason, Refused

NONE_PLAYED: Final[Mapping[UserId, int]] = {}


def line_up(
    contest: Contest, side: Side, ratings: Mapping[UserId, float], played: Mapping[UserId, int]
) -> list[Player]:
    """Returns the players of a side, the first board's first: as its manager wants them, or else by rating, then by the
    games that they have `played` on this server, then as they signed up."""
    players = [player for _, player in contest.of_side(side)]
    if side in contest.arranged:
        return players
    return sorted(players, key=lambda each: (-ratings[each.user], -played.get(each.user, 0)))


def place_player(
    contest: Contest,
    side: Side,
    user: UserId,
    place: int,
    ratings: Mapping[UserId, float],
    played: Mapping[UserId, int],
) -> Contest:
    """Gives a player of a side a place, from 1, in its line-up, for its manager; one who was removed is back with that.
    Those who sign up later come last. Raises Refused."""
    contest.require(Stage.SIGN_UP)
    own = line_up(contest, side, ratings, played)
    placed = next((each for each in own if each.user == user), None)
    if placed is None:
        raise Refused(Reason.TEAM_NOT_LISTED, user=user)
    others = [player for _, player in contest.of_side(side.other)]
    own.remove(placed)
    own.insert(min(place, sum(not each.left for each in own) + 1) - 1, replace(placed, left=False))
    return replace(contest, players=(*others, *own), arranged=contest.arranged | {side})


def begin_when_due(
    contest: Contest,
    ratings: Mapping[UserId, float],
    blocked: Blocked,
    absent: Collection[UserId],
    lot: int,
    now: Millis,
    played: Mapping[UserId, int] = NONE_PLAYED,
) -> Contest:
    """Pairs the players of a contest whose sign-up is over, or cancels it if they make too few boards.

    Each side lines up as `line_up` says. The `absent` may not play. `lot` decides which side moves first on the first
    board; then the colours alternate.
    Returns the contest unchanged if it does not begin now.
    """
    if contest.stage is not Stage.SIGN_UP or contest.closes is None or now < contest.closes:
        return contest
    players = tuple(
        replace(each, rating=ratings[each.user], left=each.left or each.user in absent)
        for side in Side
        for each in line_up(contest, side, ratings, played)
    )
    rated = replace(contest, players=players)
    home, guest = (rated.substitutes(side) for side in Side)
    pairs = pair(
        *([players[number].user for number in side] for side in (home, guest)), blocked=blocked, most=contest.size
    )
    if len(pairs) < MIN_BOARDS:
        return cancel(rated, Cause.TOO_FEW)
    boards = [
        Board(number, _numbers(home[first], guest[second]), Side((number + lot) % 2))
        for number, (first, second) in enumerate(pairs, start=1)
    ]
    ends = None if contest.time is None else Millis(now + contest.time)
    return replace(rated, stage=Stage.RUNNING, boards=tuple(boards), ends=ends)


def _numbers(home: PlayerNumber, guest: PlayerNumber) -> tuple[PlayerNumber, PlayerNumber]:
    return home, guest


def pair(
    home: Sequence[UserId], guest: Sequence[UserId], *, blocked: Blocked = NO_BLOCKS, most: int
) -> list[tuple[int, int]]:
    """Returns the places of the pairs in both lists, which begin with the best: the first board first.

    Players of the same place meet. Where a block forbids that, those near them change places, so that all moves
    together are the least. If that is not enough, the next ones on the lists take part.
    """
    boards = min(len(home), len(guest), most)
    pairs: list[tuple[int, int]] = []
    for size in range(boards, max(len(home), len(guest)) + 1):
        pairs = _match(home[:size], guest[:size], blocked)
        if len(pairs) >= boards:
            break
    return sorted(pairs, key=lambda places: (sum(places), places))[:boards]


def _match(home: Sequence[UserId], guest: Sequence[UserId], blocked: Blocked) -> list[tuple[int, int]]:
    """Returns as many pairs as possible, with the least sum of squared distances of their places."""
    graph = rustworkx.PyGraph[None, int](multigraph=False)
    graph.add_nodes_from([None] * (len(home) + len(guest)))
    edges = [
        (place, len(home) + other, -((place - other) ** 2))
        for place, user in enumerate(home)
        for other, opponent in enumerate(guest)
        if opponent != user and opponent not in blocked.get(user, ())
    ]
    graph.add_edges_from(edges)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(each), max(each) - len(home)) for each in matching)
