"""Verdicts of the benchmarks follow the machine: limits of time are as much longer as the yardstick takes."""

from __future__ import annotations

import pytest

from benchmarks.figure import Figure
from benchmarks.yardstick import Pace, yardstick

PACE = Pace(processor=2.0, clock=3.0)


@pytest.mark.parametrize(
    ("figure", "limit"),
    [
        (Figure("by the clock", 1, "ms", 10), 30),
        (Figure("by the processor's time", 1, "µs", 10, processor=True), 20),
        (Figure("a rate", 1, "/s", 60, least=True), 20),
        (Figure("memory", 1, "MB", 10), 10),
        (Figure("to a peer", 1, "times", 10), 10),
        (Figure("a tail beside its median", 1, "times", 10, tail=True), 15),
        (Figure("for comparison", 1, "ms"), None),
    ],
    ids=lambda each: each.name if isinstance(each, Figure) else "",
)
def test_limits_of_time_follow_the_pace_of_the_machine(figure: Figure, limit: float | None) -> None:
    assert figure.here(PACE).limit == limit


def test_a_figure_holds_at_the_limit_that_it_has_here() -> None:
    slow = Figure("a move", 25, "ms", 10)
    assert not slow.holds
    assert slow.here(PACE).holds
    assert not slow.here(Pace(3.0, 2.0)).holds


def test_a_tail_is_no_shorter_where_programs_do_not_wait() -> None:
    assert Figure("a tail", 1, "times", 10, tail=True).here(Pace(3.0, 2.0)).limit == 10


def test_the_pace_of_a_time_is_between_those_at_its_ends() -> None:
    assert Pace(1.0, 2.0).mean(Pace(3.0, 2.0)) == Pace(2.0, 2.0)


@pytest.mark.process
def test_this_machine_is_measured() -> None:
    with yardstick() as pace_of_machine:
        assert min(pace_of_machine.measure()) > 0
