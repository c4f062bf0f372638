"""`--watch-loop [MS]`: a report, after the tests, of what held the event loop.

Each step of the loop is measured in the time that its thread had of the processor, so a busy machine does not matter.
Full passes of the garbage collector are not counted: here they go over the objects of all tests before, while the bot
spares what is there when it has started (`spare_collector`).
No test fails by it. A handler is the innermost coroutine of the program that ran when the step had taken long; what the
tests and the stand-in for Discord do on the same loop is left out.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from bot.telemetry import loop_watch
from bot.telemetry.loop_watch import COROUTINE, LIMIT_SECONDS, Way

ALLOWED = {
    "tests.test_loop_report:work": "tries this report",
    "use_cases.ratings:rate_match": "simulations rate thousands of games in memory, with no store to wait for",
    "opponent.review:review": "tests of reviews think on the loop; the bot asks its worker",
    "opponent.review:review.<locals>.<listcomp>": "the same",
    "opponent.captures:corrected": "the same",
    "bot.cli.machine_checks:MachineChecks._fonts": "kropka doctor runs nothing beside its checks",
}
"""Handlers that may hold the loop, each with its reason. The report lists them apart."""

LOOKS = 10
"""Looks at a step within the time that it may take."""

FULL = 2
"""The generation of the garbage collector that has all objects."""

NOBODY = Way("", ())
"""The way to what a test does by itself."""

Holds = dict[str, tuple[int, float]]
"""Handlers with how often each held the loop, and the longest time in milliseconds."""

_Handle: Any = asyncio.Handle


class Step:
    """A step of a loop that runs in a thread, by the processor's time at its begin, and the ways seen in it."""

    def __init__(self, thread: int) -> None:
        self.clock = time.pthread_getcpuclockid(thread) if hasattr(time, "pthread_getcpuclockid") else None
        self.began = time.thread_time()
        self.collecting = 0.0
        self.seen: Counter[Way] = Counter()

    def seconds(self) -> float:
        """Returns how much of the processor it has had, with the collector's passes, asked by another thread."""
        return 0.0 if self.clock is None else time.clock_gettime(self.clock) - self.began


class LoopReport:
    """The holds of all loops of this process, and of the workers that have ended."""

    def __init__(self, limit: float = LIMIT_SECONDS) -> None:
        self.limit = limit
        self.holds: Holds = {}
        self._steps: dict[int, Step] = {}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Measures each step of each loop within the block."""
        run_step, stopping = _Handle._run, threading.Event()
        thread = threading.Thread(target=self._look, args=[stopping], name="loop report", daemon=True)

        def run(handle: Any) -> None:
            here = threading.get_ident()
            step = self._steps[here] = Step(here)
            try:
                run_step(handle)
            finally:
                self._steps.pop(here, None)
                if (spent := time.thread_time() - step.began - step.collecting) > self.limit:
                    self._note(step, handle, spent)

        _Handle._run = run
        gc.callbacks.append(self._time_collector)
        thread.start()
        try:
            yield
        finally:
            gc.callbacks.remove(self._time_collector)
            _Handle._run = run_step
            stopping.set()
            thread.join()

    def add(self, holds: Holds) -> None:
        """Adds those of another process."""
        for handler, (count, worst) in holds.items():
            known = self.holds.get(handler, (0, 0.0))
            self.holds[handler] = known[0] + count, max(known[1], worst)

    def lines(self) -> list[str]:
        """Returns the report: the worst handlers first, those that are allowed to at the end."""
        found = sorted(self.holds.items(), key=lambda hold: -hold[1][1])
        told = [
            f"{worst:8.0f} ms at worst, {count:5} times: {handler}"
            + (f" (allowed: {ALLOWED[handler]})" if handler in ALLOWED else "")
            for handler, (count, worst) in sorted(found, key=lambda hold: hold[0] in ALLOWED)
        ]
        return [
            f"held the event loop for more than {1000 * self.limit:.0f} ms of the processor:",
            *(told or ["nothing"]),
        ]

    def _look(self, stopping: threading.Event) -> None:
        while not stopping.wait(self.limit / LOOKS):
            for thread, step in [*self._steps.items()]:
                if step.seconds() > self.limit / 2:
                    frame = sys._current_frames().get(thread)
                    step.seen[NOBODY if _is_of_a_test(frame) else Way.of(frame)] += 1

    def _time_collector(self, phase: str, info: dict[str, int]) -> None:
        """Takes a full pass of the collector out of the step of its thread, which it happened to fall into."""
        step = self._steps.get(threading.get_ident())
        if step is not None and info["generation"] == FULL:
            step.collecting += time.thread_time() * (1 if phase == "stop" else -1)

    def _note(self, step: Step, handle: Any, seconds: float) -> None:
        handlers = Counter[str]()
        for way, looks in step.seen.items():
            handlers[way.handler if way.functions else ""] += looks
        handler = handlers.most_common(1)[0][0] if handlers else _name_of(handle)
        if handler:
            self.add({handler: (1, 1000 * seconds)})


def _is_of_a_test(frame: FrameType | None) -> bool:
    """Returns whether a test, or the stand-in, calls what runs by itself: no coroutine of the program is in between."""
    while frame is not None:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in loop_watch.OWN:
            if frame.f_code.co_flags & COROUTINE:
                return False
        elif package in {"tests", "loopback"}:
            return True
        frame = frame.f_back
    return False


def _name_of(handle: Any) -> str:
    """Returns the name of a step that nobody has looked at: that of its task's coroutine, or of its function."""
    callback: Callable[..., Any] | None = handle._callback
    task = getattr(callback, "__self__", None)
    work = task.get_coro() if isinstance(task, asyncio.Task) else callback
    return str(getattr(work, "__qualname__", work))


class Plugin:
    """The hooks of pytest that measure and report. Workers send their holds to the process that reports."""

    def __init__(self, config: pytest.Config, report: LoopReport) -> None:
        self._config = config
        self._report = report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        with self._report.watching():
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        if (output := getattr(self._config, "workeroutput", None)) is not None:
            output["holds"] = {handler: list(hold) for handler, hold in self._report.holds.items()}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._report.add(getattr(node, "workeroutput", {}).get("holds", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self._report.lines():
            terminalreporter.write_line(line)


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        "--watch-loop",
        metavar="MS",
        nargs="?",
        type=float,
        const=1000 * LIMIT_SECONDS,
        help="report what held the event loop for longer, in milliseconds of the processor",
    )


def register(config: pytest.Config) -> None:
    """Has the loops watched if that is asked for."""
    if config.option.watch_loop is not None:
        config.pluginmanager.register(Plugin(config, LoopReport(config.option.watch_loop / 1000)))
