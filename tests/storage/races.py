"""Moves against flags: `python -m tests.storage.races 1000` runs so many races on each engine and prints who won."""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections import Counter
from contextlib import AsyncExitStack

from play.ids import IdempotencyKey, Millis
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from play.refusal import Refused
from storage import Database, migrate
from tests.clock import HOUR, StoppedClock
from tests.matches import ANNA, a_match, add_shown_match, load_match, pass_time
from tests.postgres import Postgres
from use_cases import UseCases
from use_cases.clock_service import MAX_JUDGED

PROCESSES = 2
"""Processes that flag and move, where the engine allows more than one."""


class Flags:
    """Lets each move begin when a number of flags has fallen, so that the two meet."""

    def __init__(self, most: int) -> None:
        self.fallen = [asyncio.Event() for _ in range(most)]
        self.fallen[0].set()
        self._count = 0

    def told(self, match: Match) -> None:
        if match.outcome:
            self._count += 1
            if self._count < len(self.fallen):
                self.fallen[self._count].set()

    def over(self) -> None:
        for event in self.fallen:
            event.set()


async def race(stores: list[Database], clock: StoppedClock, matches: int, chance: random.Random) -> Counter[str]:
    """Lets a move that was made in time arrive when its flag falls, in each match; counts which won.

    Raises AssertionError unless exactly one of them won each time, and the player was told the truth.
    """
    won: Counter[str] = Counter()
    processes = [UseCases.over(store, seeds=lambda: 0) for store in stores]
    rounds: list[Flags] = []
    for process in processes:
        process.events.match_changed.subscribe(lambda match: rounds[-1].told(match))
    for first in range(0, matches, MAX_JUDGED):
        run = [
            await add_shown_match(stores[0], a_match(channel, at=clock()))
            for channel in range(min(MAX_JUDGED, matches - first))
        ]
        made = Millis(clock() + HOUR)
        await pass_time(stores[0], clock, HOUR + FLAG_GRACE + 1)

        flags = Flags(len(run))
        rounds.append(flags)

        async def move(match: Match, made: Millis = made, flags: Flags = flags) -> bool:
            await flags.fallen[chance.randrange(len(flags.fallen))].wait()
            for _ in range(chance.randrange(60)):
                await asyncio.sleep(0)
            try:
                await chance.choice(processes).matches.move(
                    match.id, ANNA, "E5", made, IdempotencyKey(match.id), version=0
                )
            except Refused:
                return False
            return True

        async def flag(each: UseCases, flags: Flags = flags) -> None:
            await each.clocks.flag_overdue()
            flags.over()

        chance.shuffle(run)
        moves, judging = asyncio.gather(*map(move, run)), asyncio.gather(*map(flag, processes))
        moved = await moves
        await judging
        for match, accepted in zip(run, moved, strict=True):
            stored = await load_match(stores[0], match.id)
            assert stored.version == 1, stored.events
            assert (stored.outcome is None) == accepted, stored.events
            won["move" if accepted else "flag"] += 1
            if accepted:
                await processes[0].actions.abort(match.id, ANNA, clock(), IdempotencyKey(-match.id))
    return won


async def _main(matches: int) -> None:
    with Postgres() as server, tempfile.TemporaryDirectory() as folder:
        for url, processes in ((f"sqlite+aiosqlite:///{folder}/k.db", 1), (await server.create("races"), PROCESSES)):
            await migrate(url)
            clock = StoppedClock()
            async with AsyncExitStack() as stack:
                stores = [await stack.enter_async_context(Database.open(url, now=clock)) for _ in range(processes)]
                print(url.partition("+")[0], dict(await race([*stores], clock, matches, random.Random(1))))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1])))
