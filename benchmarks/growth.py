"""Measures how the number of stored matches affects a move, `/games`, the leaderboard, `/privacy` and a start:
`python -m benchmarks.growth`.

No cost may grow faster than logarithmically: from a thousand to a million matches it may at most double.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from zoneinfo import ZoneInfo

from sqlalchemy import func, select, text, update

from benchmarks.figure import Figure
from benchmarks.fleet import Bot, discord_with_commands
from benchmarks.program import add_database_option, database, report
from benchmarks.stock import FIRST_ID, MATCHES_PER_OPEN_ONE, MATCHES_PER_PLAYER, MATCHES_PER_SERVER, fill
from bot.services.rate_limits import DIGESTS, POSTS
from play.challenge.challenge import Challenge
from play.challenge.pool import Pool
from play.community.home import MAX_PLACES, Home, HomeContent
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.people.digest import switch_digest
from play.people.settings import PlayerSettings
from storage import Database, schema
from tests.clock import StoppedClock
from tests.keepers import kept_posts
from tests.matches import play_turn
from tests.open_channels import OPEN
from tools.program import argument_parser, say
from use_cases.worker import MAX_PENDING
from use_cases.workers.digest_relay import DigestRelay, Morning
from use_cases.workers.home_refresher import HomeRefresher

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUERY_RUNS, OPEN_RUNS = 40, 5
"""Runs of each query, and of opening the store; the median counts."""

MAX_RATIO, COLD_MILLISECONDS = 2.0, 1.0
"""The largest cost relative to the smallest size, plus an allowance for the cold pages of a large file."""

POOL = Pool.parse("dots-live")

DIGEST_ZONES = {
    "Europe/Warsaw": 0.5,
    "Europe/Moscow": 0.2,
    "Europe/Kyiv": 0.1,
    "America/New_York": 0.1,
    "America/Los_Angeles": 0.05,
    "Asia/Tokyo": 0.05,
}
"""Shares of players; half of them wake at the same hour."""

EVENING = range(5, 11)
"""Hours after the stopped clock's first one in which something happens in each server with a home."""

MAX_HOME_MEGABYTES = 0.003
"""Room for a home: its own row, and 40 places of two days."""

Query = Callable[[Database, int, int], Awaitable[object]]


