"""The changes that a finished match makes to the ratings of its players, and how much it counts.

Those of three and four players follow the Plackett-Luce model of openskill, on Glicko's scale. The limits of what
counts make it pointless to farm points; each has a key by which players are told. One is told to nobody: what makes
a game count less must not show how old an account is (docs/decisions/community.md#0135).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import copysign, inf

from openskill.models import PlackettLuce

from play.challenge.pool import FAMILIES, Family, Pool
from play.ids import DAY, GuildId, MatchId, Millis, Platform, UserId, creation_time, ids_since
from play.ratings.glicko import INITIAL_RATING, MAX_DEVIATION, MIN_DEVIATION, GameResult, Rating, rate_period
from rules.game import AnyGame, Outcome, Seat

MIN_MOVES = 10
"""Moves of each player. In a shorter game nobody gains by a resignation or an agreed draw: a friend can lose such a
game in ten seconds. The loser loses as always, so that resigning early saves no rating."""

DECIDED_WITHOUT_MOVE = frozenset({"resign", "time", "draw", "agreed", "adjudged"})
"""Ends by the decision of a player, a moderator or a clock, and not by a move."""

PAIR_WINDOW = DAY
MAX_FULL_GAMES = 3
"""The first games of two players within PAIR_WINDOW count in full. Each further one counts half of the one before, so a
day never brings more than four games' worth."""

OPPONENT_WINDOW = Millis(60 * DAY)
MAX_OF_OPPONENT = 0.5
"""Within OPPONENT_WINDOW games against one opponent move a rating by half of its deviation at most, up or down: what
rests on few opponents is no measure of strength, since these may be accounts of one person. All young accounts
together count as one opponent."""

YOUNG_AGE = Millis(14 * DAY)
YOUNG_WEIGHT = 0.25
"""Accounts cost nothing, so a game against one made within the last two weeks counts a quarter. All such accounts
together count as one opponent, so that many of them are worth no more than one. Where a platform doesn't tell when one
was made, it counts from when we first saw it."""

ADJUDGED_WEIGHT = 0.25
"""A game that a moderator or the end of a round decided was not played to its end, so it counts a quarter for those who
gain. It costs the loser as usual: otherwise a friend who moderates could make losses cheap."""

_MODEL = PlackettLuce(mu=INITIAL_RATING, sigma=MAX_DEVIATION, beta=MAX_DEVIATION / 2, tau=MAX_DEVIATION / 100)
"""The model's usual proportions, with 1500 and 350 for a new player."""

MAX_CHANGE = 200.0
"""The most points by which a game that counts in full changes a rating. Between new players of equal strength it is 160
to 180, while a single win over a friend of 2200 would bring 650."""

WEAK_LEVEL_GAP = 400.0
"""Points by which a level may be below a player's rating before wins over it bring nothing. The computer never tires
and its rating never falls, so a player could beat its weak levels for ever."""

BEYOND_GAP = 2.4
"""How much more a point of komi is worth beyond the gap between two players than within it: 170 rating points between
equals, 71 as measured at a gap of 400 (docs/fair-play-lab.md)."""


@dataclass(frozen=True, slots=True)
class Weight:
    """How much of a game counts, and the reasons that players are told if it is not all of it.

    Reasons: `repeated_pair`, `adjudged`, `many_decisions`, `decided_computer`, `short_game`, `late_computer`,
    `weak_level`, `unsettled_handicap`, `komi_alone`.
    """

    value: float = 1.0
    reasons: tuple[str, ...] = ()

    def times(self, part: float, reason: str) -> Weight:
        """Returns this weight times `part`, for a further reason."""
        return Weight(self.value * part, (*self.reasons, reason))

    def times_untold(self, part: float) -> Weight:
        """Returns this weight times `part`, for a reason that nobody is told."""
        return Weight(self.value * part, self.reasons)


def weight(games_before: int, opponents: Sequence[UserId], now: Millis, *, young_before: int = 0) -> Weight:
    """Returns the weight for a player who has met `opponents` in `games_before` rated games of this pool within
    PAIR_WINDOW, and young accounts in `young_before`, if one of the opponents is one. Of several opponents the one whom
    they have met most often counts."""
    value = Weight()
    if games_before >= MAX_FULL_GAMES:
        value = value.times(_repeated(games_before), "repeated_pair")
    if any(is_young(opponent, now) for opponent in opponents):
        value = value.times_untold(YOUNG_WEIGHT * min(1.0, _repeated(young_before) / _repeated(games_before)))
    return value


def _repeated(games_before: int) -> float:
    """Returns how much a further game of a pair counts."""
    return 0.5 ** max(0, games_before - MAX_FULL_GAMES + 1)


def is_young(user: UserId, now: Millis) -> bool:
    """Returns whether the account was made within YOUNG_AGE."""
    return now - creation_time(user) < YOUNG_AGE


