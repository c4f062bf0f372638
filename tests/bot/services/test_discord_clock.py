"""Discord's clock, as the ids tell it that arrive: late, twice, in bursts, and from a machine that is wrong."""

from __future__ import annotations

import logging

import pytest

from bot.request import time_of
from bot.services.discord_clock import MAX_SKEW_MILLIS, SAMPLE_SECONDS, DiscordClock
from play.ids import Millis
from tests.clock import NOON

MINUTES = 60.0


class Machine:
    """A machine that has run for a day: `seconds` have passed, and its database's clock is ahead by `skew` seconds."""

    def __init__(self, skew: float = 0.0) -> None:
        self.skew = skew
        self.seconds = 0.0
        self.clock = DiscordClock(lambda: 86_400 + self.seconds, self.moment)
        self._made = 0

    def moment(self) -> Millis:
        return Millis(round(NOON + (self.seconds + self.skew) * 1000))

    def hear(self, *, late: float = 0.0, after: float = 1.0) -> int:
        """Returns an id that arrives after some seconds, so late; below zero it comes from the future."""
        self.seconds += after
        self._made += 1
        made = round(NOON + (self.seconds - late) * 1000)
        snowflake = ((made - time_of(0)) << 22) + self._made
        assert time_of(snowflake) == made
        self.clock.note(snowflake)
        return snowflake


def test_a_stopped_delivery_does_not_look_like_a_wrong_clock(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    for _ in range(20):
        machine.hear(late=0.2)
    for _ in range(50):  # a session is resumed after minutes, and Discord sends what was missed
        machine.hear(late=5 * MINUTES, after=0.01)
    fresh = machine.hear(late=0.2)
    assert machine.clock.skew == 0
    assert machine.clock.read(fresh) == time_of(fresh)
    assert "clock" not in caplog.text


def test_an_id_that_comes_late_keeps_the_time_at_which_it_was_made() -> None:
    machine = Machine(skew=600)
    for _ in range(5):
        machine.hear()
    late = machine.hear(late=3 * MINUTES)
    assert machine.clock.read(late) == machine.moment() - 3 * MINUTES * 1000


@pytest.mark.parametrize("late", [1 * MINUTES, 10 * MINUTES])
def test_the_first_ids_may_be_late(late: float) -> None:
    machine = Machine()
    for _ in range(2):
        first = machine.hear(late=late)
        assert machine.clock.read(first) == time_of(first)
    for _ in range(2):
        machine.hear(late=0.1)
    assert machine.clock.skew == 0


def test_the_first_id_tells_that_the_clock_is_behind() -> None:
    machine = Machine(skew=-600)
    machine.hear()
    assert machine.clock.skew == -600_000


@pytest.mark.parametrize("skew", [-600, -60, 60, 600])
def test_three_ids_tell_by_how_much_the_clock_is_wrong(skew: int) -> None:
    machine = Machine(skew)
    for late in (0.1, 30.0, 0.1):
        machine.hear(late=late)
    assert machine.clock.skew == pytest.approx(skew * 1000, abs=150)


@pytest.mark.parametrize("before", [1, 2, 9, 30])
def test_one_id_from_the_future_decides_nothing(before: int) -> None:
    machine = Machine()
    for _ in range(before):
        machine.hear(late=0.1)
    odd = machine.hear(late=-10 * MINUTES)
    machine.clock.note(odd)  # Discord may deliver an event twice
    machine.hear(late=0.1)
    assert machine.clock.skew == 0


def test_a_clock_that_is_set_right_is_right_at_once(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine(skew=-600)
    for _ in range(3):
        machine.hear()
    machine.skew = 0
    assert machine.clock.skew == 0
    machine.hear()
    said = [record.getMessage() for record in caplog.records]
    assert [line.partition(";")[0] for line in said] == [
        "the clock is 600 s behind Discord's",
        "the clock agrees with Discord's again",
    ]


def test_ids_of_the_last_hour_count() -> None:
    machine = Machine()
    for _ in range(2):
        machine.hear(late=-10 * MINUTES)
    machine.hear(after=SAMPLE_SECONDS + 1)
    for _ in range(2):
        machine.hear()
    assert machine.clock.skew == 0


def test_a_difference_at_the_limit_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine(skew=MAX_SKEW_MILLIS / 1000)
    for number in range(40):
        machine.skew = (MAX_SKEW_MILLIS + (50 if number % 2 else -50)) / 1000
        machine.hear()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_machine_that_was_paused_learns_the_time_from_the_next_two_ids() -> None:
    machine = Machine()
    for _ in range(9):
        machine.hear()
    for _ in range(2):  # neither its uptime nor its clock went on for five minutes
        machine.hear(late=-5 * MINUTES)
    assert machine.clock.skew == -300_000
