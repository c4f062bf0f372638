"""The matchmaker is killed, or frozen while another one goes on, at each moment of bringing two players together.

The moments are before and after each transaction that writes, and before and after each call in the chat. Nothing is
lost, and nothing is there twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.seek import Seek, SeekCall
from play.ids import MINUTE, ChannelId, GuildId, MessageId, Millis, UserId
from rules.registry import GAMES
from storage import Database
from storage.unit_of_work import Transaction
from tests.clock import StoppedClock
from tests.people import person, server
from tests.same_database import SameDatabase
from use_cases import UseCases
from use_cases.limits import Capacity
from use_cases.seeks import Seeks
from use_cases.workers.matchmaker import Matchmaker, Posted

LIVE = Terms(GAMES["quick"], parse_control("10m+10s"))
DAYS = Terms(GAMES["quick"], parse_control("3d"))
HOME, AWAY = server(7), server(8)
ROUNDS = 4


class Killed(BaseException):
    """The end of a process, which nothing catches."""


@dataclass
class Chat:
    """Takes each call once, however often it is posted: by its nonce."""

    posts: dict[tuple[int, int], MessageId] = field(default_factory=dict)

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        return [Posted(seek.channel, self.posts.setdefault((seek.id, opponent), MessageId(100_000 + seek.id)))]

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        return None if seek.call is None else ChannelId(seek.call)

    async def settle(self, call: SeekCall) -> None:
        """Says nothing: the message of a call is not looked at here."""


@dataclass
class Moments:
    """Comes between at the moment of a `number`."""

    number: int
    act: Callable[[], Awaitable[None]]
    reached: int = 0

    async def reach(self) -> None:
        self.reached += 1
        if self.reached == self.number:
            await self.act()


class InterruptedChat(Chat):
    """The same chat, as a process calls it that may not come to the end."""

    def __init__(self, chat: Chat, moments: Moments) -> None:
        super().__init__(chat.posts)
        self._moments = moments

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        await self._moments.reach()
        posted = await super().call(seek, opponent)
        await self._moments.reach()
        return posted


class InterruptedStore(SameDatabase):
    """The same database, as such a process writes to it."""

    def __init__(self, store: Database, moments: Moments) -> None:
        super().__init__(store)
        self._moments = moments

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        await self._moments.reach()
        async with super().write() as tx:
            yield tx
        await self._moments.reach()


class Evening:
    """Two players who look, answer once they are called, and a chat."""

    def __init__(self, store: Database, number: int, terms: Terms) -> None:
        self.store, self.chat = store, Chat()
        self.use_cases = UseCases.over(store, lambda: 4)
        self._users = person(1000 + 2 * number), person(1001 + 2 * number)
        self._terms = terms
        self._channels = ChannelId(2 * number + 10_000), ChannelId(2 * number + 10_001)

    async def look(self, at: Millis) -> None:
        guilds: tuple[GuildId, GuildId] = HOME, AWAY
        for user, guild, channel in zip(self._users, guilds, self._channels, strict=True):
            await self.use_cases.seeks.look(user, guild, channel, self._terms, at)

    def matchmaker(self, moments: Moments | None = None) -> Matchmaker:
        """Returns the matchmaker of a process: of one that is stopped at a moment, if there are moments."""
        store = InterruptedStore(self.store, moments) if moments else self.store
        chat = InterruptedChat(self.chat, moments) if moments else self.chat
        seeks = Seeks(store, self.use_cases.events, Capacity())
        return Matchmaker(store, seeks, self.use_cases.events, Capacity(), chat, lambda: 4)

    async def go_round(self, matchmaker: Matchmaker, at: Millis) -> None:
        """Lets a matchmaker do all that is to do; players answer between its rounds."""
        for _ in range(ROUNDS):
            for key in await matchmaker.pending(50):
                await matchmaker.process(key)
            async with self.store.read() as reader:
                open_ones = [seek for user in self._users for seek in await reader.seeks.open_of(user)]
            for seek in open_ones:
                if seek.call is not None:
                    await self.use_cases.seeks.answer(seek.id, seek.user, at)

    async def check(self) -> None:
        """Checks that both have one and the same game, whose board is to come to each, and one call each."""
        async with self.store.read() as reader:
            games = [await reader.matches.open_of(user) for user in self._users]
            assert [len(own) for own in games] == [1, 1]
            assert games[0][0].id == games[1][0].id
            assert not [seek for user in self._users for seek in await reader.seeks.open_of(user)]
            boards = [await reader.outbox.next_entry(games[0][0].id, away=away) for away in (False, True)]
            assert None not in boards
        assert len(self.chat.posts) == 2


async def kill() -> None:
    raise Killed


def evenings(store: Database, terms: Terms) -> Iterator[tuple[int, Evening]]:
    for number in count(1):
        yield number, Evening(store, number, terms)


@pytest.mark.parametrize("terms", [LIVE, DAYS], ids=["live", "days"])
async def test_a_kill_at_any_moment_loses_nothing(store: Database, clock: StoppedClock, terms: Terms) -> None:
    for number, evening in evenings(store, terms):
        await evening.look(clock.time)
        moments = Moments(number, kill)
        with suppress(Killed):
            await evening.go_round(evening.matchmaker(moments), clock.time)
        await evening.go_round(evening.matchmaker(), clock.time)
        await evening.check()
        clock.advance(MINUTE)
        if moments.reached < number:
            break
    assert number > 10


@pytest.mark.parametrize("terms", [LIVE, DAYS], ids=["live", "days"])
async def test_a_process_that_wakes_after_all_is_done_changes_nothing(
    store: Database, clock: StoppedClock, terms: Terms
) -> None:
    for number, evening in evenings(store, terms):
        await evening.look(clock.time)
        frozen, woken = asyncio.Event(), asyncio.Event()

        async def freeze(frozen: asyncio.Event = frozen, woken: asyncio.Event = woken) -> None:
            frozen.set()
            await woken.wait()

        moments = Moments(number, freeze)
        sleeper = asyncio.create_task(evening.go_round(evening.matchmaker(moments), clock.time))
        waiting = asyncio.create_task(frozen.wait())
        await asyncio.wait([sleeper, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        await evening.go_round(evening.matchmaker(), clock.time)
        await evening.check()
        woken.set()
        await sleeper
        await evening.check()
        clock.advance(MINUTE)
        if moments.reached < number:
            break
    assert number > 10
