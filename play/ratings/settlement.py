"""What a finished match does to the ratings of its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from play.ids import MatchId, Millis, UserId
from play.ratings.glicko import Rating, Result, rated
from play.ratings.pool import Pool
from play.ratings.table import ranked
from play.ratings.weight import Weight, weight
from rules.game import Outcome


@dataclass(frozen=True, slots=True)
class Game:
    """A rated match that is over. `meetings` is how often its two players had met in this pool within the window of
    `play.ratings.weight`. `score` orders those of a table who did not win."""

    match: MatchId
    pool: Pool
    players: tuple[UserId, ...]
    outcome: Outcome
    score: tuple[float, ...]
    meetings: int
    ended: Millis


@dataclass(frozen=True, slots=True)
class Change:
    """A player's rating before and after a match: kept, so that histories can be shown and mistakes corrected.

    `place` counts from 0; `result` is his part of the win, from 0 to 1.
    """

    match: MatchId
    user: UserId
    pool: Pool
    at: Millis
    place: int
    result: float
    weight: Weight
    before: Rating
    after: Rating


def settled(game: Game, ratings: Mapping[UserId, Rating]) -> tuple[Change, ...]:
    """The changes, in the order of the seats; none if nothing was decided. `ratings` are those before the match."""
    winners = game.outcome.winners
    if not winners:
        return ()
    weights = [Weight(1)] * len(game.players)
    if len(game.players) == 2:
        weights = [weight(game.meetings, opponent, game.ended) for opponent in reversed(game.players)]
    blank = [
        Change(game.match, user, game.pool, game.ended, place, share, worth, ratings[user], ratings[user])
        for user, place, share, worth in zip(
            game.players,
            places(game.outcome, game.score),
            [1 / len(winners) if seat in winners else 0.0 for seat in range(len(game.players))],
            weights,
            strict=True,
        )
    ]
    return settled_again(blank, ratings)


def settled_again(changes: Sequence[Change], ratings: Mapping[UserId, Rating]) -> tuple[Change, ...]:
    """The changes of one match as they are with other `ratings` before it: the results and weights stand."""
    before, at = [ratings[change.user] for change in changes], changes[0].at
    if len(changes) > 2:
        after = ranked(before, [change.place for change in changes], at)
    else:
        after = [
            rated(own, [Result(other.aged(at), change.result, change.weight.value)], own.periods(at), at)
            for change, own, other in zip(changes, before, reversed(before), strict=True)
        ]
    return tuple(
        replace(change, before=old, after=new) for change, old, new in zip(changes, before, after, strict=True)
    )


def places(outcome: Outcome, score: tuple[float, ...]) -> list[int]:
    """Each seat's place from 0: the winners first, the others by their score."""
    merits = [inf if seat in outcome.winners else points for seat, points in enumerate(score)]
    return [sum(other > own for other in merits) for own in merits]
