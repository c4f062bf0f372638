"""Measures how well ratings reflect strength, the gain from farming, when newcomers get a place, and how fast a
leaderboard is read."""

from __future__ import annotations

import asyncio
import math
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.cheating.strangers import Sheet
from benchmarks.figure import Figure, percentile
from opponent.choice import EASIEST, HARDEST
from play.challenge.pool import POOLS
from play.ids import GuildId, Millis, UserId
from play.ratings.glicko import GameResult, Rating, expected, rate_period
from play.ratings.leaderboard import QUALIFYING_GAMES
from play.ratings.settlement import MAX_CHANGE, PAIR_WINDOW, level_rating, rate_table
from storage import Database, migrate, schema
from storage.leaderboards import MAX_PLACE
from tests.play.ratings.attacks import FULL, ME, SETTLED, born
from tests.postgres import Postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAY_MILLISECONDS = 86_400_000
NOW = Millis(1_800_000_000_000)
PLAYERS, GAMES_EACH = 1000, 30
NEWCOMERS, MAX_GAMES = 200, 150
MAX_ERRORS = {20: 90.0, 50: 65.0}
"""By games, how far newcomers may be from their strength. They are at 85 and 50."""

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
    for accounts, days, most in ((1, 30, 40), (1, 365, 250), (5, 30, 150)):
        gained = _farming_gain(accounts, days)
        yield Figure(f"beating {accounts} own accounts 20 times a day for {days} days gains", gained, "points", most)
    for games, error in MAX_ERRORS.items():
        name = f"ratings of newcomers after {games} games with strangers: how far from their strength"
        yield Figure(name, _error(games), "points", error)
    yield from _games_until_a_place()
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
    sheet, now = Sheet(SETTLED), NOW
    for _ in range(days):
        now = Millis(now + PAIR_WINDOW)
        for number in range(accounts):
            for _ in range(20):
                sheet.rate(ME, born(400 * DAY_MILLISECONDS, 100 + number), FULL, now)
    return sheet.people[ME].value - SETTLED.value


def _error(games: int) -> float:
    """Returns how far newcomers' ratings are from their strengths (root of the mean square) after so many games, two a
    day, each with the nearest of eight settled strangers."""
    rng, squares = Random(1), list[float]()  # noqa: S311 - no secret
    for _ in range(NEWCOMERS):
        strength, sheet = Rating(rng.gauss(1500, 250), 0), Sheet(Rating())
        others = {born(400 * DAY_MILLISECONDS, 10 + number): Rating(rng.gauss(1500, 250), 0) for number in range(200)}
        for game in range(games):
            now, own = Millis(NOW + game * DAY_MILLISECONDS // 2), sheet.people[ME].value
            other = min(rng.sample([*others], 8), key=lambda user: abs(others[user].value - own))
            sheet.people[other] = replace(SETTLED, value=others[other].value, at=now)
            won = rng.random() < expected(strength, others[other])
            sheet.rate(*((ME, other) if won else (other, ME)), FULL, now)
        squares.append((sheet.people[ME].value - strength.value) ** 2)
    return math.sqrt(statistics.fmean(squares))


def _games_until_a_place() -> Iterator[Figure]:
    """Yields the median and the 90th percentile of the games until a newcomer has a place, by the former rule (five
    games and a deviation below PROVISIONAL_DEVIATION) and by the present one."""
    rules: tuple[tuple[str, Callable[[Rating, int], bool], float | None], ...] = (
        ("before", lambda rating, games: games >= 5 and not rating.provisional, None),
        ("now", lambda rating, games: not rating.provisional or games >= QUALIFYING_GAMES, QUALIFYING_GAMES),
    )
    opponents: dict[str, Callable[[Random, int], Iterator[Rating]]] = {
        "settled players": _against_settled,
        "the computer, a level up or down after each": _against_computer,
        "each other, eight newcomers": _among_newcomers,
        "each other, three newcomers at a table": _at_a_table,
    }
    for pace, days in (("day", 1), ("week", 7)):
        for name, play in opponents.items():
            for rule, qualifies, most in rules:
                games = []
                for newcomer in range(NEWCOMERS):
                    career = play(Random(newcomer), days * DAY_MILLISECONDS)  # noqa: S311 - no secret
                    games.append(next((n for n, after in enumerate(career, 1) if qualifies(after, n)), MAX_GAMES))
                title = f"games to a place, one a {pace}, against {name}, {rule}"
                yield Figure(f"{title}, median", statistics.median(games), "games", most)
                yield Figure(f"{title}, 90 of 100", percentile(games, 0.9), "games", most)


def _against_settled(rng: Random, pause: int) -> Iterator[Rating]:
    """Yields a newcomer's rating after each game against players whose ratings are settled and right."""
    strength = Rating(rng.gauss(1500, 250), 0)
    return _career(rng, pause, strength, lambda _: Rating(rng.gauss(1500, 250), 70))


def _against_computer(rng: Random, pause: int) -> Iterator[Rating]:
    """Yields a beginner's rating after each game against the computer, from level 2 on."""
    level = 2

    def next_level(won: bool | None) -> Rating:
        nonlocal level
        level += 0 if won is None else 1 if won else -1
        level = min(HARDEST, max(EASIEST, level))
        return level_rating(level)

    return _career(rng, pause, Rating(rng.gauss(1300, 300), 0), next_level)


def _career(
    rng: Random, pause: int, strength: Rating, next_opponent: Callable[[bool | None], Rating]
) -> Iterator[Rating]:
    rating, now, won = Rating(), NOW, None
    for _ in range(MAX_GAMES):
        now = Millis(now + pause)
        opponent = next_opponent(won)
        won = rng.random() < expected(strength, Rating(opponent.value, 0))
        rating = _rate(rating, opponent, won, now)
        yield rating


def _among_newcomers(rng: Random, pause: int) -> Iterator[Rating]:
    """Yields the rating of one of eight newcomers, who meet in pairs drawn anew each time."""
    strengths = [Rating(rng.gauss(1500, 250), 0) for _ in range(8)]
    ratings, now = [Rating()] * len(strengths), NOW
    for _ in range(MAX_GAMES):
        now = Millis(now + pause)
        order = rng.sample(range(len(strengths)), len(strengths))
        for one, other in zip(order[::2], order[1::2], strict=True):
            won = rng.random() < expected(strengths[one], strengths[other])
            before = ratings[one].at_time(now), ratings[other].at_time(now)
            ratings[one] = _rate(ratings[one], before[1], won, now)
            ratings[other] = _rate(ratings[other], before[0], not won, now)
        yield ratings[0]


def _at_a_table(rng: Random, pause: int) -> Iterator[Rating]:
    """Yields the rating of one of three newcomers of equal strength, who play games of three."""
    ratings, now = [Rating()] * 3, NOW
    for _ in range(MAX_GAMES):
        now = Millis(now + pause)
        ratings = rate_table(ratings, rng.sample(range(3), 3), now)
        yield ratings[0]


def _rate(rating: Rating, opponent: Rating, won: bool, now: Millis) -> Rating:
    """Returns the rating after a game that counts in full, within MAX_CHANGE of the one before."""
    after = rate_period(rating, [GameResult(opponent, float(won))], rating.periods(now), now)
    return replace(after, value=min(rating.value + MAX_CHANGE, max(rating.value - MAX_CHANGE, after.value)))


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
