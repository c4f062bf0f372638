"""Threads of a channel: how many are called in five minutes, and when none is tried."""

from __future__ import annotations

import asyncio

import pytest

from bot.services.rate_limits import PAUSE_SECONDS, ThreadBudget, ThreadsLimited
from play.ids import ChannelId
from use_cases.worker import RetryLater

HERE, ELSEWHERE = ChannelId(1), ChannelId(2)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def budget(clock: Clock) -> ThreadBudget:
    return ThreadBudget(clock, patience_seconds=0.01)


def count_calls(budget: ThreadBudget, channel: ChannelId = HERE) -> int:
    """Calls games until one has to wait; returns how many were called."""
    for called in range(100):
        try:
            budget.count_call(channel)
        except RetryLater:
            return called
    raise AssertionError("a channel has no end of threads")


def test_in_no_five_minutes_are_more_called_than_discord_opens(budget: ThreadBudget, clock: Clock) -> None:
    called = 0
    for _ in range(300):
        called += count_calls(budget)
        clock.now += 1
    assert 40 <= called <= 45


def test_each_channel_has_its_own(budget: ThreadBudget) -> None:
    assert count_calls(budget) == count_calls(budget, ELSEWHERE) == 20


def test_a_call_that_waits_says_until_when(budget: ThreadBudget, clock: Clock) -> None:
    count_calls(budget)
    with pytest.raises(RetryLater) as waiting:
        budget.count_call(HERE)
    assert waiting.value.seconds is not None
    clock.now += waiting.value.seconds
    budget.count_call(HERE)


async def open_thread(budget: ThreadBudget, channel: ChannelId, request: asyncio.Event) -> None:
    async with budget.opening(channel):
        await request.wait()


async def test_after_one_that_takes_too_long_none_is_tried_in_its_channel_for_a_while(
    budget: ThreadBudget, clock: Clock
) -> None:
    answered, unanswered = asyncio.Event(), asyncio.Event()
    answered.set()
    with pytest.raises(ThreadsLimited):
        await open_thread(budget, HERE, unanswered)
    with pytest.raises(ThreadsLimited):
        await open_thread(budget, HERE, answered)
    with pytest.raises(ThreadsLimited):
        budget.count_call(HERE)
    await open_thread(budget, ELSEWHERE, answered)
    clock.now += PAUSE_SECONDS
    await open_thread(budget, HERE, answered)