def some_user(matches: int, number: int) -> UserId:
    """Returns a user; different numbers give different users."""
    return UserId(1 + number * 7 % (matches // MATCHES_PER_PLAYER))


async def move(store: Database, matches: int, number: int) -> object:
    """Makes a move in a match that no run has read before."""
    wanted = MatchId(FIRST_ID + MATCHES_PER_OPEN_ONE * (1 + number * 37 % (matches // MATCHES_PER_OPEN_ONE)))
    async with store.write() as tx:
        match = await tx.matches.get(wanted)
        assert match is not None, "it was stored"
        await tx.matches.save(play_turn(match))
    return match


async def games(store: Database, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.matches.open_of(some_user(matches, number))


async def match_here(store: Database, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.matches.in_channel(ChannelId(FIRST_ID + 1 + number * 13 % matches))


async def leaderboard(store: Database, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.leaderboards.leaders(POOL, None, 0, 20)


async def standing(store: Database, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.leaderboards.leader(some_user(matches, number), POOL, None)


async def deadlines(store: Database, matches: int, number: int) -> object:
    async with store.read() as reader:
        return (
            await reader.deadlines.next_deadline(),
            await reader.deadlines.overdue(Millis(0), 50),
            await reader.outbox.pending_matches(),
        )


async def everything(store: Database, matches: int, number: int) -> object:
    async with store.read() as reader:
        return await reader.privacy.export(some_user(matches, number))


async def forget(store: Database, matches: int, number: int) -> None:
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


class Mailbox:
    """Takes digests, and notes to whom they went."""

    def __init__(self) -> None:
        self.users: list[UserId] = []

    async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
        self.users.append(settings.id)


async def mornings(url: str, players: int) -> list[Figure]:
    """Returns the costs of one day of digests at 8:00, of so many players in the zones of `DIGEST_ZONES`."""
    await fill(url, players * MATCHES_PER_PLAYER)
    clock, mailbox = StoppedClock(), Mailbox()
    async with Database.open(url, now=clock) as store:
        async with store.write() as tx:
            zones = [zone for zone, share in DIGEST_ZONES.items() for _ in range(round(players * share))]
            for number, zone in enumerate(zones, 1):
                settings = PlayerSettings(UserId(number), digest=8, zone=ZoneInfo(zone))
                await tx.people.save(settings)
                digest = switch_digest(None, settings, clock())
                assert digest is not None, "it was switched on"
                await tx.digests.put(digest)
        relay, finds, busiest, spent = DigestRelay(store, mailbox), [], 0, 0.0
        for _ in range(24):
            clock.advance(3_600_000)
            before = len(mailbox.users)
            while True:
                began = time.perf_counter()
                due = await relay.pending(MAX_PENDING)
                finds.append(time.perf_counter() - began)
                if not due:
                    break
                for user in due:
                    await relay.process(user)
                spent += time.perf_counter() - began
            busiest = max(busiest, len(mailbox.users) - before)
    assert len(set(mailbox.users)) == len(mailbox.users), "one digest each"
    return [
        Figure(f"digests of {len(zones):,} players in a day", len(mailbox.users), "messages", len(zones)),
        Figure("  in the busiest hour", busiest, "messages", 3600 / DIGESTS.every),
        Figure("  the last of them is late by", busiest * DIGESTS.every / 60, "minutes", 60),
        Figure("  finding 50 that are due", median(finds) * 1000, "ms", 5.0),
        Figure("  writing one, without Discord", spent * 1000 / max(1, len(mailbox.users)), "ms", DIGESTS.every * 500),
    ]


class Walls:
    """Takes home posts, and counts the requests that they would take."""

    def __init__(self) -> None:
        self.posts = self.edits = self.removals = 0

    @property
    def requests(self) -> int:
        return self.posts + self.edits + self.removals

    async def post(self, home: Home, content: HomeContent, now: Millis) -> MessageId:
        self.posts += 1
        return MessageId(self.posts)

    async def edit(self, home: Home, content: HomeContent, now: Millis) -> None:
        self.edits += 1

    async def ping(self, home: Home, challenges: Sequence[Challenge]) -> MessageId | None:
        return None

    async def remove(self, channel: ChannelId, message: MessageId) -> None:
        self.removals += 1


async def day_of_homes(url: str, number: int) -> list[Figure]:
    """Returns the costs of a day of so many homes, in each of which something happens in the six hours of an evening.

    All are in one zone, so that they are posted anew in the same hour.
    """
    await fill(url, number * MATCHES_PER_SERVER)
    clock, walls = StoppedClock(), Walls()
    async with Database.open(url, now=clock) as store:
        before = await megabytes(store)
        for guild in range(1, number + 1):
            async with store.write() as tx:
                await tx.homes.save(Home(GuildId(guild), ChannelId(guild), "Europe/Warsaw"))
        refresher, finds, busiest, spent, done = (
            HomeRefresher(store, kept_posts(store), walls, OPEN),
            list[float](),
            0,
            0.0,
            0,
        )
        for hour in range(25):
            counted = walls.requests
            while True:
                began = time.perf_counter()
                due = await refresher.pending(MAX_PENDING)
                finds.append(time.perf_counter() - began)
                if not due:
                    break
                began = time.perf_counter()
                for server in due:
                    await refresher.process(server)
                spent, done = spent + time.perf_counter() - began, done + len(due)
            busiest = max(busiest, walls.requests - counted)
            if hour in EVENING:
                await _change_leaders(store)
                for guild in range(1, number + 1):
                    refresher.note_change(GuildId(guild))
                await refresher.pending(MAX_PENDING)  # the changes show within the next hour
            async with store.write() as tx:
                clock.advance(3_600_000)
                await tx.clock.record_heartbeat(away=Millis(10**12))
        rows = await _count_rows(store)
        grown = await megabytes(store) - before
    return [
        Figure(f"rows of {number:,} homes", rows, "rows", number * (1 + 2 * MAX_PLACES)),
        Figure("  they take", grown, "MB", number * MAX_HOME_MEGABYTES + 1),
        Figure("  requests in a day", walls.requests, "requests", 24 * 3600 / POSTS.every),
        Figure("  in the busiest hour", busiest, "requests", 3600 / POSTS.every),
        Figure("  finding 50 that are due", median(finds) * 1000, "ms", 5.0),
        Figure("  bringing one up to date, without Discord", spent * 1000 / max(1, done), "ms", 30.0),
    ]


async def _change_leaders(store: Database) -> None:
    """Changes every rating, and so the list of each home."""
    async with store.write() as tx:
        await tx.connection.execute(update(schema.rating).values(value=schema.rating.c.value + 1))


async def megabytes(store: Database) -> float:
    """Returns the size of the database."""
    async with store.write() as tx:
        is_sqlite = tx.connection.dialect.name == "sqlite"
        size = (
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            if is_sqlite
            else "SELECT pg_database_size(current_database())"
        )
        return float((await tx.connection.execute(text(size))).scalar_one()) / 1e6


async def _count_rows(store: Database) -> int:
    """Returns the rows that homes take."""
    async with store.write() as tx:
        tables = (schema.home, schema.home_place)
        counts = [await tx.connection.execute(select(func.count()).select_from(table)) for table in tables]
        return sum(count.scalar_one() for count in counts)


def main() -> int:
    parser = argument_parser(__doc__)
    add_database_option(parser)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--open", type=int, default=100_000, help="open matches at a start")
    parser.add_argument("--digests", type=int, default=12_000, help="players with a digest: 1,000 servers of 12")
    parser.add_argument("--homes", type=int, default=1_000, help="servers with a home post")
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
    if arguments.digests:
        with database(arguments.database) as (address, _):
            figures += asyncio.run(mornings(address, arguments.digests))
    if arguments.homes:
        with database(arguments.database) as (address, _):
            figures += asyncio.run(day_of_homes(address, arguments.homes))
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
