"""Matches whose players are called by a message of a worker: tournaments, contests and leagues begin their games so."""

from __future__ import annotations

from dataclasses import replace

from play.challenge.challenge import Challenge
from play.match.match import Match
from storage.errors import ChannelTaken
from storage.unit_of_work import Transaction
from use_cases.live_games import give_way
from use_cases.workers.worker import RetryLater


async def add_called(tx: Transaction, challenge: Challenge, built: Match) -> Match:
    """Stores the match of an accepted challenge, built in the thread of the message that calls the players; and it. If
    it is live, other live challenges of its players give way.

    Raises RetryLater if a game is played in a thread of the match already.
    """
    assert challenge.message is not None, "the players are called"
    try:
        match = await tx.matches.add(built)
    except ChannelTaken as taken:
        raise RetryLater(f"there is a game in the thread of call {challenge.message} already") from taken
    added = await tx.challenges.add(replace(challenge, match=match.id))
    await tx.challenges.mark_card_posted(added.id, added.version, challenge.message)
    await give_way(tx, added, match)
    return match
