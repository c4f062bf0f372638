"""The report of what held the event loop names the handler, by the processor's time."""

from __future__ import annotations

import asyncio
import gc
import time

import pytest

from bot.telemetry import loop_watch
from tests.loop_report import LoopReport

LIMIT = 0.02


def spin(seconds: float) -> None:
    """Takes so much of the processor."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def work(seconds: float) -> None:
    spin(seconds)


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> LoopReport:
    monkeypatch.setattr(loop_watch, "OWN", loop_watch.OWN | {"tests"})
    return LoopReport(LIMIT)


async def test_a_handler_that_works_on_the_loop_is_listed(report: LoopReport) -> None:
    with report.watching():
        await asyncio.create_task(work(3 * LIMIT))
        await asyncio.create_task(work(2 * LIMIT))
    count, worst = report.holds[f"{__name__}:work"]
    assert count == 2
    assert worst >= 3000 * LIMIT


async def test_what_runs_in_a_thread_holds_no_loop(report: LoopReport) -> None:
    with report.watching():
        await asyncio.to_thread(spin, 2 * LIMIT)
    assert not report.holds


async def test_what_a_test_does_by_itself_is_no_work_of_a_handler() -> None:
    report = LoopReport(LIMIT)
    with report.watching():
        await asyncio.create_task(work(3 * LIMIT))
    assert not report.holds


async def test_a_full_pass_of_the_collector_is_no_work_of_a_handler(report: LoopReport) -> None:
    def slow_down(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            spin(2 * LIMIT)

    async def collect() -> None:
        gc.collect()

    with report.watching():
        gc.callbacks.append(slow_down)
        try:
            await asyncio.create_task(collect())
        finally:
            gc.callbacks.remove(slow_down)
    assert not report.holds


def test_the_counts_of_workers_are_added() -> None:
    report = LoopReport()
    report.add({"a": (2, 150.0)})
    report.add({"a": (1, 300.0), "b": (1, 120.0)})
    assert report.holds == {"a": (3, 300.0), "b": (1, 120.0)}
    assert report.lines()[1:] == [
        "     300 ms at worst,     3 times: a",
        "     120 ms at worst,     1 times: b",
    ]
