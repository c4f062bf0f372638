"""Measures how many moves a second the bot can serve, each with a board: `python -m benchmarks.load --help`.

The stand-in for Discord, the players and the bot share this machine, so the bot gets about one core of two. Discord's
own rate limits apply unless `--no-limits` is given: 50 requests a second for the bot, and 5 messages in 5 seconds for
each channel.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figure import Figure, latencies
from benchmarks.fleet import fleet
from benchmarks.players import Crowd, Game
from benchmarks.program import report_failures, run
from tools.program import argument_parser


async def keep_moving(crowd: Crowd, games: Sequence[Game], rate: float, seconds: float) -> int:
    """Makes moves at `rate` a second in all games together; returns how many got their boards.

    Clicks do not wait for slow responses of other games; within a game each click waits for the last board.
    """
    boards = 0
    begun = time.perf_counter()

    async def play(number: int, game: Game) -> None:
        nonlocal boards
        due = begun + number / rate
        while due < begun + seconds and game.made < len(game.moves):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if await crowd.move(game):
                boards += 1
            due = max(due + len(games) / rate, time.perf_counter())

    await asyncio.gather(*(play(number, game) for number, game in enumerate(games)))
    return boards


async def measure(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Returns the figures; raises AssertionError if a process of the bot ends."""
    async with fleet(arguments.processes, address, folder, limits=arguments.limits) as (discord, bots):
        crowd = Crowd(discord)
        games = await crowd.begin_all(arguments.matches, arguments.size)
        await keep_moving(crowd, games, min(20.0, arguments.rate), 5.0)  # warms up
        crowd.clear()
        before, busy, begun = [bot.memory for bot in bots], sum(bot.cpu_seconds for bot in bots), time.perf_counter()
        counted, refused = discord.counted_requests, discord.limited_requests
        boards = await keep_moving(crowd, games, arguments.rate, arguments.seconds)
        counted, refused = discord.counted_requests - counted, discord.limited_requests - refused
        spent, after = time.perf_counter() - begun, [bot.memory for bot in bots]
        busy = sum(bot.cpu_seconds for bot in bots) - busy
    report_failures(crowd.failed)
    doubled = sum(times - 1 for game in games for times in game.posts.values())
    setup = f"{arguments.size}, {arguments.database}, {arguments.processes} process(es)"
    return [
        Figure(f"moves with a board, {setup}", boards / spent, "/s", 60 if arguments.goal else None, least=True),
        *latencies("click to acknowledgement", crowd.acknowledged, 250 if arguments.goal else None),
        *latencies("click to board", crowd.boards, 1000 if arguments.goal else None),
        Figure("a core was busy with a move and its board for", 1000 * busy / max(1, boards), "ms"),
        Figure("requests that count, a move", counted / max(1, boards), "", 0.3 if arguments.goal else None),
        Figure("requests over a limit", refused, "", 0),
        Figure("moves that failed", crowd.failed.total(), "", 0),
        Figure("boards posted twice", doubled, "", 0),
        Figure("requests that Discord would refuse", len(discord.problems), "", 0),
        *(Figure(f"memory of process {number}, before", was, "MB") for number, was in enumerate(before)),
        *(Figure(f"memory of process {number}, after", now, "MB") for number, now in enumerate(after)),
    ]


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--rate", type=float, default=60.0, help="clicks a second")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--size", default="39x32")
    parser.add_argument("--limits", action=argparse.BooleanOptionalAction, default=True, help="Discord's rate limits")
    parser.add_argument("--goal", action="store_true", help="fail below the project's goals")
    return run(parser, measure)


if __name__ == "__main__":
    sys.exit(main())
