"""The computer's reply: when a board waits for it, and how long."""

from __future__ import annotations

import pytest

from play.ids import Millis
from play.match.outbox_entry import REPLY_MILLIS, awaits_reply, is_reply, time_for_reply
from tests.clock import HOUR
from tests.matches import ANNA, BORIS, a_match, play_turn, resign

BEGUN = a_match()
MOVED = play_turn(BEGUN)


def test_a_move_that_the_computer_is_to_answer_awaits_its_reply() -> None:
    assert awaits_reply(MOVED, BORIS)
    assert is_reply(MOVED, ANNA)


def test_a_move_of_the_computer_awaits_nothing() -> None:
    assert not awaits_reply(MOVED, ANNA)
    assert not is_reply(MOVED, BORIS)


def test_the_first_board_awaits_the_computer_that_begins_and_no_player() -> None:
    assert awaits_reply(BEGUN, ANNA)
    assert not awaits_reply(BEGUN, BORIS)


def test_the_last_board_awaits_no_reply() -> None:
    assert not awaits_reply(resign(MOVED), BORIS)


@pytest.mark.parametrize(
    ("passed", "left"),
    [(0, REPLY_MILLIS), (500, REPLY_MILLIS - 500), (-500, REPLY_MILLIS), (REPLY_MILLIS, 0), (-HOUR, 0), (HOUR, 0)],
)
def test_a_board_waits_for_two_seconds_after_the_move_whatever_clocks_say(passed: int, left: int) -> None:
    assert time_for_reply(MOVED, Millis(MOVED.events[-1].at + passed)) == left
