"""A pace that all share, and those who fail again and again."""

from __future__ import annotations

import pytest

from bot.services.rate_limits import Rate, SharedPace
from play.refusal import Reason, Refused

STRANGER, PLAYER = 1, 2


def a_pace() -> SharedPace:
    """Returns a pace of four requests, of which each may fail twice."""
    return SharedPace(Rate(4, 1.0), Reason.NOT_CONFIRMED, Rate(2, 100.0))


def ask(pace: SharedPace, who: int, now: float = 0.0, *, outcome: Exception | None = None) -> str:
    """Returns how a request ends: with an outcome, or for want of a turn."""
    try:
        with pace.turn(who, now):
            if outcome is not None:
                raise outcome
    except Refused as refused:
        return refused.key
    except OSError:
        return "away"
    return "done"


def test_all_share_the_pace() -> None:
    pace = a_pace()
    assert [ask(pace, who) for who in range(5)] == ["done"] * 4 + ["entrance_busy"]
    assert ask(pace, 9, 1.0) == "done"


def test_who_fails_often_leaves_half_of_it_to_the_others() -> None:
    pace, failure = a_pace(), Refused(Reason.NOT_CONFIRMED)
    assert [ask(pace, STRANGER, outcome=failure) for _ in range(4)] == ["not_confirmed"] * 2 + ["entrance_busy"] * 2
    assert [ask(pace, PLAYER) for _ in range(2)] == ["done"] * 2


def test_who_has_failed_twice_leaves_half_of_it_to_the_others_long_before_that() -> None:
    pace, failure = SharedPace(Rate(4, 1.0), Reason.NOT_CONFIRMED, Rate(20, 100.0)), Refused(Reason.NOT_CONFIRMED)
    assert [ask(pace, STRANGER, outcome=failure) for _ in range(4)] == ["not_confirmed"] * 2 + ["entrance_busy"] * 2
    assert [ask(pace, PLAYER) for _ in range(2)] == ["done"] * 2


def test_who_fails_often_is_served_where_nobody_else_asks() -> None:
    pace, failure = a_pace(), Refused(Reason.NOT_CONFIRMED)
    assert [ask(pace, STRANGER, now, outcome=failure) for now in range(10)] == ["not_confirmed"] * 10


@pytest.mark.parametrize("outcome", [None, Refused(Reason.ENTRANCE_BUSY), OSError()])
def test_what_is_no_failure_of_theirs_is_not_counted(outcome: Exception | None) -> None:
    pace = a_pace()
    for now in range(0, 30, 3):
        ask(pace, PLAYER, now, outcome=outcome)
    assert [ask(pace, PLAYER, 30.0) for _ in range(4)] == ["done"] * 4
