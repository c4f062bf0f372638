"""Sixty days of the daily on five servers in four time zones, whose clocks change, while processes are killed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from operator import eq
from random import Random
from statistics import mean

import pytest

from play.community.daily import STEPS, DailyPlace, Run, day_start, make_recap
from play.community.puzzle import puzzle_day
from play.ids import ChannelId, GuildId, Millis, UserId
from play.services.dailies import Dailies
from play.services.use_cases import UseCases
from play.store import Store
from play.workers.daily_relay import DailyRelay
from tests.clock import DAY, HOUR, StoppedClock
from tests.exercises import CALENDAR, EXERCISES
from tests.matches import pass_time
from tests.play.daily_channel import Channel, Killed

SERVERS = {
    GuildId(1): ("Europe/Warsaw", 7),
    GuildId(2): ("America/Los_Angeles", 16),
    GuildId(3): ("Pacific/Auckland", 13),
    GuildId(4): ("Asia/Kolkata", 5),
    GuildId(5): ("Europe/Warsaw", 1),
}
"""Their zones and hours. Some change their clocks within these days, one of them across midnight UTC."""

FIRST_DAY = "2025-09-20"
DAYS, SOLVERS = 60, 200
CHANCES = (0.3, 0.6, 0.9)
"""How likely solvers of three strengths find a move."""

PLAYS = 0.15
"""How likely a solver plays on a day."""

KILLS = dict(zip(range(3, 60, 6), ("before", "after", "recap") * 4, strict=False))
"""The days on which the process is killed, and where: before Discord has the post, before the bot knows so, and after a
recap."""


class World:
    """The servers, their solvers, and what these have done by a count of their own."""

    def __init__(self, store: Store, dailies: Dailies, clock: StoppedClock) -> None:
        self.store, self.dailies, self.clock = store, dailies, clock
        self.chance = Random(60)
        self.channel = Channel()
        self.runs: dict[tuple[str, GuildId], list[Run]] = defaultdict(list)
        self.met: dict[UserId, list[int]] = defaultdict(list)

    async def solve(self, user: UserId, guild: GuildId, skill: float) -> None:
        """Lets a solver go through today's daily."""
        now = self.clock()
        state = await self.dailies.open(user, guild, now)
        self.met[user] += [self.dailies.exercise(state.run.day, step).number for step in range(STEPS)]
        end = Millis(now + self.chance.randrange(20, 900) * 1000)
        while state.solving is not None:
            right = state.solving.node.line[0]
            if self.chance.random() > skill:
                state = await self.dailies.play(state.run.day, user, state.run.tries, "E5", end)
                if state.run.missed > 3:
                    state = await self.dailies.show(state.run.day, user, state.run.tries, end)
            else:
                state = await self.dailies.play(state.run.day, user, state.run.tries, right, end)
        self.runs[state.run.day, guild].append(state.run)

    async def work(self, relay: DailyRelay) -> None:
        for guild in await relay.pending(50):
            await relay.process(guild)


def settle(guild: GuildId, zone: str, hour: int, now: Millis, place: DailyPlace) -> DailyPlace:
    return replace(place, zone=zone, hour=hour).moved(ChannelId(guild), now)


@pytest.mark.contest
async def test_each_day_is_posted_once_and_told_as_it_was(
    store: Store, use_cases: UseCases, clock: StoppedClock
) -> None:
    dailies = Dailies(store, use_cases.events, lambda: CALENDAR, lambda: EXERCISES)
    world = World(store, dailies, clock)
    await pass_time(store, clock, day_start(FIRST_DAY) - clock())
    for guild, (zone, hour) in SERVERS.items():
        await dailies.change_place(guild, partial(settle, guild, zone, hour, clock()))
    killed = Counter[str]()
    for number in range(DAYS):
        plays = defaultdict(list)
        for solver in range(SOLVERS):
            if world.chance.random() < PLAYS:
                plays[world.chance.randrange(24)].append(solver)
        for hour in range(24):
            relay = DailyRelay(store, dailies, world.channel)
            moment = KILLS.get(number, "")
            world.channel.dies = partial(eq, moment)
            try:
                await world.work(relay)
            except Killed:
                killed[moment] += 1
            world.channel.dies = lambda _: False
            await world.work(DailyRelay(store, dailies, world.channel))
            for solver in plays[hour]:
                guild = GuildId(1 + solver % len(SERVERS))
                await world.solve(UserId(1000 + solver), guild, CHANCES[solver % len(CHANCES)])
            await pass_time(store, clock, HOUR)
    days = [puzzle_day(Millis(day_start(FIRST_DAY) + day * DAY)) for day in range(DAYS)]
    assert {*world.channel.posts} == {(guild, day) for guild in SERVERS for day in days}
    assert sum(killed.values()) >= len(KILLS)
    told = {(guild, recap.day): recap for guild, recap in world.channel.recaps}
    assert {*told} == {(guild, day) for guild in SERVERS for day in days[:-1]}
    for guild in SERVERS:
        streak = 0
        for day in days[:-1]:
            recap = make_recap(day, world.runs[day, guild], streak, None)
            assert told[guild, day] == recap
            streak = recap.streak
    assert all(len(numbers) == len({*numbers}) for numbers in world.met.values())
    async with store.read() as reader:
        skills = {user: (await reader.puzzles.skill(user)).value for user in world.met}
    weak, middle, strong = (mean(skills[user] for user in skills if (user - 1000) % 3 == each) for each in range(3))
    assert weak < middle < strong
