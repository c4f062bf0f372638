"""However busy the bot is, it notes that it is there; and nobody loses by a time in which it was not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from loopback import HANG_SECONDS
from storage import Database
from storage.unit_of_work import Transaction
from tests.clock import DAY, HOUR, SECOND, StoppedClock
from tests.matches import a_match, add_shown_match, load_match, pass_time
from tests.same_database import SameDatabase
from use_cases import UseCases
from use_cases.clock_service import MAX_HEARTBEAT_GAP_MILLIS
from use_cases.worker import Timing
from use_cases.workers.deadline_scheduler import Heartbeat


class Frozen(SameDatabase):
    """A store whose process is stopped and thawed after it has read what is due, before it writes."""

    def __init__(self, store: Database, clock: StoppedClock, duration: int) -> None:
        super().__init__(store)
        self._stopped, self._duration = clock, duration

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        self._stopped.advance(self._duration)
        self._duration = 0
        async with super().write() as tx:
            yield tx


async def test_it_beats_again_and_again_until_it_is_stopped(
    store: Database, use_cases: UseCases, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat = Heartbeat(use_cases.clocks, Timing(poll_seconds=0.0))
    beaten, beat = 0, use_cases.clocks.record_heartbeat

    async def counted() -> None:
        nonlocal beaten
        clock.advance(MAX_HEARTBEAT_GAP_MILLIS)
        assert await beat() is None
        beaten += 1
        if beaten == 3:
            heartbeat.stop()

    monkeypatch.setattr(use_cases.clocks, "record_heartbeat", counted)
    await asyncio.wait_for(heartbeat.run(), HANG_SECONDS)
    assert beaten == 3


async def test_it_stops_at_once(use_cases: UseCases) -> None:
    heartbeat = Heartbeat(use_cases.clocks)
    running = asyncio.create_task(heartbeat.run())
    await asyncio.sleep(0)
    heartbeat.stop()
    await asyncio.wait_for(running, HANG_SECONDS)


async def test_a_failure_is_logged_and_does_not_end_it(
    use_cases: UseCases, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    heartbeat, tried = Heartbeat(use_cases.clocks, Timing(poll_seconds=0.0)), 0

    async def failing() -> None:
        nonlocal tried
        tried += 1
        if tried == 2:
            heartbeat.stop()
        raise OSError

    monkeypatch.setattr(use_cases.clocks, "record_heartbeat", failing)
    with caplog.at_level(logging.ERROR):
        await asyncio.wait_for(heartbeat.run(), HANG_SECONDS)
    assert [record.getMessage() for record in caplog.records] == ["Heartbeat failed in a round"] * 2


async def test_a_flag_that_fell_before_a_freeze_falls_after_it_and_the_freeze_is_credited(
    store: Database, clock: StoppedClock
) -> None:
    """It was overdue when it was found; thawed after a day the bot credits that day before it judges."""
    match = await add_shown_match(store, a_match(control="1h"))
    await pass_time(store, clock, HOUR + 3 * SECOND)
    use_cases = UseCases.over(Frozen(store, clock, DAY), seeds=lambda: 4)
    await use_cases.clocks.flag_overdue()
    flagged = await load_match(store, match.id)
    assert flagged.outcome
    assert flagged.clock.downtimes == ((clock() - DAY, clock()),)


async def test_a_move_in_time_after_a_freeze_is_not_lost_to_a_flag(store: Database, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="1h"))
    await pass_time(store, clock, HOUR - SECOND)
    clock.advance(DAY)
    use_cases = UseCases.over(store, seeds=lambda: 4)
    await use_cases.clocks.flag_overdue()
    assert not (await load_match(store, match.id)).outcome
    assert (await load_match(store, match.id)).clock.deadline == clock() + SECOND
