"""What a move, `/games`, the leaderboard, `/privacy` and a start cost with more and more stored matches:
`python -m benchmarks.growth`.

Nothing may be worse than logarithmic: from a thousand to a million matches a cost may at most double.
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
from benchmarks.program import database, database_option, options, report, say
from benchmarks.stock import FIRST, OPEN, PEOPLE, stock
from play.challenge.pool import Pool
from play.ids import ChannelId, MatchId, Millis, UserId
from play.store import Store
from storage import Database
from tests.matches import moved

SIZES = (1_000, 10_000, 100_000, 1_000_000)
TIMES, OPENINGS = 40, 5
WORSE, COLD = 2.0, 1.0
"""Times as much as at the smallest size, and milliseconds for the cold pages of a large file."""

POOL = Pool.parse("dots-live")

Question = Callable[[Store, int, int], Awaitable[object]]


def somebody(matches: int, number: int) -> UserId:
    """Another person for each of the first numbers."""
    return UserId(1 + number * 7 % (matches // PEOPLE))


async def move(store: Store, matches: int, number: int) -> object:
    """A move in a match that was not looked at before."""
    wanted = MatchId(FIRST + OPEN * (1 + number * 37 % (matches // OPEN)))
    async with store.write() as tx:
        match = await tx.matches.get(wanted)
        assert match is not None, "it was stored"
        await tx.matches.save(moved(match))
    return match


async def games(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.matches.open_of(somebody(matches, number))


async def here(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.matches.in_channel(ChannelId(FIRST + 1 + number * 13 % matches))


async def leaderboard(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.leaderboards.leaders(POOL, None, 0, 20)


async def place(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.leaderboards.leader(somebody(matches, number), POOL, None)


async def deadlines(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return (
            await reader.deadlines.next_deadline(),
            await reader.deadlines.overdue(Millis(0), 50),
            await reader.outbox.pending_matches(),
        )


async def everything(store: Store, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.privacy.export(somebody(matches, number))


async def forget(store: Store, matches: int, number: int) -> None:
    async with store.write() as tx:
        await tx.privacy.forget(somebody(matches, number))


QUESTIONS: dict[str, Question] = {
    "a move": move,
    "/games": games,
    "the match of a channel": here,
    "the leaderboard": leaderboard,
    "one's place on it": place,
    "a look at deadlines and outbox": deadlines,
    "all that is stored of a person": everything,
    "forgetting somebody": forget,
}


async def opening(url: str, matches: int) -> float:
    """Milliseconds until the store is open and has been asked what there is to do."""
    began = time.perf_counter()
    async with Database.open(url) as store:
        await deadlines(store, matches, 0)
        return (time.perf_counter() - began) * 1000


async def costs(url: str, matches: int) -> dict[str, float]:
    """Milliseconds of each question, and of opening the store."""
    await stock(url, matches)
    found = {"opening the store": median([await opening(url, matches) for _ in range(OPENINGS)])}
    async with Database.open(url) as store:
        for name, question in QUESTIONS.items():
            spent = []
            for number in range(TIMES):
                began = time.perf_counter()
                await question(store, matches, number)
                spent.append((time.perf_counter() - began) * 1000)
            found[name] = median(spent)
    return found


async def start(url: str, folder: Path, matches: int) -> tuple[float, float]:
    """The seconds until a bot with so many open matches is at work, and the megabytes that it then has."""
    await stock(url, matches, all_open=True)
    async with discord_with_commands() as discord:
        bot = Bot("bot", folder, discord, url)
        began = time.perf_counter()
        await bot.start()
        await discord.until(lambda: discord.online, timeout=60.0)
        spent = time.perf_counter() - began
        await bot.well()
        memory = bot.memory
        await bot.end()
    return spent, memory


def main() -> int:
    parser = options(__doc__)
    database_option(parser)
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
    figures = [Figure(f"{name}, at most", last[name], "ms", WORSE * first[name] + COLD) for name in first]
    if arguments.open:
        with database(arguments.database) as (address, folder):
            spent, memory = asyncio.run(start(address, folder, arguments.open))
        figures.append(Figure(f"start with {arguments.open:,} open matches", spent, "s", 2.0))
        figures.append(Figure("  memory then", memory, "MB", 250))
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
