"""The book of ratings: a finished match is entered once, and an annulled one is taken out of all that followed it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from play.challenge.challenge import Challenge
from play.challenge.pool import Pool
from play.ids import MatchId, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.ratings.settlement import Change, Game, settled, settled_again
from play.ratings.weight import PAIR_WINDOW, first_young, is_young
from play.store.ratings import RatingReader, RatingWriter
from rules.game import Seat

MIN_MOVES = 10
"""Moves of each player. Before them nobody gains from a game that the other gives up, or that both call a draw: it
costs a friend ten seconds to lose such a game. The loser loses as ever, so that nobody gets away by giving up early."""

GIVEN_UP = frozenset({"resign", "time", "draw", "agreed", "adjudged"})
"""Ends that come by a person's or a clock's decision, and not by a move."""


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
