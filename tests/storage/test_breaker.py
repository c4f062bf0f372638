"""While a database does not answer, callers fail at once."""

from __future__ import annotations

import pytest

from storage.breaker import MAX_FAILURES, PAUSE_SECONDS, Breaker
from storage.errors import Stale, Unavailable


class Guarded:
    """Work behind a breaker, with a count of the real tries."""

    def __init__(self) -> None:
        self.time = 0.0
        self.tries = 0
        self._breaker = Breaker(lambda: self.time)

    def use(self, failure: type[Exception] | None = None) -> None:
        with self._breaker.guards():
            self.tries += 1
            if failure:
                raise failure

    def fail(self, times: int) -> None:
        for _ in range(times):
            with pytest.raises(Unavailable):
                self.use(Unavailable)


@pytest.fixture
def guarded() -> Guarded:
    return Guarded()


def test_after_some_failures_in_a_row_no_caller_tries(guarded: Guarded) -> None:
    guarded.fail(MAX_FAILURES + 3)
    assert guarded.tries == MAX_FAILURES


def test_a_success_between_failures_keeps_it_closed(guarded: Guarded) -> None:
    guarded.fail(MAX_FAILURES - 1)
    guarded.use()
    guarded.fail(MAX_FAILURES - 1)
    guarded.use()
    assert guarded.tries == 2 * MAX_FAILURES


def test_an_answer_that_a_use_case_does_not_like_is_an_answer(guarded: Guarded) -> None:
    guarded.fail(MAX_FAILURES - 1)
    with pytest.raises(Stale):
        guarded.use(Stale)
    guarded.fail(1)
    guarded.use()


def test_after_a_pause_one_tries_and_opens_it_again_if_that_fails(guarded: Guarded) -> None:
    guarded.fail(MAX_FAILURES)
    guarded.time += PAUSE_SECONDS
    guarded.fail(2)
    assert guarded.tries == MAX_FAILURES + 1


def test_after_a_pause_one_success_closes_it(guarded: Guarded) -> None:
    guarded.fail(MAX_FAILURES)
    guarded.time += PAUSE_SECONDS
    guarded.use()
    guarded.use()
    assert guarded.tries == MAX_FAILURES + 2
