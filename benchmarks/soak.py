"""Measures whether memory stays flat while match follows match: `python -m benchmarks.soak --help`.

100,000 moves, each with a board, take half an hour. Bounded caches fill first; then memory may not grow any more.
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
from benchmarks.program import report_failures, run
from tools.program import argument_parser, say

WARM_UP_SHARE = 0.4
"""The share of the moves after which all caches are full."""

MAX_GROWTH = 1.03
"""The largest allowed ratio of memory to memory after the warm-up; the allocator varies a little."""


class Soak:
    """Tables at which one match follows the other until `moves` moves are made."""

    def __init__(self, crowd: Crowd, bot: Bot, arguments: argparse.Namespace) -> None:
        self._crowd = crowd
        self._bot = bot
        self._arguments = arguments
        self._matches = count()
        self._due = count()
        self._begun = 0.0
        self.made = 0
        self.ended = 0
        self.memory: list[float] = []

    async def run(self) -> None:
        """Plays at all tables; raises ExceptionGroup if a match does not begin or end."""
        self._begun = time.perf_counter()
        async with asyncio.TaskGroup() as tables:
            for table in range(self._arguments.tables):
                tables.create_task(self._play(table))

    async def _play(self, table: int) -> None:
        """Plays at one table; the first matches have different lengths, so that matches end all the time."""
        length = self._arguments.length * (table + 1) // self._arguments.tables
        while self.made < self._arguments.moves:
            await self._wait_for_turn()
            game = await self._crowd.begin(next(self._matches), self._arguments.size)
            while game.made < length and self.made < self._arguments.moves:
                await self._wait_for_turn()
                if await self._crowd.move(game):
                    self._count_move()
            await self._wait_for_turn()
            await self._crowd.end(game)
            self.ended += 1
            length = self._arguments.length

    async def _wait_for_turn(self) -> None:
        """Waits until the next click is due."""
        due = self._begun + next(self._due) / self._arguments.rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))

    def _count_move(self) -> None:
        self.made += 1
        if self.made % (self._arguments.moves // 20) == 0:
            self.memory.append(self._bot.memory)
            minutes = (time.perf_counter() - self._begun) / 60
            memory = f"{self.memory[-1]:.1f} MB"
            say(f"     {self.made:>7} moves, {self.ended:>5} matches ended, {minutes:>5.1f} min: {memory}")


async def measure(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Returns the figures; raises AssertionError if the bot ends."""
    async with fleet(1, address, folder) as (discord, [bot]):
        crowd = Crowd(discord)
        soak = Soak(crowd, bot, arguments)
        await soak.run()
    report_failures(crowd.failed)
    warm = soak.memory[int(WARM_UP_SHARE * len(soak.memory)) - 1]
    return [
        Figure("moves with a board", soak.made, ""),
        Figure("memory after the warm-up", warm, "MB"),
        Figure("largest memory after that", max(soak.memory), "MB", MAX_GROWTH * warm),
        Figure("moves that failed", crowd.failed.total(), "", 0),
        Figure("requests that Discord would refuse", len(discord.problems), "", 0),
    ]


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=50.0, help="clicks a second")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--length", type=int, default=200, help="moves of a match")
    parser.add_argument("--size", default="39x32")
    return run(parser, measure)


if __name__ == "__main__":
    sys.exit(main())
