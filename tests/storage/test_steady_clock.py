"""The clock that is checked against the uptime: which jumps it believes."""

from __future__ import annotations

from typing import cast

import pytest

from play.ids import Millis
from storage.statements import Connection
from storage.steady_clock import DOUBT_MILLIS, MAX_STEP_MILLIS, SteadyClock, boot, uptime
from tests.clock import DAY, HOUR, MINUTE, SECOND, Machine

ASKED = cast(Connection, None)


class Asked:
    """A machine's clock that answers slowly: before it looks at the time, and on the way back."""

    def __init__(self) -> None:
        self.machine, self.before, self.after = Machine(), 0, 0
        self.steady = SteadyClock(self, self.machine.uptime)

    async def __call__(self, _: Connection) -> Millis:
        self.machine.pass_time(self.before)
        answer = self.machine.clock()
        self.machine.pass_time(self.after)
        return answer

    async def now(self) -> Millis:
        return await self.steady.now(ASKED)

    async def passes(self, duration: int) -> None:
        """Lets so much time pass, and asks it every second."""
        for _ in range(duration // SECOND):
            self.machine.pass_time(SECOND)
            await self.now()

    async def error(self) -> int:
        """Returns by how much its time is ahead of the real one."""
        return await self.now() - (self.machine.clock() - self.machine.error)


@pytest.fixture
async def asked() -> Asked:
    asked = Asked()
    await asked.passes(2 * MINUTE)
    return asked


async def test_a_jump_forward_is_believed_when_it_has_lasted(asked: Asked) -> None:
    asked.machine.set_error(HOUR)
    await asked.passes(DOUBT_MILLIS)
    assert await asked.error() == 0
    await asked.passes(SECOND)
    assert await asked.error() == HOUR


async def test_a_jump_back_is_believed_when_it_has_lasted(asked: Asked) -> None:
    asked.machine.set_error(-HOUR)
    await asked.passes(DOUBT_MILLIS)
    assert await asked.error() == 0
    await asked.passes(SECOND)
    assert await asked.error() == -HOUR


async def test_a_clock_that_jumps_about_is_not_believed(asked: Asked) -> None:
    for error in (HOUR, DAY, -HOUR, 0, HOUR):
        asked.machine.set_error(error)
        await asked.passes(50 * SECOND)
        assert await asked.error() == 0


async def test_a_clock_that_comes_back_is_believed_no_sooner_the_next_time(asked: Asked) -> None:
    for _ in range(10):
        asked.machine.set_error(HOUR)
        await asked.passes(40 * SECOND)
        asked.machine.set_error(0)
        await asked.passes(SECOND)
    assert await asked.error() == 0


async def test_a_jump_forward_just_after_the_start_is_doubted_like_any_other() -> None:
    asked = Asked()
    await asked.passes(3 * SECOND)
    asked.machine.set_error(HOUR)
    await asked.passes(7 * SECOND)
    assert await asked.error() == 0


async def test_a_clock_that_was_ahead_at_the_start_is_put_right_soon() -> None:
    asked = Asked()
    asked.machine.set_error(HOUR)
    await asked.passes(3 * SECOND)
    asked.machine.set_error(0)
    await asked.passes(4 * SECOND)
    assert await asked.error() == 0


async def test_a_clock_that_gains_is_followed(asked: Asked) -> None:
    for error in range(0, MINUTE, 100):
        asked.machine.set_error(error)
        asked.machine.pass_time(SECOND)
        assert await asked.error() == error


@pytest.mark.parametrize(("before", "after"), [(DAY, 0), (0, DAY)])
async def test_an_answer_that_takes_a_day_is_no_jump(asked: Asked, before: int, after: int) -> None:
    """A slow database, or a process that is frozen while it waits."""
    asked.before, asked.after = before, after
    given = await asked.now()
    assert given == asked.machine.clock() - after
    asked.before = asked.after = 0
    assert await asked.error() == 0


async def test_a_step_of_a_moment_is_followed_at_once(asked: Asked) -> None:
    asked.machine.set_error(MAX_STEP_MILLIS)
    assert await asked.error() == MAX_STEP_MILLIS


async def test_the_uptime_counts_on() -> None:
    first = uptime()
    assert 0 < first <= uptime()


def test_the_run_of_a_machine_has_one_name() -> None:
    assert boot() == boot()
