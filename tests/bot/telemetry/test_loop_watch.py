"""The watch over the event loop names what holds it: in the metrics, and in one line of the log a minute."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from bot.telemetry import loop_watch
from bot.telemetry.loop_watch import OWN, Hold, HoldLog, LoopWatch, Way
from bot.telemetry.metrics import Metrics
from loopback import HANG_SECONDS
from tests.python_texts import PROGRAM

SOON = 0.001
"""Seconds between the looks of a watch that no test waits for."""


class HeldClock:
    """A clock that moves only by what the test adds. `seen` is set when the watch has looked twice since."""

    def __init__(self) -> None:
        self.now = 0.0
        self.seen = threading.Event()
        self._looks = 0

    def __call__(self) -> float:
        if self.now and threading.current_thread() is not threading.main_thread():
            self._looks += 1
            if self._looks > 2:
                self.seen.set()
        return self.now


async def hold(clock: HeldClock, seconds: float) -> None:
    """Holds the loop until the watch has seen it."""
    clock.now += seconds
    assert clock.seen.wait(HANG_SECONDS)


async def reports_of(seconds: float, monkeypatch: pytest.MonkeyPatch) -> list[Hold]:
    """Returns the reports of a watch while a handler holds the loop for so long."""
    monkeypatch.setattr(loop_watch, "OWN", loop_watch.OWN | {"tests"})
    clock, reports = HeldClock(), list[Hold]()
    watch = asyncio.create_task(LoopWatch(reports.append, clock, tick=SOON, look=SOON).run())
    await asyncio.sleep(0)
    await asyncio.create_task(hold(clock, seconds))
    await asyncio.sleep(2 * SOON)  # it is due after the watch's own timer
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)
    return reports


async def test_a_handler_that_holds_the_loop_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (report,) = await reports_of(0.5, monkeypatch)
    assert report.way.handler == f"{__name__}:hold"
    assert report.way.functions[-1] == f"{__name__}:hold"
    assert report.seconds == pytest.approx(0.5, abs=0.01)


def test_a_handler_is_named_on_the_loop_that_the_bot_has(monkeypatch: pytest.MonkeyPatch) -> None:
    uvloop = pytest.importorskip("uvloop")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        (report,) = runner.run(reports_of(0.5, monkeypatch))
    assert report.way.handler == f"{__name__}:hold"


async def test_a_short_hold_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await reports_of(0.09, monkeypatch) == []


def test_a_hold_is_counted_each_time_and_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    metrics, times = Metrics(), iter((0.0, 59.0, 61.0, 61.0))
    holds = HoldLog(metrics, lambda: next(times))
    page = Hold(
        Way("web.pages.games:GamePages._send_page", ("web.answers:Answers.explain", "web.pages:list")), 0.45, 0.4
    )
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            holds.note(page)
        holds.note(Hold(Way("bot.other:handle", ()), 0.2, 0.2))
    assert [record.getMessage() for record in caplog.records] == [
        "web.pages.games:GamePages._send_page held the event loop for 450 ms"
        " (web.answers:Answers.explain > web.pages:list)",
    ] * 2 + ["bot.other:handle held the event loop for 200 ms (bot.other:handle)"]
    counted = b'kropka_loop_held_seconds_count{handler="web.pages.games:GamePages._send_page"} 3.0'
    assert counted in metrics.text()


def test_a_hold_that_may_be_the_machines_is_counted_alone(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    holds = HoldLog(metrics, lambda: 0.0)
    with caplog.at_level(logging.WARNING):
        holds.note(Hold(Way("bot.handler:starve", ()), 0.9, 0.01))
        holds.note(Hold(Way("bot.handler:wait", ()), 1.1, 0.01))
    assert [record.getMessage() for record in caplog.records] == [
        "bot.handler:wait held the event loop for 1100 ms (bot.handler:wait)"
    ]
    assert b'kropka_loop_held_seconds_count{handler="bot.handler:starve"} 1.0' in metrics.text()


def test_the_functions_of_all_packages_are_named_but_those_of_the_stand_in() -> None:
    assert {*PROGRAM, "loopback"} == {*OWN, "loopback"}
