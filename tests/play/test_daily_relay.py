"""The relay of the daily: one post a day and server, also when the process is killed at any point."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.community.puzzle import puzzle_day
from play.community.streak import day_start
from play.ids import ChannelId, Millis, UserId
from play.posts import PostProblem
from storage import Database
from tests.clock import DAY, HOUR, StoppedClock
from tests.exercises import CALENDAR, EXERCISES
from tests.keepers import kept_posts
from tests.matches import GUILD, pass_time
from tests.play.daily_channel import Channel, Killed
from use_cases import UseCases
from use_cases.dailies import Dailies
from use_cases.workers.daily_relay import DailyRelay


@pytest.fixture
def dailies(store: Database, use_cases: UseCases) -> Dailies:
    return Dailies(store, use_cases.events, lambda: CALENDAR, lambda: EXERCISES)


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
async def relay(store: Database, dailies: Dailies, channel: Channel, clock: StoppedClock) -> DailyRelay:
    await dailies.change_place(GUILD, lambda place: replace(place, hour=0).moved(ChannelId(5), clock()), UserId(1))
    return DailyRelay(store, kept_posts(store), dailies, channel)


async def work(relay: DailyRelay) -> None:
    """Does what is due, as a process does after its start."""
    for guild in await relay.pending(50):
        await relay.process(guild)


async def test_a_day_is_posted_once_and_the_next_one_recaps_it(
    store: Database, relay: DailyRelay, channel: Channel, clock: StoppedClock
) -> None:
    first = puzzle_day(clock())
    for _ in range(3):
        await work(relay)
    assert [*channel.posts] == [(GUILD, first)]
    assert channel.recaps == []
    await pass_time(store, clock, DAY)
    for _ in range(3):
        await work(relay)
    assert [*channel.posts] == [(GUILD, first), (GUILD, puzzle_day(clock()))]
    assert [(guild, recap.day) for guild, recap in channel.recaps] == [(GUILD, first)]


@pytest.mark.parametrize("moment", ["before", "after", "recap"])
async def test_a_process_that_is_killed_leaves_neither_a_gap_nor_a_second_post(
    store: Database, relay: DailyRelay, channel: Channel, clock: StoppedClock, moment: str
) -> None:
    await work(relay)
    await pass_time(store, clock, DAY)
    channel.dies = lambda point: point == moment
    with pytest.raises(Killed):
        await work(relay)
    channel.dies = lambda _: False
    await work(relay)
    await work(relay)
    assert len(channel.posts) == 2
    assert {recap.day for _, recap in channel.recaps} == {puzzle_day(Millis(clock() - DAY))}


async def test_days_on_which_the_bot_was_away_are_not_posted_later(
    store: Database, relay: DailyRelay, channel: Channel, clock: StoppedClock
) -> None:
    await work(relay)
    await pass_time(store, clock, 4 * DAY)
    await work(relay)
    assert len(channel.posts) == 2


async def test_a_refused_post_is_tried_again_and_explained(
    store: Database, dailies: Dailies, relay: DailyRelay, channel: Channel, clock: StoppedClock
) -> None:
    channel.trouble = PostProblem.PERMISSION
    await work(relay)
    assert (await dailies.place(GUILD)).trouble is PostProblem.PERMISSION
    channel.trouble = None
    await work(relay)
    assert not channel.posts
    await pass_time(store, clock, HOUR)
    await work(relay)
    assert len(channel.posts) == 1
    assert (await dailies.place(GUILD)).trouble is None


async def test_a_place_that_fails_for_a_month_ends(
    store: Database, dailies: Dailies, relay: DailyRelay, channel: Channel, clock: StoppedClock
) -> None:
    channel.trouble = PostProblem.CHANNEL
    for _ in range(32):
        await work(relay)
        await pass_time(store, clock, DAY)
    assert (await dailies.place(GUILD)).channel is None
    assert await relay.pending(5) == []


async def test_another_channel_or_hour_on_the_same_day_brings_no_second_post(
    store: Database, dailies: Dailies, relay: DailyRelay, channel: Channel, clock: StoppedClock
) -> None:
    await work(relay)
    await dailies.change_place(GUILD, lambda place: replace(place, hour=1).moved(ChannelId(6), clock()), UserId(1))
    await work(relay)
    assert len(channel.posts) == 1
    due = (await dailies.place(GUILD)).due
    assert due == day_start(puzzle_day(Millis(clock() + DAY))) + HOUR


async def test_an_hour_still_to_come_is_waited_for(
    store: Database, dailies: Dailies, relay: DailyRelay, channel: Channel, clock: StoppedClock
) -> None:
    await dailies.change_place(GUILD, lambda place: replace(place, hour=20).moved(place.channel, clock()), UserId(1))
    await work(relay)
    assert not channel.posts
    await pass_time(store, clock, day_start(puzzle_day(clock())) + 20 * HOUR - clock())
    await work(relay)
    assert len(channel.posts) == 1
