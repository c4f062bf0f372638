"""Rates a match when it ends, and takes an annulled one out of all ratings that followed it.

Matches that end at once are rated one after the other and stored together.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple, Protocol

from play.challenge.challenge import Challenge
from play.challenge.pool import Pool, pool_of, worth
from play.challenge.terms import Terms
from play.ids import GuildId, MatchId, Millis, UserId
from play.match.endings import LAND, STOP, STOP_WAITING
from play.match.events import EventKind
from play.match.match import Match
from play.ratings.glicko import INITIAL_RATING, Rating
from play.ratings.settlement import (
    DECIDED_WITHOUT_MOVE,
    MIN_MOVES,
    OPPONENT_WINDOW,
    PAIR_WINDOW,
    RatedGame,
    RatingChange,
    as_opponent,
    counted_level,
    is_young,
    rate,
    rate_again,
    young_ids,
)
from play.refusal import Refused
from rules.game import Seat
from storage.careers import CareerReader
from storage.ratings import RatingReader, RatingRepository
from storage.unit_of_work import Reader
from use_cases.limits import is_favored_too_often

CALLS = frozenset({STOP, STOP_WAITING, LAND})
"""Turns by which a player ends a game, or their own part in it, before the board is full."""


class Ledger(Protocol):
    """What the rating of a match needs of `storage.ratings.RatingRepository`."""

    async def get(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]: ...

    async def count_meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int: ...

    async def count_meetings_with_new(self, pool: Pool, user: UserId, young: Sequence[range], since: Millis) -> int: ...

    async def moved_by(self, pool: Pool, user: UserId, others: Sequence[range], since: Millis) -> float: ...

    async def add_changes(self, changes: Sequence[RatingChange]) -> None: ...


async def rate_match(
    ratings: Ledger, careers: CareerReader, match: Match, challenge: Challenge
) -> tuple[RatingChange, ...]:
    """Rates a stored match that has just ended, and began with `challenge`; returns the changes.

    A match stays unrated if a player has not moved, if nobody won, or if a moderator decided it away from the server
    where it began. Against the computer only the human is rated. A match counts on the leaderboards of the server where
    it began, wherever it ended; that of two servers for each player on their own. Raises Stale.
    """
    pool, level, outcome = challenge.pool, challenge.terms.level, match.outcome
    if pool is None or outcome is None or not outcome.winners or not match.all_have_moved:
        return ()
    if outcome.reason == "adjudged" and match.look_from(away=False).guild != challenge.guild:
        return ()
    ended, players = match.events[-1].at, match.players
    computer = None if level is None or challenge.opponent is None else match.seat_of(challenge.opponent)
    counted = () if computer is not None else players
    meetings = [await _count_meetings(ratings, pool, user, players, ended) for user in counted]
    decided_for = outcome.winners if outcome.reason == "adjudged" and computer is None else ()
    often_favored = [seat for seat in decided_for if await is_favored_too_often(careers, players[seat], ended)]
    game = RatedGame(
        match.id,
        pool,
        players,
        outcome,
        match.score,
        tuple(met for met, _ in meetings),
        ended,
        computer,
        None if level is None else counted_level(match.game, level),
        short=outcome.reason in DECIDED_WITHOUT_MOVE and any(_moves(match, seat) < MIN_MOVES for seat in match.seats),
        late_computer=computer is not None and _was_late(match, computer),
        often_favored=frozenset(often_favored),
        handicap=worth(match.game) or 0.0,
        komi_alone=_is_won_by_komi_alone(match),
        young_meetings=tuple(young for _, young in meetings),
        moved=await moved_by_each_other(ratings, pool, counted, ended) if len(counted) == 2 else (),
    )
    servers: dict[UserId, GuildId | None] = dict.fromkeys(players, challenge.guild)
    began = match.look_from(away=False)
    if began.away is not None:
        servers[players[began.away.seat]] = began.away.guild
    rated = rate(game, await ratings.get(pool, players))
    changes = tuple(replace(change, guild=servers[change.user]) for change in rated)
    await ratings.add_changes(changes)
    return changes


async def _count_meetings(
    ratings: Ledger, pool: Pool, user: UserId, players: Sequence[UserId], now: Millis
) -> tuple[int, int]:
    """Returns how often `user` has met their most frequent opponent of the `players` within PAIR_WINDOW, and how often
    any young account, if one of the players is one."""
    since, others = window_start(now), [other for other in players if other != user]
    met = [await ratings.count_meetings(pool, user, other, since) for other in others]
    if not any(is_young(other, now) for other in others):
        return max(met), 0
    return max(met), await ratings.count_meetings_with_new(pool, user, young_ids(now), since)


async def moved_by_each_other(
    ratings: Ledger, pool: Pool, players: Sequence[UserId], now: Millis
) -> tuple[float, float]:
    """Returns by how many deviations each of two players has been moved by the other within OPPONENT_WINDOW; by all
    young accounts, if the other is one."""
    one, other = players
    since = Millis(now - OPPONENT_WINDOW)
    return (
        await ratings.moved_by(pool, one, as_opponent(other, now), since),
        await ratings.moved_by(pool, other, as_opponent(one, now), since),
    )


def window_start(now: Millis) -> Millis:
    """Returns since when meetings count for a match that ends now."""
    return Millis(now - PAIR_WINDOW)


def _moves(match: Match, seat: Seat) -> int:
    return sum(move.seat == seat for move in match.moves)


def _was_late(match: Match, seat: Seat) -> bool:
    """Returns whether the time of `seat` was over at the end, or chance had to play for it."""
    lost_on_time = match.events[-1].kind is EventKind.TIME and match.events[-1].seat == seat
    return lost_on_time or any(move.kind is EventKind.RANDOM and move.seat == seat for move in match.moves)


def _is_won_by_komi_alone(match: Match) -> bool:
    """Returns whether the receiver of komi was the first to call an end, and gained by it without a lead on the board.

    Dots at the edge are never captured, so with 5.5 points in advance nobody can stop a player who calls it at once.
    """
    assert match.outcome is not None, "it is over"
    komi = float(match.game.options.get("komi", 0))
    caller = next((move.seat for move in match.moves if move.text in CALLS), None)
    if not komi or caller != 0 or caller not in match.outcome.winners:
        return False
    first, second = match.score
    return first - komi <= second


async def void_match(ratings: RatingRepository, match: MatchId) -> int:
    """Takes a match out of the ratings as if it had never been rated, and rates what followed anew; returns how many
    later matches were rated differently. Raises Stale."""
    voided = await ratings.changes_of(match)
    if not voided:
        return 0
    await ratings.remove_changes(match)
    pool, at = voided[0].pool, voided[0].at
    present = {change.user: change.before for change in voided}
    rewritten, shifts = 0, defaultdict[UserId, list[_Shift]](list)
    _note(voided, -1, shifts)
    for _, group in groupby(await ratings.changes_since(pool, at, match), key=lambda change: change.match):
        changes = list(group)
        if not any(change.user in present for change in changes):
            continue
        before = {change.user: present.get(change.user, change.before) for change in changes}
        again = rate_again(_shifted(changes, shifts), before)
        _note(changes, -1, shifts)
        _note(again, 1, shifts)
        await ratings.rewrite_changes(again)
        present |= {change.user: change.after for change in again}
        rewritten += 1
    await ratings.save_current(pool, present)
    return rewritten


class _Shift(NamedTuple):
    """By how many deviations more a game against an `opponent` has moved a player's rating than it had."""

    opponent: UserId
    at: Millis
    moves: float


