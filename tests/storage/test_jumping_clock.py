"""The clock of a machine that jumps by weeks: for less than a minute it ends and begins nothing, and a contest loses no
time by it afterwards."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from play.competitions.contest import ContestId, Side, Stage
from play.competitions.league import WEEK_MILLIS
from play.ids import UserId
from storage import Database
from tests.clock import DAY, SECOND, Machine
from tests.league_director import make_league_director, open_league
from tests.matches import GUILD
from tests.play.competitions.contests import GUEST, GUEST_TEAM, HOME, LETTERS, SIGN_UP, invitation, member_of, members
from tests.storage.contest_process import Servers, make_director
from use_cases import UseCases

CONTEST = ContestId(1)
BELIEVED_SECONDS = 120
"""After so long a jump is believed for certain."""

Poll = Callable[[], Awaitable[None]]


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
async def use_cases(sqlite_url: str, machine: Machine) -> AsyncIterator[UseCases]:
    async with Database.open(sqlite_url, now=machine.clock, uptime=machine.uptime) as store:
        yield UseCases.over(store, seeds=lambda: 4)


async def live(use_cases: UseCases, machine: Machine, seconds: int, poll: Poll) -> None:
    """Lets so many seconds pass, in which a worker polls again and again."""
    for _ in range(0, seconds, 10):
        await use_cases.clocks.record_heartbeat()
        await poll()
        machine.pass_time(10 * SECOND)


async def sign_up(use_cases: UseCases, machine: Machine) -> None:
    await use_cases.contests.challenge(invitation(size=4))
    contest = await use_cases.contests.accept(LETTERS, GUEST_TEAM, machine.clock())
    for side, guild in ((Side.HOME, HOME), (Side.GUEST, GUEST)):
        for user in members(side, 4):
            await use_cases.contests.sign_up(contest.id, member_of(user, guild), machine.clock())


async def test_a_jump_ends_no_sign_up_of_a_contest(use_cases: UseCases, machine: Machine) -> None:
    director = make_director(use_cases, Servers())
    await sign_up(use_cases, machine)
    await live(use_cases, machine, 20, director.poll)
    machine.set_error(SIGN_UP + DAY)
    await live(use_cases, machine, BELIEVED_SECONDS, director.poll)
    contest = await use_cases.contests.load(CONTEST)
    assert contest.stage is Stage.SIGN_UP
    assert contest.closes is not None
    assert contest.closes > machine.clock() + SIGN_UP - DAY, "a jump that stays is a downtime"


async def test_a_jump_that_goes_back_begins_no_season_of_a_league(use_cases: UseCases, machine: Machine) -> None:
    director = make_league_director(use_cases)
    opened = await open_league(use_cases, *range(101, 109))
    await live(use_cases, machine, 20, director.poll)
    machine.set_error(2 * WEEK_MILLIS)
    await live(use_cases, machine, 50, director.poll)
    machine.set_error(0)
    await live(use_cases, machine, BELIEVED_SECONDS, director.poll)
    league = await use_cases.leagues.load(GUILD)
    assert (league.season, league.begins) == (None, opened.begins)
    assert league.users == tuple(map(UserId, range(101, 109)))
