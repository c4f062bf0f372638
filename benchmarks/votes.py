"""Measures votes: 5,000 about one turn, the last of them at the pace of 5,000 in ten minutes, and their count."""

from __future__ import annotations

import asyncio
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.figure import Figure, latencies
from benchmarks.program import database
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.people.membership import Member
from play.votes import Choice, NewSide
from rules.registry import make_game
from storage import Database
from use_cases import UseCases
from use_cases.votes import VoteGame

if TYPE_CHECKING:
    from collections.abc import Iterator

VOTES, PER_SECOND = 5000, 5000 / 600
"""Votes about one turn, and how many come in a second where they take ten minutes."""

TIMED = 250
"""The last votes, which come at that pace and are timed; those before come as fast as they are stored."""

TOGETHER = 20
"""Votes that are under way at once before."""

MAX_ACKNOWLEDGED_MILLISECONDS = 250
"""The limit for a vote and the tally that its voter then reads, of 99 in 100."""

GUILD, OPPONENT = GuildId(1), UserId(2)
DAY_MILLISECONDS = 86_400_000


def figures() -> Iterator[Figure]:
    for name, engine in (("SQLite", "sqlite"), ("PostgreSQL", "postgres")):
        with database(engine) as (address, _):
            yield from asyncio.run(_measure(name, address))


async def _measure(engine: str, address: str) -> list[Figure]:
    async with Database.open(address) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        async with store.read() as reader:
            now = await reader.clock.now()
        terms = Terms(make_game("zagram", {"size": "39x32"}), parse_control("1d"), Order.FIRST)
        side = NewSide(GUILD, ChannelId(3))
        game = VoteGame(GUILD, ChannelId(3), side, OPPONENT, Millis(DAY_MILLISECONDS), terms, OPPONENT)
        match = await use_cases.votes.begin(game, now)
        moves = [str(move) for move in match.position.moves()][:40]

        async def cast(number: int) -> None:
            voter = Member(UserId(1000 + number), GUILD, joined=Millis(now - DAY_MILLISECONDS))
            text = moves[number * number % len(moves)]
            await use_cases.votes.cast(match.id, voter, Choice.MOVE, text, now, IdempotencyKey(10_000 + number))

        async def acknowledge(number: int, begins: float) -> float:
            await asyncio.sleep(begins - perf_counter())
            await cast(number)
            await use_cases.votes.tally(match.id, UserId(1000 + number))
            return perf_counter() - begins

        before = perf_counter()
        for first in range(0, VOTES - TIMED, TOGETHER):
            await asyncio.gather(*map(cast, range(first, min(first + TOGETHER, VOTES - TIMED))))
        stored = (VOTES - TIMED) / (perf_counter() - before)
        start = perf_counter()
        taken = await asyncio.gather(*(acknowledge(VOTES - TIMED + n, start + n / PER_SECOND) for n in range(TIMED)))
        (voted,) = await use_cases.votes.sides_of(match.id)
        counted = []
        for _ in range(5):
            before = perf_counter()
            async with store.read() as reader:
                counts = await reader.votes.counts(voted, 0, now)
            counted.append(perf_counter() - before)
        assert sum(count.votes for count in counts) == VOTES, "each vote counts once"
    return [
        Figure(f"{engine}: votes of {TOGETHER} at once", stored, "/s", PER_SECOND * 2, least=True),
        *latencies(f"{engine}: a vote with its tally, {PER_SECOND:.1f}/s", taken, MAX_ACKNOWLEDGED_MILLISECONDS),
        Figure(f"{engine}: count of {VOTES:,} votes", 1000 * median(counted), "ms", 50),
    ]
