"""What a finished match does to the ratings of its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """A player's rating before and after a match: kept, so that histories can be shown and mistakes corrected."""

    match: MatchId
    user: UserId
    pool: Pool
    at: Millis
    result: float
    weight: Weight
    before: Rating
    after: Rating


def settled(game: Game, ratings: Mapping[UserId, Rating]) -> tuple[Change, ...]:
    """The changes, in the order of the seats; none if nothing was decided. `ratings` are those before the match."""
    if not game.outcome.winners:
        return ()
    before = [ratings[user] for user in game.players]
    if len(game.players) > 2:
        after = ranked(before, places(game.outcome, game.score), game.ended)
        weights = [Weight(1)] * len(game.players)
    else:
        weights = [weight(game.meetings, opponent, game.ended) for opponent in reversed(game.players)]
        after = [
            rated(own, [Result(other.aged(game.ended), result, worth.value)], own.periods(game.ended), game.ended)
            for own, other, result, worth in zip(before, reversed(before), _results(game), weights, strict=True)
        ]
    return tuple(
        Change(game.match, user, game.pool, game.ended, result, worth, old, new)
        for user, result, worth, old, new in zip(game.players, _results(game), weights, before, after, strict=True)
    )


def _results(game: Game) -> Sequence[float]:
    """Each seat's part of the win."""
    winners = game.outcome.winners
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(len(game.players))]


def places(outcome: Outcome, score: tuple[float, ...]) -> list[int]:
    """Each seat's place from 0: the winners first, the others by their score."""
    merits = [inf if seat in outcome.winners else points for seat, points in enumerate(score)]
    return [sum(other > own for other in merits) for own in merits]