def _note(changes: Sequence[RatingChange], sign: int, shifts: Mapping[UserId, list[_Shift]]) -> None:
    """Adds to the `shifts` of each player what a game of two has moved (1), or moves no more (-1)."""
    if len(changes) == 2:
        for change, other in zip(changes, reversed(changes), strict=True):
            if change.moved is not None:
                shifts[change.user].append(_Shift(other.user, change.at, sign * change.moves))


def _shifted(changes: Sequence[RatingChange], shifts: Mapping[UserId, list[_Shift]]) -> list[RatingChange]:
    """Returns the changes of a game with what its players have moved of each other's ratings after the shifts."""

    def moved(change: RatingChange, other: UserId) -> float | None:
        if change.moved is None:
            return None
        same, since = as_opponent(other, change.at), change.at - OPPONENT_WINDOW
        own = (each for each in shifts[change.user] if each.at > since)
        return change.moved + sum(each.moves for each in own if any(each.opponent in ids for ids in same))

    pairs = zip(changes, reversed(changes), strict=True)
    return [replace(change, moved=moved(change, other.user)) for change, other in pairs]


async def load_ratings(reader: Reader, terms: Terms, users: Collection[UserId]) -> dict[UserId, float]:
    """Loads the players' seeding values: the strength that they have almost surely at such games, or the same for all
    where there are no ratings. Those of whom nothing is known come below all who have played, however badly."""
    try:
        pool = pool_of(terms.game, terms.control)
    except Refused:
        return dict.fromkeys(users, INITIAL_RATING)
    ratings = await reader.ratings.get(pool, users)
    unknown = min([Rating().assured, *(rating.assured - 1 for rating in ratings.values() if rating.at is not None)])
    return {user: unknown if rating.at is None else rating.assured for user, rating in ratings.items()}


