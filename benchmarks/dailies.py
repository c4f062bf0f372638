"""Measures a day of the daily with 100,000 solvers: `python -m benchmarks.dailies`, `--database postgres`.

They are members of 1,000 servers, a hundred of each; for the last figures all are members of one server more. With
SQLite times are those of the processor, with PostgreSQL those of the clock.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from sqlalchemy import Table, insert, text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.figure import Figure
from benchmarks.growth import megabytes
from benchmarks.program import add_database_option, database, report
from play.community.daily import KEPT_DAYS, DailyPlace
from play.community.streak import day_start, next_day
from play.ids import ChannelId, GuildId, Millis
from storage import Database, address, schema
from tests.clock import DAY, HOUR
from tools.program import argument_parser
from use_cases.dailies import Dailies
from use_cases.events import Events
from use_cases.workers.daily_relay import SWEPT_ROWS

TODAY, SOLVERS, SERVERS = "2026-11-25", 100_000, 1_000
LARGE = GuildId(10**6)
"""The server of which everybody is a member."""

RUNS, ROWS_PER_INSERT = 5, 5_000
"""Of each question, of which the quickest counts; and of an insertion."""

RESULTS = ((0, 0, 0), (0, 1, 2), (1, 0, -1), (0, 0, 4), (2, -1, -1))
"""Of five solvers in turn."""

SOLVER_ID = 10**17
"""The first user; ids of Discord have 18 digits."""

Row = dict[str, Any]


def runs() -> Iterator[Row]:
    """Yields the dailies of all solvers."""
    began = day_start(TODAY)
    for number in range(SOLVERS):
        results = RESULTS[number % len(RESULTS)]
        solved, points = sum(each >= 0 for each in results), sum(max(0, 3 - each) for each in results if each >= 0)
        yield {
            "day": TODAY, "user": SOLVER_ID + number, "began": began + number, "moves": [], "missed": 0,
            "results": [*results], "tries": 8, "ended": began + number + 100_000 + number * 7919 % HOUR,
            "solved": solved, "points": points,
        }  # fmt: skip


def members(large: bool) -> Iterator[Row]:
    """Yields on which servers the solvers are, or all of them on the large one."""
    for number in range(SOLVERS):
        yield {"day": TODAY, "guild": LARGE if large else 1 + number % SERVERS, "user": SOLVER_ID + number}


def streaks() -> Iterator[Row]:
    """Yields the streaks of the solvers."""
    for number in range(SOLVERS):
        yield {"user": SOLVER_ID + number, "days": 3, "longest": 9, "last": TODAY}


def posts() -> Iterator[Row]:
    """Yields the posts of the day."""
    for guild in (*range(1, SERVERS + 1), LARGE):
        yield {"day": TODAY, "guild": guild, "channel": guild, "message": SOLVER_ID + guild, "streak": 3}


async def store_rows(url: str, table: Table, rows: Iterator[Row]) -> None:
    """Stores rows, and lets PostgreSQL learn how many there are."""
    engine = create_async_engine(address(url))
    async with engine.begin() as connection:
        part: list[Row] = []
        for row in rows:
            part.append(row)
            if len(part) == ROWS_PER_INSERT:
                await connection.execute(insert(table), part)
                part = []
        if part:
            await connection.execute(insert(table), part)
    if engine.dialect.name == "postgresql":
        async with engine.connect() as connection:
            await (await connection.execution_options(isolation_level="AUTOCOMMIT")).execute(text("VACUUM ANALYZE"))
    await engine.dispose()


async def figures(url: str) -> list[Figure]:
    """Returns the figures, measured in an empty database."""
    async with Database.open(url, now=lambda: Millis(day_start(next_day(TODAY)))) as store:
        dailies = Dailies(store, Events())
        for guild in (*range(1, SERVERS + 1), LARGE):
            place = DailyPlace(GuildId(guild), ChannelId(guild), compared=True)
            async with store.write() as tx:
                await tx.dailies.save_place(place.moved(ChannelId(guild), day_start(TODAY)))
        empty = await megabytes(store)
        await store_rows(url, schema.daily_run, runs())
        await store_rows(url, schema.daily_member, members(large=False))
        daily = await megabytes(store) - empty
        await store_rows(url, schema.daily_streak, streaks())
        await store_rows(url, schema.daily_post, posts())
        processor = url.startswith("sqlite")
        clock = time.process_time if processor else time.perf_counter

        async def figure(name: str, ask: Callable[[], Awaitable[object]], limit: float, times: int = RUNS) -> Figure:
            spent = []
            for _ in range(times):
                began = clock()
                await ask()
                spent.append((clock() - began) * 1000)
            return Figure(name, min(spent), "ms", limit, processor=processor)

        async def count(guild: GuildId) -> None:
            async with store.read() as reader:
                await reader.dailies.count_solvers(TODAY, guild)

        async def recap_all() -> None:
            for guild in range(1, SERVERS + 1):
                await dailies.recap(GuildId(guild), TODAY)

        small, tomorrow = GuildId(7), Millis(day_start(next_day(TODAY)) + HOUR)
        old = Millis(day_start(TODAY) + (KEPT_DAYS + 2) * DAY)
        found = [
            Figure(f"bytes of a solver and day, of {SOLVERS:,}", daily * 1e6 / SOLVERS, "bytes", 350),
            await figure("results of all servers", lambda: Dailies(store, Events()).recap(small, TODAY), 100),
            await figure("recap of a server with 100 solvers", lambda: dailies.recap(small, TODAY), 5),
            await figure("  how many have solved it", lambda: count(small), 5),
            await figure("  its next post", lambda: dailies.announce(small, ChannelId(7), tomorrow), 20, 1),
            await figure(f"recaps of {SERVERS:,} servers", recap_all, 5_000, 1),
        ]
        await store_rows(url, schema.daily_member, members(large=True))
        found += [
            await figure(f"recap of a server with {SOLVERS:,} solvers", lambda: dailies.recap(LARGE, TODAY), 100),
            await figure("  how many have solved it", lambda: count(LARGE), 50),
            await figure("  its next post", lambda: dailies.announce(LARGE, ChannelId(7), tomorrow), 50, 1),
            await figure(f"sweeping {SWEPT_ROWS:,} rows of each table", lambda: dailies.sweep(old, SWEPT_ROWS), 50, 1),
        ]
    return found


def main() -> int:
    parser = argument_parser(__doc__)
    add_database_option(parser)
    with database(parser.parse_args().database) as (url, _):
        return report(asyncio.run(figures(url)))


if __name__ == "__main__":
    sys.exit(main())
