"""A game of two servers while processes are killed, Discord refuses, and one server is closed to the bot.

Each version is posted once in each place. On PostgreSQL two processes work at once.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import AsyncExitStack, suppress
from random import Random

import pytest

from loopback import HANG_SECONDS
from play.ids import ChannelId, MatchId, MessageId
from play.match.events import Notice
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from storage import Database
from storage.errors import Stale
from tests.clock import StoppedClock
from tests.matches import a_match, add_match, away_place, load_match, play_turn, save_match
from use_cases.worker import Backoff, RetryLater, Timing, Undeliverable
from use_cases.workers.outbox_relay import OutboxRelay

HERE, THERE = ChannelId(1), ChannelId(2)
TURNS = 10
"""Moves, after each of which a process is killed."""
TIMING = Timing(poll_seconds=0.1, backoff=Backoff(0.001, 0.01))


class TwoServers:
    """Discord, which posts each nonce once in a channel, and refuses now and then, before or after it has posted."""

    def __init__(self, chance: Random, closed: ChannelId | None) -> None:
        self.chance = chance
        self.closed = closed
        self.posts: dict[ChannelId, dict[str, MessageId]] = defaultdict(dict)
        self.told: list[Notice] = []
        self.requests = 0

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        self.requests += 1
        await asyncio.sleep(0)
        if match.channel == self.closed:
            raise Undeliverable("403")
        if self.chance.random() < 0.15:
            raise RetryLater("503")
        nonce = f"{match.id}:{match.version}"
        message = self.posts[match.channel].setdefault(nonce, MessageId(match.channel * 1000 + match.version))
        await asyncio.sleep(0)
        if self.chance.random() < 0.15:
            raise RetryLater("the answer was lost")
        return message

    async def find_answer(self, match: Match) -> MessageId | None:
        return None

    async def notify(self, match: Match, notice: Notice) -> None:
        self.told.append(notice)

    def versions(self, channel: ChannelId) -> list[int]:
        return [int(nonce.partition(":")[2]) for nonce in self.posts[channel]]


class Processes:
    """A relay on each store; one that is killed has another in its place at once."""

    def __init__(self, stores: list[Database], discord: TwoServers) -> None:
        self._stores = stores
        self._discord = discord
        self._tasks = [self._start(store) for store in stores]

    def _start(self, store: Database) -> asyncio.Task[None]:
        return asyncio.create_task(OutboxRelay(store, self._discord, TIMING).run())

    async def kill(self, number: int) -> None:
        self._tasks[number].cancel()
        await asyncio.wait([self._tasks[number]])
        self._tasks[number] = self._start(self._stores[number])

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)


async def move(store: Database, number: MatchId, *, away: bool) -> Match:
    """Plays a turn from one of the places, however often a relay is faster."""
    while True:
        with suppress(Stale):
            known = await load_match(store, number)
            return await save_match(store, play_turn(known.look_from(away=away)))


async def posted_all(store: Database, match: Match) -> None:
    """Until the outboxes of both places are empty."""
    async with asyncio.timeout(HANG_SECONDS):
        while True:
            async with store.read() as reader:
                waiting = [await reader.outbox.next_entry(match.id, away=away) for away in (False, True)]
            if waiting == [None, None]:
                return
            await asyncio.sleep(0.01)


@pytest.mark.contest
@pytest.mark.parametrize("closed", [None, HERE, THERE], ids=["both open", "here closed", "there closed"])
async def test_each_version_is_in_each_open_place_once_and_in_order(
    store: Database, url: str, clock: StoppedClock, closed: ChannelId | None
) -> None:
    chance = Random(f"two places {closed}")
    discord = TwoServers(chance, closed)
    async with AsyncExitStack() as stack:
        stores: list[Database] = [store]
        if url.startswith("postgresql"):
            stores.append(await stack.enter_async_context(Database.open(url, now=clock)))
        processes = Processes(stores, discord)
        stack.push_async_callback(processes.stop)
        match = await add_match(store, a_match(HERE, away=away_place(THERE)))
        while match.version < TURNS and match.outcome is None:
            match = await move(store, match.id, away=chance.random() < 0.5)
            for _ in range(chance.randrange(30)):  # a kill comes at any moment of a post
                await asyncio.sleep(0)
            await processes.kill(chance.randrange(len(stores)))
        await posted_all(store, match)
    everything = [*range(match.version + 1)]
    for channel in (HERE, THERE):
        assert discord.versions(channel) == ([] if channel == closed else everything)
    async with store.read() as reader:
        assert [await reader.matches.is_lost(match.id, away=away) for away in (False, True)] == [
            closed == HERE,
            closed == THERE,
        ]
