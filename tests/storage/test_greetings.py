"""A server is greeted once: soon after the bot has joined it, also if it was down then."""

from __future__ import annotations

import asyncio

import pytest

from play.community.greeting import AGAIN_MILLIS, MAX_AGE_MILLIS, Greeting
from play.ids import ChannelId, GuildId, Millis
from storage import Database
from tests.clock import StoppedClock
from use_cases.events import Events
from use_cases.greetings import Greetings
from use_cases.worker import Undeliverable
from use_cases.workers.news_relay import GreetingRelay

HOME, CHANNEL = GuildId(7), ChannelId(70)


class Voice:
    """A greeter that notes whom it greets; it fails with `error` while it has one."""

    def __init__(self, error: Exception | None = None) -> None:
        self.greeted: list[GuildId] = []
        self.error = error

    async def greet(self, greeting: Greeting) -> None:
        if self.error is not None:
            raise self.error
        self.greeted.append(greeting.guild)


class Notes(Greetings):
    """The greetings, as the bot notes them."""

    async def note_join(self, greeting: Greeting) -> bool:
        """Returns whether the server is to be greeted; then its greeting is stored."""
        due = await self.is_due(greeting.guild, greeting.joined)
        if due:
            await self.add(greeting)
        return due


@pytest.fixture
def greetings(store: Database) -> Notes:
    return Notes(store, Events())


def joined(clock: StoppedClock, ago: int = 0, guild: GuildId = HOME) -> Greeting:
    return Greeting(guild, CHANNEL, Millis(clock() - ago))


async def relay(store: Database, voice: Voice) -> list[GuildId]:
    """Lets the relay poll once; returns whom it has greeted so far."""
    await GreetingRelay(store, voice).poll()
    return voice.greeted


async def test_a_server_is_greeted_once(store: Database, clock: StoppedClock, greetings: Notes) -> None:
    voice = Voice()
    assert await greetings.note_join(joined(clock))
    assert await relay(store, voice) == [HOME]
    assert not await greetings.note_join(joined(clock))
    assert await relay(store, voice) == [HOME]


async def test_a_join_while_the_bot_was_down_is_greeted_within_a_day(
    store: Database, clock: StoppedClock, greetings: Notes
) -> None:
    assert await greetings.note_join(joined(clock, MAX_AGE_MILLIS, GuildId(1)))
    assert not await greetings.note_join(joined(clock, MAX_AGE_MILLIS + 1, GuildId(2)))
    assert await relay(store, Voice()) == [1]


async def test_a_server_that_adds_the_bot_again_is_greeted_again_only_after_a_month(
    store: Database, clock: StoppedClock, greetings: Notes
) -> None:
    await greetings.note_join(joined(clock))
    clock.advance(AGAIN_MILLIS - 1)
    assert not await greetings.note_join(joined(clock))
    clock.advance(1)
    assert await greetings.note_join(joined(clock))


async def test_a_channel_that_takes_nothing_is_not_tried_again(
    store: Database, clock: StoppedClock, greetings: Notes
) -> None:
    await greetings.note_join(joined(clock))
    await relay(store, Voice(Undeliverable("50013")))
    assert await relay(store, Voice()) == []


async def test_after_a_failure_of_discord_the_greeting_is_posted_by_another_process(
    store: Database, clock: StoppedClock, greetings: Notes
) -> None:
    await greetings.note_join(joined(clock))
    await relay(store, Voice(OSError("no network")))
    assert await relay(store, Voice()) == [HOME]


async def test_a_greeting_that_waits_for_more_than_a_day_is_dropped(
    store: Database, clock: StoppedClock, greetings: Notes
) -> None:
    await greetings.note_join(joined(clock))
    clock.advance(MAX_AGE_MILLIS + 1)
    assert await relay(store, Voice()) == []
    async with store.read() as reader:
        assert await reader.greetings.pending(9) == []


async def test_a_hundred_joins_at_once_are_all_stored(store: Database, clock: StoppedClock, greetings: Notes) -> None:
    await asyncio.gather(*(greetings.note_join(joined(clock, guild=GuildId(each))) for each in range(1, 101)))
    voice = Voice()
    for _ in range(2):  # the relay asks for fifty at a time
        await relay(store, voice)
    assert sorted(voice.greeted) == list(range(1, 101))