async def rate_matches(
    ratings: RatingRepository, careers: CareerReader, ended: Sequence[tuple[Match, Challenge]]
) -> None:
    """Rates stored matches that have just ended, each with the challenge with which it began, in the order of their
    ids, which is that of changes of the same moment. Raises Stale."""
    batch = RatingBatch(ratings)
    await batch.load(ended)
    for match, challenge in sorted(ended, key=lambda each: each[0].id):
        await rate_match(batch, careers, match, challenge)
    if batch.added:
        await ratings.add_all(batch.added)


class RatingBatch:
    """A `use_cases.ratings.Ledger` that stores nothing: it has what is stored, and what was `added` to it."""

    def __init__(self, stored: RatingReader) -> None:
        self._stored = stored
        self._ratings: dict[tuple[Pool, UserId], Rating] = {}
        self._meetings: dict[tuple[Pool, Millis], Counter[frozenset[UserId]]] = {}
        self.added: list[Sequence[RatingChange]] = []

    async def load(self, ended: Sequence[tuple[Match, Challenge]]) -> None:
        """Reads at once what the rating of these matches will ask for."""
        users: dict[tuple[Pool, Millis], set[UserId]] = {}
        for match, challenge in ended:
            if challenge.pool is not None:
                since = window_start(match.events[-1].at)
                users.setdefault((challenge.pool, since), set()).update(match.players)
        for (pool, since), players in users.items():
            self._meetings[pool, since] = await self._stored.count_all_meetings(pool, players, since)
            await self.get(pool, players)

    async def get(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        unknown = [user for user in users if (pool, user) not in self._ratings]
        if unknown:
            found = await self._stored.get(pool, unknown)
            self._ratings.update(((pool, user), rating) for user, rating in found.items())
        return {user: self._ratings[pool, user] for user in users}

    async def count_meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        stored = self._meetings[pool, since][frozenset((one, other))]
        return stored + len(self._added_with(pool, one) & self._added_with(pool, other))

    async def count_meetings_with_new(self, pool: Pool, user: UserId, young: Sequence[range], since: Millis) -> int:
        stored = await self._stored.count_meetings_with_new(pool, user, young, since)
        own = self._added_with(pool, user)
        new = {
            change.match
            for changes in self.added
            for change in changes
            if change.user != user and any(change.user in ids for ids in young)
        }
        return stored + len(own & new)

    async def moved_by(self, pool: Pool, user: UserId, others: Sequence[range], since: Millis) -> float:
        stored = await self._stored.moved_by(pool, user, others, since)
        theirs = {
            change.match for changes in self.added for change in changes if any(change.user in ids for ids in others)
        }
        own = (change for changes in self.added for change in changes if (change.pool, change.user) == (pool, user))
        return stored + sum(change.moves for change in own if change.match in theirs)

    async def add_changes(self, changes: Sequence[RatingChange]) -> None:
        if changes:
            self.added.append(changes)
        self._ratings.update(((change.pool, change.user), change.after) for change in changes)

    def _added_with(self, pool: Pool, user: UserId) -> set[MatchId]:
        """Returns the matches of a pool that were added for a user."""
        return {
            change.match for changes in self.added for change in changes if change.pool == pool and change.user == user
        }
