"""A process that counts the votes which are due, and is stopped by a signal at a moment of that:
`python -m tests.storage.vote_process URL NOW MOMENT SIGNAL`.

The moments: `closing`, when it knows that a vote is over; `counting`, when the vote is closed and nothing is played;
`played`, when nobody was told yet; `casting`, with a vote in a transaction that is not committed. A process that was
frozen there does what it was at, and ends.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from play.ids import Millis, UserId
from play.match.match import Match
from play.votes import Choice, Side, Vote, turn_of
from storage import Database
from tests.storage.interruption import Interruption
from use_cases import UseCases
from use_cases.limits import Capacity
from use_cases.votes import Votes
from use_cases.workers.vote_counter import VoteCounter

GHOST = UserId(4_000_000)
"""The voter whose vote is never committed."""


class InterruptedVotes(Votes):
    """Votes of a process that is stopped before or after it closes some."""

    def __init__(self, *services: Any, interruption: Interruption) -> None:
        super().__init__(*services)
        self._interruption = interruption

    async def settle(self, match: Match, side: Side, *, is_early: bool = False) -> bool:
        self._interruption.reach("closing")
        is_closed = await super().settle(match, side, is_early=is_early)
        if is_closed:
            self._interruption.reach("counting")
        return is_closed


async def cast(store: Database, interruption: Interruption) -> None:
    """Writes a vote about each open turn, and is stopped before that is committed."""
    async with store.read() as reader:
        found = await reader.votes.to_look_at(await reader.clock.now(), 50)
        matches = await reader.matches.of_ids(found)
        sides = {number: await reader.votes.of_match(number) for number in found}
    async with store.write() as tx:
        for number, match in matches.items():
            move = str(next(iter(match.position.moves())))
            await tx.votes.open_of_match(number)
            for side in sides[number]:
                await tx.votes.put(Vote(side.id, turn_of(match), GHOST, Choice.MOVE, move, side.made))
        interruption.reach("casting")


async def main(url: str, now: Millis, moment: str, signal: str) -> None:
    interruption = Interruption(moment, 1, signal)
    async with Database.open(url, now=lambda: now) as store:
        if moment == "casting":
            await cast(store, interruption)
            return
        use_cases = UseCases.over(store, seeds=lambda: 4)
        use_cases.events.match_changed.subscribe(lambda _: interruption.reach("played"))
        votes = InterruptedVotes(store, use_cases.events, lambda: 4, Capacity(), interruption=interruption)
        await VoteCounter(store, votes, use_cases.matches, use_cases.actions).poll()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Millis(int(sys.argv[2])), sys.argv[3], sys.argv[4]))
