"""A budget has an end."""

from __future__ import annotations

import pytest

from opponent.budget import PATIENCE, Budget, Timer


@pytest.mark.parametrize("bounds", [{}, {"nodes": 0}, {"millis": 0}, {"nodes": 100, "millis": -1}], ids=str)
def test_a_budget_without_an_end_or_a_beginning_is_refused(bounds: dict[str, int]) -> None:
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


def test_a_choice_has_its_least_nodes_however_late_it_is(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(millis=100, least=40), worked, passed)
    worked.seconds = passed.seconds = 10.0
    assert not timer.is_over(39)
    assert timer.is_over(40)


def test_nodes_end_a_choice_before_its_time_is_over(worked: Watch, passed: Watch) -> None:
    timer = Timer(Budget(nodes=10, millis=100, least=40), worked, passed)
    assert timer.left(4) == 6
    assert not timer.is_over(9)
    assert timer.is_over(10)
