"""Errands are done once each, in rounds; one that fails is tried ever more seldom and holds up no other."""

from __future__ import annotations

import asyncio

import pytest

from play.workers.retry_queue import AT_ONCE, LONGEST_PAUSE, Errands, Unfinished


class Chores(Errands[int]):
    """What is `left` to do; `failing` fail. `tried` says when each was done or not."""

    def __init__(self, *left: int) -> None:
        self.time = 0.0
        super().__init__(lambda: self.time)
        self.left = list(left)
        self.failing: set[int] = set()
        self.tried: list[tuple[float, int]] = []
        self.did = asyncio.Event()

    async def found(self, limit: int) -> list[int]:
        return self.left[:limit]

    async def do(self, key: int) -> None:
        self.tried.append((self.time, key))
        if key in self.failing:
            raise Unfinished("not yet")
        self.left.remove(key)
        self.did.set()


async def test_what_fails_is_tried_again_after_pauses_that_double() -> None:
    chores = Chores(1)
    chores.failing = {1}
    for second in range(40):
        chores.time = second
        await chores.round()
    assert [time for time, _ in chores.tried] == [0, 1, 3, 7, 15, 31]


async def test_no_pause_is_longer_than_ten_minutes() -> None:
    chores = Chores(1)
    chores.failing = {1}
    for minute in range(100):
        chores.time = 60.0 * minute
        await chores.round()
    assert chores.tried[-1][0] - chores.tried[-2][0] == LONGEST_PAUSE


async def test_one_that_fails_holds_up_no_other() -> None:
    chores = Chores(*range(3 * AT_ONCE))
    chores.failing = set(range(AT_ONCE))
    for _ in range(3):
        await chores.round()
    assert chores.left == list(range(AT_ONCE))


async def test_one_that_was_mended_begins_anew() -> None:
    chores = Chores(1)
    chores.failing = {1}
    for second in (0, 1, 3):
        chores.time = second
        await chores.round()
    chores.left.clear()
    await chores.round()
    chores.left = [1]
    await chores.round()
    assert chores.tried[-1] == (3, 1)


async def test_it_runs_until_it_is_told_to_stop_even_if_it_can_find_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Lost(Chores):
        async def found(self, limit: int) -> list[int]:
            self.stop()
            raise ConnectionError

    await asyncio.wait_for(Lost().run(), 5)
    assert "failed in a round" in caplog.text


async def test_a_wake_brings_the_next_round() -> None:
    chores = Chores()
    running = asyncio.create_task(chores.run())
    await asyncio.sleep(0)
    chores.left = [1]
    chores.wake()
    await asyncio.wait_for(chores.did.wait(), 5)
    chores.stop()
    await running
