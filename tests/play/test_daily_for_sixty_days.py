"""Sixty days of the real calendar on five servers in four time zones, whose clocks change, while processes are killed.

Two hundred solvers play it, some of them ten in a row, puzzles of lessons and their own mistakes as well.
"""

from __future__ import annotations

import itertools
import pickle
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from math import ceil
from pathlib import Path
from random import Random
from statistics import mean
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from play.community.daily import SHOWN, STEPS, DailyPlace, Recap, post_time
from play.community.lesson import LESSONS, STOP_LESSONS, LessonState
from play.community.puzzle import puzzle_day
from play.community.streak import day_start
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.people.past_mistake import Finding
from play.people.settings import PlayerSettings
from storage import Database, schema
from tests.clock import DAY, HOUR, StoppedClock
from tests.keepers import kept_posts
from tests.matches import a_match, add_match, pass_time, play_turn, resign, save_match
from tests.play.daily_channel import Channel
from tests.solvers import FOUND_LATER, finds, right_move, wrong_move
from use_cases.dailies import Dailies
from use_cases.events import Events
from use_cases.lessons import Lessons
from use_cases.past_mistakes import PastMistakes
from use_cases.rushes import Rushes
from use_cases.workers.daily_relay import DailyRelay

SERVERS = {
    GuildId(1): ("Europe/Warsaw", 7),
    GuildId(2): ("America/Los_Angeles", 16),
    GuildId(3): ("Pacific/Auckland", 20),
    GuildId(4): ("Asia/Kolkata", 18),
    GuildId(5): ("Europe/Warsaw", 1),
}
"""Their zones and hours. Some change their clocks within these days, one of them across midnight UTC."""

FIRST_DAY = "2026-10-05"
"""The lists of exercises change on 1 December."""

DAYS, SOLVERS = 60, 200
STRENGTHS = (800.0, 1200.0, 1600.0)
PLAYS = 0.7
"""How likely a solver plays on a day."""

MAX_WRONG = 3
"""Wrong moves in a step after which a solver has the solution shown."""

KILLS = dict(zip(range(3, 60, 6), ("before", "after", "recap") * 4, strict=False))
"""The days on which the process is killed, and where: before Discord has the post, before the bot knows so, and after a
recap."""

WALKER, LEARNER = 20, 5
"""One solver in so many plays ten in a row and puzzles of lessons, and one their own mistakes."""

RETURN_DAYS = (1, 3, 7, 21)
"""Of a mistake, as docs/decisions/teaching.md#0181 has them."""


class MistakeState(NamedTuple):
    """When a mistake returns, and how often in a row it was found."""

    day: int
    found: int = 0


@dataclass
class World:
    """The solvers, and what they have done by a count of their own."""

    clock: StoppedClock
    chance: Random = field(default_factory=lambda: Random(60))
    channel: Channel = field(default_factory=Channel)
    met: dict[UserId, list[int]] = field(default_factory=lambda: defaultdict(list))
    mistakes: dict[tuple[UserId, MatchId, int], MistakeState] = field(default_factory=dict)
    returned: int = 0


