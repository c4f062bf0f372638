"""Measures how well ratings reflect strength, the gain from farming, and how fast a leaderboard is read."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.figure import Figure
from play.challenge.pool import POOLS
from play.ids import GuildId, Millis, UserId
from play.ratings.glicko import GameResult, Rating, expected, rate_period
from play.ratings.weight import PAIR_WINDOW, weight
from storage import Database, migrate, schema
from storage.leaderboards import MAX_PLACE
from tests.postgres import Postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

DAY_MILLISECONDS = 86_400_000
NOW = Millis(1_800_000_000_000)
PLAYERS, GAMES_EACH = 1000, 30
LISTED_PLAYERS = 100_000
SERVER, SMALL_SERVER = GuildId(7), GuildId(8)
READS = 200
PAGE_SIZE = 10
POOL = POOLS[0]


def figures() -> Iterator[Figure]:
    yield Figure(
        f"ratings of {PLAYERS} players after {GAMES_EACH} games each: rank correlation with strength",
        _correlation(),
        "",
        0.9,
        least=True,
    )
    for accounts, days, most in ((1, 30, 150), (1, 365, 350), (5, 30, 350)):
        gained = _farming_gain(accounts, days)
        yield Figure(f"beating {accounts} own accounts 20 times a day for {days} days gains", gained, "points", most)
    yield from asyncio.run(_leaderboards())


def _correlation() -> float:
    """Returns Spearman's correlation; opponents are near by rating, as for a waiting player."""
    rng = Random(1)  # noqa: S311 - no secret
    strengths = [Rating(rng.gauss(1500, 300), 0) for _ in range(PLAYERS)]
    ratings, now = [Rating()] * PLAYERS, NOW
    for _ in range(GAMES_EACH):
        now = Millis(now + DAY_MILLISECONDS)
        order = sorted(range(PLAYERS), key=lambda player: ratings[player].value + rng.gauss(0, 200))
        for one, other in zip(order[::2], order[1::2], strict=True):
            won = float(rng.random() < expected(strengths[one], strengths[other]))
            before = ratings[one].at_time(now), ratings[other].at_time(now)
            ratings[one] = rate_period(ratings[one], [GameResult(before[1], won)], ratings[one].periods(now), now)
            ratings[other] = rate_period(
                ratings[other], [GameResult(before[0], 1 - won)], ratings[other].periods(now), now
            )
    return statistics.correlation(_ranks(strengths), _ranks(ratings))


def _ranks(ratings: list[Rating]) -> list[int]:
    order = sorted(rating.value for rating in ratings)
    return [order.index(rating.value) for rating in ratings]


def _farming_gain(accounts: int, days: int) -> float:
    """Returns the gain of an established player of 1500 whose other accounts, old enough to count, lose to them."""
    cheat, now = Rating(1500, 60, at=NOW), NOW
    victims = {
        UserId((NOW - 1_420_070_400_000 - 400 * DAY_MILLISECONDS << 22) + number): Rating()
        for number in range(accounts)
    }
    for _ in range(days):
        now = Millis(now + PAIR_WINDOW)
        for user, victim in victims.items():
            for game in range(20):
                worth, before = weight(game, (user,), now).value, cheat.at_time(now)
                cheat = rate_period(cheat, [GameResult(victim.at_time(now), 1, worth)], cheat.periods(now), now)
                victim = rate_period(victim, [GameResult(before, 0, worth)], victim.periods(now), now)
            victims[user] = victim
    return cheat.value - 1500


async def _leaderboards() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, Postgres() as server:
        urls = {
            "SQLite": f"sqlite+aiosqlite:///{Path(folder)}/kropka.db",
            "PostgreSQL": await server.create("leaderboards"),
        }
        return [figure for engine, url in urls.items() for figure in await _measure_engine(engine, url)]


async def _measure_engine(engine: str, url: str) -> list[Figure]:
    await migrate(url)
    await _fill(url)
    async with Database.open(url) as database:
        rng = Random(2)  # noqa: S311 - no secret
        figures = []
        for name, guild, size in (
            (f"of {LISTED_PLAYERS} players", SERVER, LISTED_PLAYERS),
            ("of 3 players", SMALL_SERVER, 3),
        ):
            taken = []
            for read in range(READS):
                start = 0 if read % 2 else rng.randrange(min(size, MAX_PLACE))
                begun = perf_counter()
                async with database.read() as reader:
                    await reader.leaderboards.leaders(POOL, guild, start, PAGE_SIZE)
                    await reader.leaderboards.leader(UserId(1 + rng.randrange(size)), POOL, guild)
                taken.append((perf_counter() - begun) * 1000)
            worst = statistics.quantiles(taken, n=100)[98]
            figures.append(
                Figure(f"a page of a leaderboard {name} and the player's own line, p99, {engine}", worst, "ms", 50)
            )
    return figures


async def _fill(url: str) -> None:
    rng = Random(3)  # noqa: S311 - no secret
    values = {user: rng.gauss(1500, 250) for user in range(1, LISTED_PLAYERS + 1)}
    sure = {"pool": str(POOL), "deviation": 80.0, "volatility": 0.06, "at": NOW, "games": 40}
    ratings = [sure | {"user": user, "value": value} for user, value in values.items()]
    lines = [
        {"guild": guild, "pool": str(POOL), "user": user, "value": value, "listed": True}
        for user, value in values.items()
        for guild in (0, SERVER, *([SMALL_SERVER] if user <= 3 else []))
    ]
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(insert(schema.rating), ratings)
        await connection.execute(insert(schema.standing), lines)
    async with engine.connect() as connection:
        separate = await connection.execution_options(isolation_level="AUTOCOMMIT")
        for command in ("VACUUM", "ANALYZE"):  # PostgreSQL does so itself after so many changes
            await separate.execute(text(command))
    await engine.dispose()
