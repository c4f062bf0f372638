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
from rules.game import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Game:
    """A rated match that is over. `meetings` is how often its two players had met in this pool within the window of
    `play.ratings.weight`. `score` orders those of a table who did not win. `computer` is the seat of the computer,
    who played at `level`, where it did."""

    match: MatchId
    pool: Pool
    players: tuple[UserId, ...]
    outcome: Outcome
    score: tuple[float, ...]
    meetings: int
    ended: Millis
    computer: Seat | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A player's rating before and after a match: kept, so that histories can be shown and mistakes corrected.

    `place` counts from 0; `result` is his part of the win, from 0 to 1; `level` is that of the computer, where it was
    the opponent.
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
    level: int | None = None


def of_level(level: int) -> Rating:
    """The rating of the computer, which never changes: 800 at level 1, and 200 more with each."""
    return Rating(600.0 + 200 * level, 50.0)


def settled(game: Game, ratings: Mapping[UserId, Rating]) -> tuple[Change, ...]:
    """The changes, in the order of the seats; none if nothing was decided. `ratings` are those before the match."""
    winners = game.outcome.winners
    if not winners:
        return ()
    weights = [Weight(1)] * len(game.players)
    if len(game.players) == 2 and game.computer is None:
        weights = [weight(game.meetings, opponent, game.ended) for opponent in reversed(game.players)]
    ordered = places(game.outcome, game.score)
    blank = [
        Change(
            game.match,
            user,
            game.pool,
            game.ended,
            place=ordered[seat],
            result=1 / len(winners) if seat in winners else 0.0,
            weight=weights[seat],
            before=ratings[user],
            after=ratings[user],
            level=game.level,
        )
        for seat, user in enumerate(game.players)
        if seat != game.computer
    ]
    return settled_again(blank, ratings)


def settled_again(changes: Sequence[Change], ratings: Mapping[UserId, Rating]) -> tuple[Change, ...]:
    """The changes of one match as they are with other `ratings` before it: the results and weights stand."""
    before, at = [ratings[change.user] for change in changes], changes[0].at
    if len(changes) > 2:
        after = ranked(before, [change.place for change in changes], at)
    else:
        level = changes[0].level
        others = [other.aged(at) for other in reversed(before)] if level is None else [of_level(level)]
        after = [
            rated(own, [Result(other, change.result, change.weight.value)], own.periods(at), at)
            for change, own, other in zip(changes, before, others, strict=True)
        ]
    return tuple(
        replace(change, before=old, after=new) for change, old, new in zip(changes, before, after, strict=True)
    )


def places(outcome: Outcome, score: tuple[float, ...]) -> list[int]:
    """Each seat's place from 0: the winners first, the others by their score."""
    merits = [inf if seat in outcome.winners else points for seat, points in enumerate(score)]
    return [sum(other > own for other in merits) for own in merits]