@dataclass
class Life:
    """The process between two kills."""

    world: World
    store: Database

    def __post_init__(self) -> None:
        self.dailies = Dailies(self.store, Events())
        self.relay = DailyRelay(self.store, kept_posts(self.store), self.dailies, self.world.channel)

    async def pass_hour(self, users: Sequence[UserId]) -> None:
        """Lets the process do what is due, and these users play; then the hour is over."""
        for guild in await self.relay.pending(50):
            await self.relay.process(guild)
        for user in users:
            await self.solve(user)
            if user % LEARNER == 0:
                await self.practise(user)
            if user % WALKER == 0:
                await self.walk(user)
        await pass_time(self.store, self.world.clock, HOUR)

    async def solve(self, user: UserId) -> None:
        """Lets a solver go through today's daily, now and then until after the end of its day."""
        now, chance = self.world.clock(), self.world.chance
        for guild in _guilds(user):
            state = await self.dailies.open(user, guild, now)
        end = Millis(now + chance.randrange(20, 900) * 1000 * (1 if chance.random() < 0.9 else 12))
        self.world.met[user] += [self.dailies.number(state.run, step) for step in range(STEPS)]
        while (solving := state.solving) is not None:
            run, exercise = state.run, solving.exercise
            if run.moves:
                knows = True  # how it goes on
            elif run.missed:
                knows = chance.random() < FOUND_LATER
            else:
                knows = finds(_strength(user), exercise.rating.value, chance)
            if run.missed == MAX_WRONG:
                state = await self.dailies.play(run.day, user, run.tries, None, end)
            else:
                move = right_move(solving) if knows else wrong_move(solving, chance)
                state = await self.dailies.play(run.day, user, run.tries, move, end)

    async def walk(self, user: UserId) -> None:
        """Lets a user play ten in a row and the puzzle of a lesson, or neither."""
        now, chance = self.world.clock(), self.world.chance
        if chance.random() < 0.75:
            return
        rushes, lesson = Rushes(self.store), chance.choice([*LESSONS])
        state = await rushes.begin(user, None, now)
        self.world.met[user] += [int(task[1:]) for task in state.rush.tasks]
        for step in range(len(state.rush.tasks)):
            await rushes.answer(user, state.rush.begun, step, 0, now)
        puzzle = await Lessons(self.store).open_puzzle(user, lesson, now)
        if puzzle is not None:
            self.world.met[user].append(puzzle.number)

    async def learn(self, user: UserId) -> None:
        """Stores a game of a user with three mistakes."""
        zone = ZoneInfo(SERVERS[_guilds(user)[0]][0])
        match = await add_match(self.store, a_match(user, (user, UserId(1))))
        for _ in range(6):
            match = await save_match(self.store, play_turn(match))
        match = await save_match(self.store, resign(match, user))
        found = [Finding(number, ("A1",), ("A1",), 1.0, 2.0) for number in (1, 3, 5)]
        service, now = PastMistakes(self.store), self.world.clock()
        async with self.store.write() as tx:
            await tx.people.save(PlayerSettings(user, zone=zone))
        await service.open(user, now)
        await service.note_review(match, {user: found})
        for each in found:
            self.world.mistakes[user, match.id, each.number] = MistakeState(_local_day(now, zone) + RETURN_DAYS[0])

    async def practise(self, user: UserId) -> None:
        """Lets a user answer the mistakes that are due: exactly those of the user's own count."""
        service, now, world = PastMistakes(self.store), self.world.clock(), self.world
        today = _local_day(now, ZoneInfo(SERVERS[_guilds(user)[0]][0]))
        waiting = {key for key, state in world.mistakes.items() if key[0] == user and state.day <= today}
        while (due := await service.open(user, now)).posed is not None:
            key = user, due.posed.match.id, due.posed.mistake.finding.number
            assert due.count == len(waiting)
            waiting.remove(key)
            found = world.mistakes[key].found + 1 if world.chance.random() < 0.7 else 0
            await service.answer(*key, now, right=found > 0)
            if found == len(RETURN_DAYS):
                del world.mistakes[key]
            else:
                world.mistakes[key] = MistakeState(today + RETURN_DAYS[found], found)
            world.returned += 1
        assert waiting == set()


def _guilds(user: UserId) -> list[GuildId]:
    """Returns the servers of a solver: one, and of some two."""
    first = GuildId(1 + user % len(SERVERS))
    return [first, GuildId(1 + (user + 1) % len(SERVERS))] if user % 13 == 0 else [first]


def _strength(user: UserId) -> float:
    return STRENGTHS[user % len(STRENGTHS)]


def _local_day(at: Millis, zone: ZoneInfo) -> int:
    return datetime.fromtimestamp(at / 1000, zone).toordinal()


def settle(guild: GuildId, zone: str, hour: int, now: Millis, place: DailyPlace) -> DailyPlace:
    return replace(place, zone=zone, hour=hour).moved(ChannelId(guild), now)


