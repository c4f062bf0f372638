"""Measures the explorer of openings by the number of stored games: rows, bytes and time of an answer.

`python -m benchmarks.openings`; the cost of a million games follows from the curve.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from hashlib import blake2b
from random import Random
from statistics import median

from benchmarks.figure import Figure
from benchmarks.growth import megabytes
from benchmarks.program import add_database_option, database, report
from benchmarks.stock import FIRST_ID, MATCHES_PER_OPEN_ONE, MATCHES_PER_PLAYER, MATCHES_PER_SERVER, fill
from play.ids import GuildId, UserId
from play.people.settings import ServerSettings
from play.records.openings import MAX_PLIES
from storage import Database, schema
from storage.openings import EndedGame, opening_rows
from tests.clock import StoppedClock
from tests.matches import a_match, play_turn, resign
from tools.program import argument_parser
from use_cases.explorer import MAX_GAMES

SIZES = (1_000, 10_000, 100_000)
RUNS = 20
"""Answers of each kind; the median counts."""

WAYS = 12
"""Dots with which games go on from a position: the first of them most often, as it is with players."""

GAMES_AT_ONCE = 500
MAX_MILLISECONDS = 100.0
"""For an answer: a reader waits for no page longer."""

MAX_BYTES = 1000
"""For the positions of a game: its events take some five thousand."""


def steps(number: int) -> Iterator[tuple[int, int]]:
    """Yields the keys of the positions of a game, and the number of the dot that followed each."""
    chance, path = Random(number), b""  # noqa: S311 - a game, not a secret
    for _ in range(MAX_PLIES + 1):
        place = min(int(chance.expovariate(0.5)), WAYS - 1)
        yield int.from_bytes(blake2b(path, digest_size=8).digest(), signed=True), place
        path += bytes([place])


async def add_positions(store: Database, games: int) -> int:
    """Stores the positions of copied games that are over; returns the rows."""
    numbers, rows = [each for each in range(1, games + 1) if each % MATCHES_PER_OPEN_ONE], 0
    for first in range(0, len(numbers), GAMES_AT_ONCE):
        part = [
            {"position": position, "match": FIRST_ID + number, "next": place}
            for number in numbers[first : first + GAMES_AT_ONCE]
            for position, place in steps(number)
        ]
        rows += len(part)
        async with store.write() as tx:
            await tx.sql.add(schema.opening, part)
    return rows


async def show_pages(store: Database, games: int) -> None:
    """Switches the pages of all servers on."""
    async with store.write() as tx:
        for guild in range(1, max(1, games // MATCHES_PER_SERVER) + 1):
            await tx.servers.save(ServerSettings(GuildId(guild), pages=True))


async def grow(url: str, games: int) -> list[Figure]:
    """Returns the figures of so many games."""
    await fill(url, games)
    async with Database.open(url, now=StoppedClock()) as store:
        before = await megabytes(store)
        rows = await add_positions(store, games)
        grown = (await megabytes(store) - before) * 1e6 / games
        await show_pages(store, games)
        root, deep = ([*steps(1)][ply][0] for ply in (0, 6))
        figures = [
            Figure(f"{games:,} games: rows of positions", rows, "rows"),
            Figure("  they take for each game", grown, "bytes", MAX_BYTES),
        ]
        for name, position in {"the first position": root, "one after six dots": deep}.items():
            for scope, ask in queries(games).items():
                spent = []
                for number in range(RUNS):
                    async with store.read() as reader:
                        began = time.perf_counter()
                        await ask(reader, position, number)
                        spent.append((time.perf_counter() - began) * 1000)
                figures.append(Figure(f"  {name}, {scope}", median(spent), "ms", MAX_MILLISECONDS))
    return figures


def queries(games: int) -> dict[str, Callable[..., Awaitable[object]]]:
    """Returns what is asked of a reader, by its scope."""
    players, servers = games // MATCHES_PER_PLAYER, max(1, games // MATCHES_PER_SERVER)
    return {
        "own games": lambda reader, position, number: reader.openings.own(
            UserId(1 + number * 7 % players), position, MAX_GAMES
        ),
        "games of a server": lambda reader, position, number: reader.openings.of_guild(
            GuildId(1 + number * 7 % servers), position, MAX_GAMES
        ),
        "public games": lambda reader, position, _: reader.openings.public(position, MAX_GAMES),
    }


def end_of_game() -> Figure:
    """Returns what the positions of a game cost when it ends."""
    match = a_match()
    while match.outcome is None and len(match.moves) < MAX_PLIES:
        match = play_turn(match)
    over, began = resign(match) if match.outcome is None else match, time.perf_counter()
    for _ in range(RUNS):
        opening_rows(EndedGame.of(over))
    return Figure("the end of a game, for its positions", (time.perf_counter() - began) * 1000 / RUNS, "ms", 5.0)


def main() -> int:
    parser = argument_parser(__doc__)
    add_database_option(parser)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    arguments = parser.parse_args()
    figures = [end_of_game()]
    for games in (size for size in SIZES if size <= arguments.largest):
        with database(arguments.database) as (url, _):
            figures += asyncio.run(grow(url, games))
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
