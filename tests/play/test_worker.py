"""A worker processes each key once; one that fails is tried ever more seldom and holds up no other."""

from __future__ import annotations

import asyncio

import pytest

from loopback import HANG_SECONDS
from tests.play.naps import Naps
from use_cases.worker import FRESH_SECONDS, MAX_BACKOFF_SECONDS, MAX_PENDING, RetryLater, Timing, Worker, check_fresh


class Chores(Worker[int]):
    """A worker with chores `left`, of which those in `failing` fail. `tried` has the time of each attempt."""

    def __init__(self, *left: int) -> None:
        self.time = 0.0
        super().__init__(Timing(clock=lambda: self.time))
        self.left = list(left)
        self.failing: set[int] = set()
        self.tried: list[tuple[float, int]] = []
        self.did = asyncio.Event()

    async def pending(self, limit: int) -> list[int]:
        return self.left[:limit]

    async def process(self, key: int) -> None:
        self.tried.append((self.time, key))
        if key in self.failing:
            raise RetryLater("not yet")
        self.left.remove(key)
        self.did.set()


async def test_what_fails_is_tried_again_after_pauses_that_double() -> None:
    chores = Chores(1)
    chores.failing = {1}
    for second in range(40):
        chores.time = second
        await chores.poll()
    assert [time for time, _ in chores.tried] == [0, 1, 3, 7, 15, 31]


async def test_no_pause_is_longer_than_ten_minutes() -> None:
    chores = Chores(1)
    chores.failing = {1}
    for minute in range(100):
        chores.time = 60.0 * minute
        await chores.poll()
    assert chores.tried[-1][0] - chores.tried[-2][0] == MAX_BACKOFF_SECONDS


async def test_one_that_knows_when_is_tried_again_then() -> None:
    class Appointed(Chores):
        async def process(self, key: int) -> None:
            self.tried.append((self.time, key))
            raise RetryLater("in twelve seconds", 12)

    chores = Appointed(1)
    for second in range(40):
        chores.time = second
        await chores.poll()
    assert [time for time, _ in chores.tried] == [0, 12, 24, 36]


async def test_one_that_fails_holds_up_no_other() -> None:
    chores = Chores(*range(3 * MAX_PENDING))
    chores.failing = set(range(MAX_PENDING))
    for _ in range(3):
        await chores.poll()
    assert chores.left == list(range(MAX_PENDING))


async def test_one_that_was_mended_begins_anew() -> None:
    chores = Chores(1)
    chores.failing = {1}
    for second in (0, 1, 3):
        chores.time = second
        await chores.poll()
    chores.left.clear()
    await chores.poll()
    chores.left = [1]
    await chores.poll()
    assert chores.tried[-1] == (3, 1)


async def test_however_many_fail_it_polls_for_them_once_a_second_at_most() -> None:
    chores = Chores(*range(10))
    chores.failing = set(range(10))
    await chores.poll()
    chores.time = 0.9
    assert chores.pause() == 1.0


async def test_it_runs_until_it_is_told_to_stop_even_if_it_can_find_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Lost(Chores):
        async def pending(self, limit: int) -> list[int]:
            self.stop()
            raise ConnectionError

    await asyncio.wait_for(Lost().run(), HANG_SECONDS)
    assert "failed in a round" in caplog.text


class Frozen(Chores):
    """A worker that is frozen for so many seconds after it has read, in each of its attempts."""

    def __init__(self, *freezes: float) -> None:
        super().__init__(1)
        self._freezes = [*freezes]
        self.told: list[int] = []

    async def process(self, key: int) -> None:
        await super().process(key)
        self.left.append(key)
        self.time += self._freezes.pop(0)
        check_fresh()
        self.told.append(key)
        self.left.remove(key)


async def test_what_was_read_too_long_ago_is_not_told_but_read_again() -> None:
    frozen = Frozen(FRESH_SECONDS + 1, FRESH_SECONDS)
    await frozen.poll()
    assert (frozen.told, frozen.left) == ([], [1])
    frozen.time += frozen.pause()
    await frozen.poll()
    assert (frozen.told, frozen.left) == ([1], [])


async def test_what_an_attempt_leaves_to_a_task_may_be_told_later() -> None:
    told: list[int] = []

    class Leaving(Chores):
        async def process(self, key: int) -> None:
            await super().process(key)
            self.time += FRESH_SECONDS + 1
            await asyncio.create_task(self.tell(key))

        async def tell(self, key: int) -> None:
            check_fresh()
            told.append(key)

    await Leaving(1).poll()
    assert told == [1]
    check_fresh()  # nor does it concern what is no attempt


async def test_a_wake_brings_the_next_round() -> None:
    chores = Chores()
    running = asyncio.create_task(chores.run())
    await asyncio.sleep(0)
    chores.left = [1]
    chores.wake()
    await asyncio.wait_for(chores.did.wait(), HANG_SECONDS)
    chores.stop()
    await running


class Errands(Worker[int]):
    """Each key in a task of its own. A key waits for its `gate`; then it is processed, as often as `times` says."""

    def __init__(self, timing: Timing) -> None:
        super().__init__(timing, concurrent=True)
        self.gates: dict[int, asyncio.Event] = {}
        self.failing: set[int] = set()
        self.began: list[int] = []
        self.done: list[int] = []

    async def pending(self, limit: int) -> list[int]:
        return []

    async def process(self, key: int) -> bool:
        self.began.append(key)
        if key in self.gates:
            await self.gates[key].wait()
        if key in self.failing:
            raise OSError
        self.done.append(key)
        return False


async def settle() -> None:
    """Lets all tasks do what they can."""
    for _ in range(50):
        await asyncio.sleep(0)


async def test_with_a_task_a_key_a_slow_one_holds_up_no_other_and_is_processed_again_if_woken_meanwhile() -> None:
    errands = Errands(Naps().timing)
    errands.gates[1] = asyncio.Event()
    running = asyncio.create_task(errands.run())
    await settle()
    for key in (1, 2, 1):
        errands.wake(key)
        await settle()
    assert (errands.began, errands.done) == ([1, 2], [2])
    errands.gates[1].set()
    await settle()
    assert errands.done == [2, 1, 1]
    errands.stop()
    await asyncio.wait_for(running, HANG_SECONDS)


async def test_a_worker_that_stops_tries_what_has_failed_once_more() -> None:
    errands = Errands(Timing())
    errands.failing = {1}
    running = asyncio.create_task(errands.run())
    await settle()
    errands.wake(1)
    await settle()
    errands.stop()
    await asyncio.wait_for(running, HANG_SECONDS)
    assert errands.began == [1, 1]