def kill(world: World, url: str, state: Path, moment: str) -> None:
    """Starts a process that posts what is due, and dies of SIGKILL at that moment."""
    state.write_bytes(pickle.dumps((world.channel.posts, world.channel.recaps)))
    program = sys.executable, "-m", "tests.play.daily_process", url, str(state), str(world.clock()), moment
    ended = subprocess.run(program, check=False)  # noqa: S603 - a program of the tests
    assert ended.returncode == -signal.SIGKILL
    world.channel.posts, world.channel.recaps = pickle.loads(state.read_bytes())  # noqa: S301 - the test's own file


async def recount(store: Database, days: Sequence[str]) -> dict[tuple[GuildId, str], Recap]:
    """Returns what the recaps should say, counted from the rows by no code of Kropka."""
    async with store.read() as reader:
        runs = {(row.day, row.user): row for row in await reader.connection.execute(select(schema.daily_run))}
        members = [*await reader.connection.execute(select(schema.daily_member))]
    solved = defaultdict(list)
    for member in members:
        run = runs[member.day, member.user]
        ends = day_start(member.day) + DAY
        if run.ended is not None and run.ended < ends and any(result != SHOWN for result in run.results):
            solved[member.guild, member.day].append(run)
    recaps = {}
    for guild in SERVERS:
        streak = 0
        for day in days:
            rows = solved[guild, day]
            clean = sorted(
                (row.ended - row.began, row.user) for row in rows if not row.first and row.results == [0] * STEPS
            )
            millis, fastest = clean[0] if clean else (None, None)
            streak = streak + 1 if rows else 0
            recaps[guild, day] = Recap(day, len(rows), len(clean), fastest, millis, streak, None)
    return recaps


@pytest.mark.process
@pytest.mark.contest
async def test_each_day_is_posted_once_and_told_as_it_was(url: str, clock: StoppedClock, tmp_path: Path) -> None:
    world, start = World(clock), day_start(FIRST_DAY)
    users = [UserId(1000 + number) for number in range(SOLVERS)]
    days = [puzzle_day(Millis(start + day * DAY)) for day in range(DAYS)]
    plays: dict[int, list[UserId]] = defaultdict(list)
    for day, user in itertools.product(range(DAYS), users):
        if world.chance.random() < PLAYS:
            plays[day * 24 + world.chance.randrange(24)].append(user)
    async with Database.open(url, now=clock) as store:
        await pass_time(store, clock, start - clock())
        for guild, (zone, hour) in SERVERS.items():
            await Dailies(store, Events()).change_place(guild, partial(settle, guild, zone, hour, clock()), UserId(1))
        async with store.write() as tx:
            for user in users:  # who have STOP in their daily, as before there were others in its place
                await tx.lessons.save(user, STOP_LESSONS[0], LessonState(done=start))
        for user in users[::LEARNER]:
            await Life(world, store).learn(user)
    servers = itertools.cycle(SERVERS.values())
    kills = [
        ceil((post_time(days[day], hour, zone) - start) / HOUR)
        for day, (zone, hour) in zip(KILLS, servers, strict=False)
    ]
    moments = iter(KILLS.values())
    for begin, end in itertools.pairwise([0, *kills, DAYS * 24]):
        if begin:
            kill(world, url, tmp_path / "channel", next(moments))
        async with Database.open(url, now=clock) as store:
            life = Life(world, store)
            for hour in range(begin, end):
                await life.pass_hour(plays[hour])
    assert {*world.channel.posts} == set(itertools.product(SERVERS, days))
    async with Database.open(url, now=clock) as store:
        told = {(guild, recap.day): recap for guild, recap in world.channel.recaps}
        assert told == await recount(store, days[:-1])
        async with store.read() as reader:
            skills = {user: (await reader.puzzles.skill(user)).value for user in users}
    assert all(len(numbers) == len({*numbers}) for numbers in world.met.values())
    assert world.returned > SOLVERS // LEARNER * 3 * 2
    for strength in STRENGTHS:
        assert abs(mean(skills[user] for user in users if _strength(user) == strength) - strength) < 100
