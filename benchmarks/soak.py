"""Whether memory stays flat while match follows match: `python -m benchmarks.soak --help`.

Half an hour for 100,000 moves with a board each. What is bounded fills first, then nothing may grow any more.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.fleet import Bot, fleet
from benchmarks.players import Crowd
from benchmarks.program import database, database_option, explain, options, report, say

FILLED = 0.4
"""The part of the moves after which all caches are full."""

FLAT = 1.03
"""So many times what it was then, memory may be at most: the allocator gives and takes a little."""


class Soak:
    """Tables at which one match follows the other until so many `moves` are made."""

    def __init__(self, crowd: Crowd, bot: Bot, arguments: argparse.Namespace) -> None:
        self._crowd = crowd
        self._bot = bot
        self._arguments = arguments
        self._matches = count()
        self._due = count()
        self._begun = 0.0
        self.made = 0
        self.ended = 0
        self.seen: list[float] = []

    async def run(self) -> None:
        """Raises ExceptionGroup if a match does not begin or end."""
        self._begun = time.perf_counter()
        async with asyncio.TaskGroup() as tables:
            for table in range(self._arguments.tables):
                tables.create_task(self._play(table))

    async def _play(self, table: int) -> None:
        """The first match is as much shorter as the table comes earlier, so that there is always one that ends."""
        length = self._arguments.length * (table + 1) // self._arguments.tables
        while self.made < self._arguments.moves:
            await self._turn()
            game = await self._crowd.begin(next(self._matches), self._arguments.size)
            while game.made < length and self.made < self._arguments.moves:
                await self._turn()
                if await self._crowd.move(game):
                    self._count()
            await self._turn()
            await self._crowd.end(game)
            self.ended += 1
            length = self._arguments.length

    async def _turn(self) -> None:
        """Waits until the next click is due."""
        due = self._begun + next(self._due) / self._arguments.rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))

    def _count(self) -> None:
        self.made += 1
        if self.made % (self._arguments.moves // 20) == 0:
            self.seen.append(self._bot.memory)
            minutes = (time.perf_counter() - self._begun) / 60
            memory = f"{self.seen[-1]:.1f} MB"
            say(f"     {self.made:>7} moves, {self.ended:>5} matches over, {minutes:>5.1f} min: {memory}")


async def measured(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Raises AssertionError if the bot ends."""
    async with fleet(1, address, folder) as (discord, [bot]):
        crowd = Crowd(discord)
        soak = Soak(crowd, bot, arguments)
        await soak.run()
    explain(crowd.failed)
    filled = soak.seen[int(FILLED * len(soak.seen)) - 1]
    return [
        Figure("moves with a board", soak.made, ""),
        Figure("memory when all caches were full", filled, "MB"),
        Figure("memory at its highest after that", max(soak.seen), "MB", FLAT * filled),
        Figure("moves that failed", crowd.failed.total(), "", 0),
        Figure("what Discord would have refused", len(discord.problems), "", 0),
    ]


def main() -> int:
    parser = options(__doc__)
    database_option(parser)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=50.0, help="clicks a second")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--length", type=int, default=200, help="moves of a match")
    parser.add_argument("--size", default="39x32")
    arguments = parser.parse_args()
    with database(arguments.database) as (address, folder):
        return report(asyncio.run(measured(arguments, address, folder)))


if __name__ == "__main__":
    sys.exit(main())
