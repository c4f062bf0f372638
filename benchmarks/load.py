"""How many moves a second the bot bears, with a board each: `python -m benchmarks.load --help`.

The stand-in for Discord, the people and the bot share this machine, so the bot gets about one core of two. Discord's
own limits hold, unless `--no-limits` says otherwise: 50 requests a second for the bot, and for each channel 5 messages
in 5 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.fleet import fleet
from benchmarks.players import Crowd, Game
from benchmarks.program import database, database_option, explain, options, report


def rank(values: Sequence[float], share: float) -> float:
    """The value below which `share` of them lie, in milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


async def keep_moving(crowd: Crowd, games: Sequence[Game], rate: float, seconds: float) -> int:
    """Moves at `rate` a second in all games together; how many came as far as their boards.

    The clicks come when they come, however slow the answers are; only within a game each waits for the last board.
    """
    came = 0
    begun = time.perf_counter()

    async def play(number: int, game: Game) -> None:
        nonlocal came
        due = begun + number / rate
        while due < begun + seconds and game.made < len(game.moves):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if await crowd.move(game):
                came += 1
            due = max(due + len(games) / rate, time.perf_counter())

    await asyncio.gather(*(play(number, game) for number, game in enumerate(games)))
    return came


async def measured(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Raises AssertionError if a process of the bot ends."""
    async with fleet(arguments.processes, address, folder, limits=arguments.limits) as (discord, bots):
        crowd = Crowd(discord)
        games = await crowd.seat(arguments.matches, arguments.size)
        await keep_moving(crowd, games, min(20.0, arguments.rate), 5.0)  # what is warm stays warm
        crowd.forget()
        before, busy, begun = [bot.memory for bot in bots], sum(bot.busy for bot in bots), time.perf_counter()
        counted, refused = discord.counted, discord.refused
        came = await keep_moving(crowd, games, arguments.rate, arguments.seconds)
        counted, refused = discord.counted - counted, discord.refused - refused
        spent, after = time.perf_counter() - begun, [bot.memory for bot in bots]
        busy = sum(bot.busy for bot in bots) - busy
    explain(crowd.failed)
    twice = sum(times - 1 for game in games for times in game.posts.values())
    what = f"{arguments.size}, {arguments.database}, {arguments.processes} process(es)"
    return [
        Figure(f"moves with a board, {what}", came / spent, "/s", 60 if arguments.goal else None, least=True),
        Figure("click to acknowledgement, half", rank(crowd.acknowledged, 0.5), "ms"),
        Figure("click to acknowledgement, 99 %", rank(crowd.acknowledged, 0.99), "ms", 250 if arguments.goal else None),
        Figure("click to acknowledgement, worst", rank(crowd.acknowledged, 1.0), "ms"),
        Figure("click to board, half", rank(crowd.boards, 0.5), "ms"),
        Figure("click to board, 99 %", rank(crowd.boards, 0.99), "ms", 1000 if arguments.goal else None),
        Figure("click to board, worst", rank(crowd.boards, 1.0), "ms"),
        Figure("a core was busy with a move and its board for", 1000 * busy / max(1, came), "ms"),
        Figure("requests that count, a move", counted / max(1, came), "", 0.3 if arguments.goal else None),
        Figure("requests over a limit", refused, "", 0),
        Figure("moves that failed", crowd.failed.total(), "", 0),
        Figure("boards posted twice", twice, "", 0),
        Figure("what Discord would have refused", len(discord.problems), "", 0),
        *(Figure(f"memory of process {number}, before", was, "MB") for number, was in enumerate(before)),
        *(Figure(f"memory of process {number}, after", now, "MB") for number, now in enumerate(after)),
    ]


def main() -> int:
    parser = options(__doc__)
    database_option(parser)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--rate", type=float, default=60.0, help="clicks a second")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--size", default="39x32")
    parser.add_argument("--limits", action=argparse.BooleanOptionalAction, default=True, help="Discord's own")
    parser.add_argument("--goal", action="store_true", help="fail below what the project promises")
    parser.add_argument("--folder", type=Path, help="where logs and the database stay")
    arguments = parser.parse_args()
    with database(arguments.database, arguments.folder) as (address, folder):
        return report(asyncio.run(measured(arguments, address, folder)))


if __name__ == "__main__":
    sys.exit(main())
