"""A process that counts the votes which are due, and is killed by SIGKILL at a moment of that:
`python -m tests.storage.vote_process URL NOW MOMENT`.

The moments: `counting`, when the vote is closed and nothing is played; `played`, when nobody was told yet; `casting`,
with a vote in a transaction that is not committed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any, NoReturn

from play.ids import Millis, UserId
from play.match.match import Match
from play.services.capacity import Capacity
from play.services.use_cases import UseCases
from play.services.votes import Votes
from play.votes.side import Side
from play.votes.turn import turn_of
from play.votes.vote import Choice, Vote
from play.workers.vote_counter import VoteCounter
from storage import Database

GHOST = UserId(4_000_000)
"""The voter whose vote is never committed."""


def die(*_: Any) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


class DyingVotes(Votes):
    """Votes of a process that dies as soon as it has closed some."""

    async def settle(self, match: Match, side: Side, *, at_last: bool) -> bool:
        if await super().settle(match, side, at_last=at_last):
            die()
        return False


async def die_casting(store: Database) -> None:
    """Dies with a vote about each open turn that is written and not committed."""
    async with store.read() as reader:
        found = await reader.votes.to_look_at(await reader.clock.now(), 50)
        matches = await reader.matches.of_ids(found)
        sides = {number: await reader.votes.of_match(number) for number in found}
    async with store.write() as tx:
        for number, match in matches.items():
            move = str(next(iter(match.position.moves())))
            for side in sides[number]:
                await tx.votes.put(Vote(side.id, turn_of(match), GHOST, Choice.MOVE, move, side.made))
        die()


async def main(url: str, now: Millis, moment: str) -> None:
    async with Database.open(url, now=lambda: now) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        votes = use_cases.votes
        if moment == "casting":
            await die_casting(store)
        elif moment == "counting":
            votes = DyingVotes(store, use_cases.events, lambda: 4, Capacity())
        else:
            use_cases.events.match_changed.subscribe(die)
        await VoteCounter(store, votes, use_cases.matches, use_cases.actions).poll()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Millis(int(sys.argv[2])), sys.argv[3]))