def young_ids(now: Millis) -> list[range]:
    """Returns the ids of all accounts that `is_young` is true of, platform by platform."""
    return [ids_since(platform, Millis(now - YOUNG_AGE + 1)) for platform in Platform]


def as_opponent(user: UserId, now: Millis) -> list[range]:
    """Returns the ids of all accounts that count as one opponent with a user within OPPONENT_WINDOW: with a young one
    all that may have been young when they were met."""
    if not is_young(user, now):
        return [range(user, user + 1)]
    return [ids_since(platform, Millis(now - YOUNG_AGE - OPPONENT_WINDOW + 1)) for platform in Platform]


def rate_table(players: Sequence[Rating], places: Sequence[int], now: Millis) -> list[Rating]:
    """Returns the ratings after a game. `places` counts from 0; players with the same place drew."""
    teams = [[_MODEL.rating(mu=player.value, sigma=player.deviation)] for player in players]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(team[0].mu, min(MAX_DEVIATION, max(MIN_DEVIATION, team[0].sigma)), player.volatility, now)
        for player, team in zip(players, rated, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated match that is over.

    `meetings` has by seat how many rated games of this pool the player has against the same opponents within
    `play.ratings.settlement.PAIR_WINDOW`; it is empty if there are none. `young_meetings` has those against all young
    accounts together, if an opponent is one. `moved` has, in a game of two, by how many deviations the games of
    OPPONENT_WINDOW against the opponent have moved the player's rating. `score` orders the players who did not win, if
    there are several.
    `computer` is the seat of the computer, if it took part, which counts as `level`.

    A `short` game was given up after few moves. In a game with a `late_computer`, the computer had no time to think.
    Both bring the winner nothing, and cost the loser as usual. So does a decision for a player of `often_favored`, for
    whom enough games have been decided.

    `handicap` is by how many points the handicap makes seat 0 stronger, in a game of two. If seat 0 ended it early and
    without a lead on the board, `komi_alone` decided it; then it changes no rating.
    """

    match: MatchId
    pool: Pool
    players: tuple[UserId, ...]
    outcome: Outcome
    score: tuple[float, ...]
    meetings: tuple[int, ...]
    ended: Millis
    computer: Seat | None = None
    level: int | None = None
    short: bool = False
    late_computer: bool = False
    often_favored: frozenset[Seat] = frozenset()
    handicap: float = 0.0
    komi_alone: bool = False
    young_meetings: tuple[int, ...] = ()
    moved: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A player's rating before and after a match. It is stored to show histories and to correct mistakes.

    `place` counts from 0. `result` is the player's share of the win, from 0 to 1. `level` is that as which the computer
    counts, if it was the opponent. `offset` is by how many points the handicap made the player stronger; the giver's is
    negative. `guild` is the server for which the player has played: the match counts in its tables. `moved` is by how
    many deviations earlier games against the opponent have moved the rating; None where that bounds nothing.
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
    offset: float = 0.0
    guild: GuildId | None = None
    moved: float | None = None

    @property
    def moves(self) -> float:
        """By how many deviations the match itself has moved the rating."""
        return (self.after.value - self.before.value) / self.before.deviation


def counted_level(game: AnyGame, level: int) -> int:
    """Returns the level as which a level of the computer counts in a game.

    At two squares and at Dot Dash its levels lie closer than at Dots (docs/decisions/computer.md#0127).
    """
    return 1 + level // 2 if FAMILIES[game.key] in (Family.FAR, Family.DASH) else level


def level_rating(level: int) -> Rating:
    """Returns the rating of the computer, which never changes: 800 at level 1, and 200 more with each level."""
    return Rating(600.0 + 200 * level, 50.0)


def rate(game: RatedGame, ratings: Mapping[UserId, Rating]) -> tuple[RatingChange, ...]:
    """Returns the changes in the order of the seats, or none if nothing was decided.

    `ratings` are those before the match.
    """
    winners = game.outcome.winners
    if not winners:
        return ()
    ordered = places(game.outcome, game.score)
    unrated_for = _handicap_limit(game, ratings)
    unrated = [
        RatingChange(
            game.match,
            user,
            game.pool,
            game.ended,
            place=ordered[seat],
            result=1 / len(winners) if seat in winners else 0.0,
            weight=Weight(0.0, (unrated_for,)) if unrated_for else _weight(game, Seat(seat), ratings[user]),
            before=ratings[user],
            after=ratings[user],
            level=game.level,
            offset=-game.handicap if seat else game.handicap,
            moved=game.moved[seat] if game.moved else None,
        )
        for seat, user in enumerate(game.players)
        if seat != game.computer
    ]
    return rate_again(unrated, ratings)


def rate_again(changes: Sequence[RatingChange], ratings: Mapping[UserId, Rating]) -> tuple[RatingChange, ...]:
    """Returns the changes of one match for other `ratings` before it. Results and weights stay the same."""
    before, at = [ratings[change.user] for change in changes], changes[0].at
    if len(changes) > 2:
        full = rate_table(before, [change.place for change in changes], at)
        after = [_part(own, new, change.weight.value) for change, own, new in zip(changes, before, full, strict=True)]
    else:
        level = changes[0].level
        others = [other.at_time(at) for other in reversed(before)] if level is None else [level_rating(level)]
        others = [_met(other, own, change.offset) for change, own, other in zip(changes, before, others, strict=True)]
        after = [
            rate_period(own, [GameResult(other, change.result, change.weight.value)], own.periods(at), at)
            if change.weight.value
            else own
            for change, own, other in zip(changes, before, others, strict=True)
        ]
    return tuple(
        replace(change, before=old, after=_bounded(change, old, new))
        for change, old, new in zip(changes, before, after, strict=True)
    )


def _handicap_limit(game: RatedGame, ratings: Mapping[UserId, Rating]) -> str | None:
    """Returns the reason why a game with a handicap changes no rating, if there is one."""
    people = [user for seat, user in enumerate(game.players) if seat != game.computer]
    if game.handicap and any(ratings[user].at_time(game.ended).provisional for user in people):
        return "unsettled_handicap"
    return "komi_alone" if game.komi_alone else None


def _met(other: Rating, own: Rating, offset: float) -> Rating:
    """Returns the rating of an opponent as the handicap makes it for a player with this `offset`.

    Up to the gap between them the handicap counts for both. What is beyond it counts only against its receiver, and
    BEYOND_GAP times: so a handicap that is too large earns neither of them more than a fair one.
    """
    within = max(0.0, min(abs(offset), other.value - own.value if offset > 0 else own.value - other.value))
    if offset < 0:
        return replace(other, value=other.value + within)
    return replace(other, value=other.value - within - BEYOND_GAP * (offset - within))


def _weight(game: RatedGame, seat: Seat, own: Rating) -> Weight:
    """Returns how much the game counts for the player of `seat`, whose rating before it was `own`."""
    counts, gains = Weight(), seat in game.outcome.winners
    if game.computer is None:
        others = [user for other, user in enumerate(game.players) if other != seat]
        met = game.meetings[seat] if game.meetings else 0
        young = game.young_meetings[seat] if game.young_meetings else 0
        counts = weight(met, others, game.ended, young_before=young)
    if gains and game.outcome.reason == "adjudged":
        counts = _weigh_decision(game, seat, counts)
    if gains and game.short:
        counts = counts.times(0, "short_game")
    if gains and game.late_computer:
        counts = counts.times(0, "late_computer")
    is_win = gains and len(game.outcome.winners) == 1
    if is_win and game.level is not None and own.value - level_rating(game.level).value > WEAK_LEVEL_GAP:
        counts = counts.times(0, "weak_level")
    return counts


def _weigh_decision(game: RatedGame, seat: Seat, counts: Weight) -> Weight:
    """Returns the weight of a game that a moderator or the end of a round decided, for a player who gains by it.

    The computer neither hurries nor protests: a level game against its strongest level is a matter of waiting.
    """
    if game.computer is not None:
        return counts.times(0, "decided_computer")
    if seat in game.often_favored:
        return counts.times(0, "many_decisions")
    return counts.times(ADJUDGED_WEIGHT, "adjudged")


def _part(before: Rating, after: Rating, weight: float) -> Rating:
    """Returns the part of a change that counts. The model for three and four players knows no weights."""
    return replace(
        after,
        value=before.value + weight * (after.value - before.value),
        deviation=before.deviation + weight * (after.deviation - before.deviation),
    )


def _bounded(change: RatingChange, before: Rating, after: Rating) -> Rating:
    """Returns the rating after a match, within MAX_CHANGE of the one before and what one opponent may move; the same if
    the match does not count."""
    weight, held = change.weight.value, before.at_time(change.at)
    if not weight:
        return replace(held, at=change.at)
    most = MAX_CHANGE * weight
    after = replace(after, value=min(before.value + most, max(before.value - most, after.value)))
    gain = after.value - before.value
    if change.moved is None or not gain:
        return after
    room = before.deviation * max(0.0, MAX_OF_OPPONENT - copysign(1, gain) * change.moved)
    return after if abs(gain) <= room else _part(held, after, room / abs(gain))


def places(outcome: Outcome, score: tuple[float, ...]) -> list[int]:
    """Returns each seat's place from 0: the winners first, the others by their score."""
    merits = [inf if seat in outcome.winners else points for seat, points in enumerate(score)]
    return [sum(other > own for other in merits) for own in merits]
