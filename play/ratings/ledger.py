"""The book of ratings: a finished match is entered once, and an annulled one is taken out of all that followed it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from play.challenge.challenge import Challenge
from play.challenge.pool import Pool
from play.ids import GuildId, MatchId, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.ratings.glicko import Rating
from play.ratings.season import Season
from play.ratings.settlement import Change, Game, settled, settled_again
from play.ratings.weight import PAIR_WINDOW, first_young, is_young
from rules.point import Seat

LEAST_GAMES = 5
"""Rated games before somebody stands on a leaderboard."""

MIN_MOVES = 10
"""Moves of each player. Before them nobody gains from a game that the other gives up, or that both call a draw: it
costs a friend ten seconds to lose such a game. The loser loses as ever, so that nobody gets away by giving up early."""

GIVEN_UP = frozenset({"resign", "time", "draw", "agreed", "adjudged"})
"""Ends that come by a person's or a clock's decision, and not by a move."""


@dataclass(frozen=True, slots=True)
class Leader:
    """A line of a leaderboard; `place` counts from 1, and equal values share it. None is too far down to be counted.
    `games` are the rated ones that were played where the leaderboard is: on its server, or everywhere."""

    place: int | None
    user: UserId
    rating: Rating
    games: int


@dataclass(frozen=True, slots=True)
class Scorer:
    """A line of a season's table."""

    place: int
    user: UserId
    points: float
    games: int


class RatingReader(Protocol):
    """What the ratings' part of a store answers. A `guild` of None means everywhere."""

    async def ratings(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        """The ratings of all `users`; a newcomer's where there is none."""

    async def ratings_of(self, user: UserId, guild: GuildId | None = None) -> dict[Pool, Leader]:
        """A person's rating in each pool where they have one, in the order of games played; no places. Of one `guild`
        the ratings with which they left their latest rated games there, and how many these were."""

    async def meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        """How many rated games of this pool the two have finished since then."""

    async def meetings_from(self, pool: Pool, user: UserId, youngest: UserId, since: Millis) -> int:
        """How many rated games of this pool `user` has finished since then against accounts with the id `youngest` or
        a higher one."""

    async def changes_of(self, match: MatchId) -> tuple[Change, ...]:
        """What a match did, in the order of the seats; nothing if it was not rated."""

    async def rating_history(self, user: UserId, pool: Pool, limit: int, guild: GuildId | None = None) -> list[Change]:
        """The latest changes of a person's rating, everywhere or on one server, the oldest of them first."""

    async def leaders(self, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Leader]:
        """A page of a leaderboard, from the line `start` (counted from 0) on."""

    async def standing_of(self, user: UserId, pool: Pool, guild: GuildId | None) -> Leader | None:
        """A person's own line; None while he is on no leaderboard."""

    async def scorers(self, season: Season, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Scorer]:
        """A page of a season's table."""

    async def line_of(self, user: UserId, pool: Pool, guild: GuildId | None, season: Season | None) -> int | None:
        """The number, from 0, of a person's line on a leaderboard, or in a season's table; None if he has none, or one
        beyond the pages that can be turned to."""


class RatingWriter(RatingReader, Protocol):
    """What a transaction can do with ratings."""

    async def add_changes(self, guild: GuildId | None, changes: Sequence[Change]) -> None:
        """Enters what a match did. Raises Stale if somebody was rated in between."""

    async def remove_changes(self, match: MatchId) -> None:
        """Takes a match out of the book, its points of the season too; the ratings stay until `settle_users`."""

    async def changes_since(self, pool: Pool, at: Millis, match: MatchId) -> list[Change]:
        """All changes of a pool after those of `match`, which ended at `at`, match by match in their order."""

    async def rewrite_changes(self, changes: Sequence[Change]) -> None:
        """Stores other ratings in changes that are there."""

    async def settle_users(self, pool: Pool, ratings: dict[UserId, Rating]) -> None:
        """Stores the present ratings of people, and counts their games anew."""


async def enter(book: RatingWriter, match: Match, challenge: Challenge) -> tuple[Change, ...]:
    """Rates a match that has just ended, and began with `challenge`, if it can be; says what changed.

    A match in which somebody has not moved is not rated, nor is one that nobody won, nor one that was judged while it
    was played elsewhere than where it began. Against the computer only the person is. It counts on the leaderboards of
    the server where it began, wherever it ended. Raises Stale.
    """
    pool, level, outcome = challenge.terms.pool, challenge.terms.level, match.outcome
    if pool is None or outcome is None or not outcome.winners or not match.all_have_moved:
        return ()
    if outcome.reason == "adjudged" and match.guild != challenge.guild:
        return ()
    ended, players = match.events[-1].at, match.players
    computer = None if level is None or challenge.opponent is None else match.seat_of(challenge.opponent)
    meetings = () if computer is not None else [await _meetings(book, pool, user, players, ended) for user in players]
    game = Game(
        match.id,
        pool,
        players,
        outcome,
        match.score,
        tuple(meetings),
        ended,
        computer,
        level,
        short=outcome.reason in GIVEN_UP and any(_moves(match, seat) < MIN_MOVES for seat in match.seats),
        late_computer=computer is not None and _was_late(match, computer),
    )
    changes = settled(game, await book.ratings(pool, players))
    await book.add_changes(challenge.guild, changes)
    return changes


async def _meetings(book: RatingReader, pool: Pool, user: UserId, players: Sequence[UserId], now: Millis) -> int:
    """Returns how often `user` has met the one of the `players` whom they have met most within PAIR_WINDOW; all young
    accounts are one."""
    since, others = Millis(now - PAIR_WINDOW), [other for other in players if other != user]
    met = [await book.meetings(pool, user, other, since) for other in others]
    if any(is_young(other, now) for other in others):
        met.append(await book.meetings_from(pool, user, first_young(now), since))
    return max(met)


def _moves(match: Match, seat: Seat) -> int:
    return sum(move.seat == seat for move in match.moves)


def _was_late(match: Match, seat: Seat) -> bool:
    """Whether the time of `seat` was over at the end, or chance had to play for it."""
    lost_on_time = match.events[-1].kind is EventKind.TIME and match.events[-1].seat == seat
    return lost_on_time or any(move.kind is EventKind.RANDOM and move.seat == seat for move in match.moves)


async def strike(book: RatingWriter, match: MatchId) -> int:
    """Takes a match out of the ratings as if it had never been rated, and replays what followed; says how many later
    matches came out differently. Raises Stale."""
    struck = await book.changes_of(match)
    if not struck:
        return 0
    await book.remove_changes(match)
    pool, at = struck[0].pool, struck[0].at
    present = {change.user: change.before for change in struck}
    rewritten = 0
    for _, group in groupby(await book.changes_since(pool, at, match), key=lambda change: change.match):
        changes = list(group)
        if not any(change.user in present for change in changes):
            continue
        ratings = {change.user: present.get(change.user, change.before) for change in changes}
        again = settled_again(changes, ratings)
        await book.rewrite_changes(again)
        present |= {change.user: change.after for change in again}
        rewritten += 1
    await book.settle_users(pool, present)
    return rewritten
