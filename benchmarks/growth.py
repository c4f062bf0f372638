"""Measures how the number of stored matches affects a move, `/games`, the leaderboard, `/privacy` and a start:
`python -m benchmarks.growth`.

No cost may grow faster than logarithmically: from a thousand to a million matches it may at most double.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from benchmarks.figure import Figure
from benchmarks.fleet import Bot, discord_with_commands
from benchmarks.program import add_database_option, argument_parser, database, report, say
from benchmarks.stock import FIRST_ID, MATCHES_PER_OPEN_ONE, MATCHES_PER_PLAYER, fill
from play.challenge.pool import Pool
from play.ids import ChannelId, MatchId, Millis, UserId
from play.store import Store
from storage import Database
from tests.matches import play_turn

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUERY_RUNS, OPEN_RUNS = 40, 5
"""Runs of each query, and of opening the store; the median counts."""

MAX_RATIO, COLD_MILLISECONDS = 2.0, 1.0
"""The largest cost relative to the smallest size, plus an allowance for the cold pages of a large file."""

POOL = Pool.parse("dots-live")

Query = Callable[[Store, int, int], Awaitable[object]]


def some_user(matches: int, number: int) -> UserId:
    """Returns a user; different numbers give different users."""
    return UserId(1 + number * 7 % (matches // MATCHES_PER_PLAYER))


async def move(store: Store, matches: int, number: int) -> object:
    """Makes a move in a match that no run has read before."""
    wanted = MatchId(FIRST_ID + MATCHES_PER_OPEN_ONE * (1 + number * 37 % (matches // MATCHES_PER_OPEN_ONE)))
    async with store.write() as tx:
        match = await tx.matches.get(wanted)
        assert match is not None, "it was stored"
        await tx.matches.save(play_turn(match))
    return match


async def games(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.matches.open_of(some_user(matches, number))


async def match_here(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.matches.in_channel(ChannelId(FIRST_ID + 1 + number * 13 % matches))


async def leaderboard(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.leaderboards.leaders(POOL, None, 0, 20)


async def standing(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.leaderboards.leader(some_user(matches, number), POOL, None)


async def deadlines(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return (
            await reader.deadlines.next_deadline(),
            await reader.deadlines.overdue(Millis(0), 50),
            await reader.outbox.pending_matches(),
        )


async def everything(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.privacy.export(some_user(matches, number))


async def forget(store: Store, matches: int, number: int) -> None:
    async with store.write() as tx:
        await tx.privacy.forget(some_user(matches, number))


QUERIES: dict[str, Query] = {
    "a move": move,
    "/games": games,
    "the match of a channel": match_here,
    "the leaderboard": leaderboard,
    "a player's place on it": standing,
    "deadlines and outbox": deadlines,
    "all stored data of a player": everything,
    "forgetting a player": forget,
}


async def opening(url: str, matches: int) -> float:
    """Returns the milliseconds to open the store and query the pending work."""
    began = time.perf_counter()
    async with Database.open(url) as store:
        await deadlines(store, matches, 0)
        return (time.perf_counter() - began) * 1000


async def costs(url: str, matches: int) -> dict[str, float]:
    """Returns the milliseconds of each query, and of opening the store."""
    await fill(url, matches)
    found = {"opening the store": median([await opening(url, matches) for _ in range(OPEN_RUNS)])}
    async with Database.open(url) as store:
        for name, query in QUERIES.items():
            spent = []
            for number in range(QUERY_RUNS):
                began = time.perf_counter()
                await query(store, matches, number)
                spent.append((time.perf_counter() - began) * 1000)
            found[name] = median(spent)
    return found


async def start(url: str, folder: Path, matches: int) -> tuple[float, float]:
    """Returns the seconds until a bot with open matches is online, and its megabytes then."""
    await fill(url, matches, all_open=True)
    async with discord_with_commands() as discord:
        bot = Bot("bot", folder, discord, url)
        began = time.perf_counter()
        await bot.start()
        await discord.until(lambda: discord.online, timeout=60.0)
        spent = time.perf_counter() - began
        await bot.wait_until_healthy()
        memory = bot.memory
        await bot.stop()
    return spent, memory


def main() -> int:
    parser = argument_parser(__doc__)
    add_database_option(parser)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--open", type=int, default=100_000, help="open matches at a start")
    arguments = parser.parse_args()
    table: dict[int, dict[str, float]] = {}
    for matches in (size for size in SIZES if size <= arguments.largest):
        with database(arguments.database) as (address, _):
            table[matches] = asyncio.run(costs(address, matches))
    say(f"{'milliseconds (' + arguments.database + ')':<34}" + "".join(f"{size:>12,}" for size in table))
    first, last = table[min(table)], table[max(table)]
    for name in first:
        say(f"{name:<34}" + "".join(f"{costs[name]:>12.2f}" for costs in table.values()))
    figures = [
        Figure(f"{name}, at most", last[name], "ms", MAX_RATIO * first[name] + COLD_MILLISECONDS) for name in first
    ]
    if arguments.open:
        with database(arguments.database) as (address, folder):
            spent, memory = asyncio.run(start(address, folder, arguments.open))
        figures.append(Figure(f"start with {arguments.open:,} open matches", spent, "s", 2.0))
        figures.append(Figure("  memory then", memory, "MB", 250))
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
