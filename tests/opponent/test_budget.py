"""A budget has an end."""

from __future__ import annotations

from typing import Any

import pytest

from opponent.choice import LEVELS, PATIENCE, Budget, Level, Timer


@pytest.mark.parametrize(
    "bounds",
    [{}, {"nodes": 0}, {"millis": 0}, {"nodes": 100, "millis": -1}, {"within": 100}, {"millis": 100, "within": 0}],
    ids=str,
)
def test_a_budget_without_an_end_or_a_beginning_is_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Budget(**bounds)


class Watch:
    """A clock that shows what a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def worked() -> Watch:
    return Watch()


@pytest.fixture
def passed() -> Watch:
    return Watch()


def test_time_of_other_programs_does_not_count(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(millis=100), worked, passed)
    passed.seconds = 0.3
    assert not timer.is_over(50)
    worked.seconds = 0.1
    assert timer.is_over(50)


def test_a_choice_ends_even_if_it_gets_next_to_nothing_of_the_processor(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(millis=100), worked, passed)
    passed.seconds = 0.1 * PATIENCE
    assert timer.is_over(1)


def test_a_budget_says_how_long_a_busy_machine_may_take(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(nodes=1000, millis=100, within=4000), worked, passed)
    passed.seconds = 3.9
    assert not timer.is_over(1)
    passed.seconds = 4.0
    assert timer.is_over(1)


def test_a_slow_machine_takes_longer_for_the_least_nodes(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(millis=100, least=40), worked, passed)
    worked.seconds = passed.seconds = 0.2
    assert not timer.is_over(39)
    assert timer.is_over(40)


def test_a_machine_that_is_next_to_frozen_answers_with_fewer_than_the_least_nodes(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(millis=100, least=40), worked, passed)
    passed.seconds = 0.1 * PATIENCE
    assert timer.is_over(16)


def test_nodes_alone_have_no_time(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(nodes=40), worked, passed)
    worked.seconds = passed.seconds = 1000.0
    assert not timer.is_over(39)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: str(level.number))
def test_a_level_that_has_a_time_goes_on_with_its_tree(level: Level) -> None:
    assert level.compiled.goes_on == (level.number >= 6)
    assert level.compiled.goes_on == (level.compiled.least > 0)


def test_nodes_end_a_choice_before_its_time_is_over(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(nodes=10, millis=100, least=40), worked, passed)
    assert timer.left(4) == 6
    assert not timer.is_over(9)
    assert timer.is_over(10)
