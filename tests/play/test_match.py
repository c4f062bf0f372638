"""Decisions about a match: permissions, times and effects."""

from __future__ import annotations

import pytest

from play.ids import IdempotencyKey, Millis, UserId
from play.match import moves
from play.match.events import Event, EventKind
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from play.refusal import Refused
from rules.game import Outcome, RuleError, Seat
from tests.clock import HOUR, MINUTE, NOON, SECOND
from tests.matches import ANNA, BORIS, CLARA, a_match, play_turn, resign

SOURCE = IdempotencyKey(1)
ANNA_WINS, BORIS_WINS = (Seat(0),), (Seat(1),)
FLAG = Millis(NOON + HOUR + FLAG_GRACE)
"""The last moment of the first turn of `a_match()`."""


def refusal(match: Match, user: UserId, text: str, at: int = NOON) -> Refused:
    with pytest.raises(Refused) as refused:
        moves.move(match, user, text, Millis(at), SOURCE)
    return refused.value


def test_a_match_begins_without_history_and_with_the_first_clock_running() -> None:
    match = a_match(control="1h")
    assert (match.version, match.to_act, match.clock.deadline, match.last_move) == (0, 0, NOON + HOUR, None)


def test_a_move_is_one_event_and_passes_the_turn() -> None:
    match = moves.move(a_match(), ANNA, "A1", Millis(NOON + MINUTE), SOURCE)
    assert match.events == (Event(EventKind.MOVE, Seat(0), "A1", Millis(NOON + MINUTE), SOURCE),)
    assert (match.version, match.to_act, match.clock.deadline) == (1, 1, NOON + MINUTE + HOUR)


def test_a_move_is_recorded_in_plain_notation() -> None:
    assert moves.move(a_match(), ANNA, " е-5 ", NOON, SOURCE).events[-1].text == "E5"


def test_a_decision_leaves_the_match_before_it_as_it_was() -> None:
    match = a_match()
    play_turn(match)
    assert (match.version, match.to_act) == (0, 0)


def test_who_is_not_to_act_is_told_whose_turn_it_is() -> None:
    refused = refusal(a_match(), BORIS, "A1")
    assert (refused.key, refused.details) == ("not_your_turn", {"user": ANNA})


def test_a_stranger_does_not_move() -> None:
    assert refusal(a_match(), CLARA, "A1").key == "not_your_match"


@pytest.mark.parametrize(("text", "key"), [("what?", "no_point"), ("Z9", "off_field"), ("B3", "occupied")])
def test_what_the_rules_refuse_keeps_its_key(text: str, key: str) -> None:
    assert refusal(a_match(), ANNA, text).key == key


def test_nobody_moves_when_the_match_is_over() -> None:
    assert refusal(resign(a_match()), BORIS, "A1").key == "match_over"


def test_a_move_counts_to_the_last_moment_of_its_time() -> None:
    assert moves.move(a_match(control="1h"), ANNA, "A1", Millis(NOON + HOUR), SOURCE).version == 1


def test_a_move_after_its_time_is_too_late_also_before_the_flag_falls() -> None:
    assert refusal(a_match(control="1h"), ANNA, "A1", NOON + HOUR + 1).key == "time_over"


def test_a_full_field_ends_the_match_and_stops_the_clock() -> None:
    match = a_match()
    while not match.outcome:
        match = play_turn(match)
    assert (match.outcome, match.to_act, match.clock.deadline) == (match.position.outcome, None, None)


@pytest.mark.parametrize(("user", "winners"), [(ANNA, BORIS_WINS), (BORIS, ANNA_WINS)])
def test_a_player_who_resigns_loses_in_either_turn(user: UserId, winners: tuple[Seat, ...]) -> None:
    assert resign(a_match(), user).outcome == Outcome(winners, "resign")


def test_a_stranger_does_not_resign() -> None:
    with pytest.raises(Refused, match="not_your_match"):
        resign(a_match(), CLARA)


def test_nobody_resigns_twice() -> None:
    with pytest.raises(Refused, match="match_over"):
        resign(resign(a_match()))


def test_a_flag_does_not_fall_in_time() -> None:
    match = a_match(control="1h")
    assert moves.flag(match, FLAG) is match


def test_a_flag_before_everybody_has_moved_decides_nothing() -> None:
    match = play_turn(a_match(control="1h"))
    assert moves.flag(match, Millis(FLAG + HOUR)).outcome == Outcome((), "abort")


def test_who_lets_the_flag_fall_loses() -> None:
    match = moves.flag(play_turn(play_turn(a_match(control="1h"))), Millis(FLAG + HOUR))
    assert match.outcome == Outcome(BORIS_WINS, "time")
    assert match.clock.remaining[0] == 0


def test_a_flag_falls_once() -> None:
    match = moves.flag(a_match(), Millis(FLAG + 1))
    assert moves.flag(match, Millis(FLAG + HOUR)) is match


def test_moves_are_the_events_that_are_moves() -> None:
    match = resign(play_turn(play_turn(a_match())))
    assert [event.kind for event in match.moves] == [EventKind.MOVE] * 2
    assert match.last_move == match.events[1]


def test_a_history_replays_to_the_same_match() -> None:
    match = resign(play_turn(play_turn(a_match(), "A1"), "E5"))
    replayed = a_match()
    for event in match.events:
        replayed = replayed.after(event)
    assert (replayed.clock, replayed.outcome) == (match.clock, match.outcome)
    assert replayed.position.picture() == match.position.picture()


def test_a_history_with_an_illegal_move_does_not_replay() -> None:
    with pytest.raises(RuleError, match="occupied"):
        a_match().after(Event(EventKind.MOVE, Seat(0), "B3", NOON, None))


def test_a_history_with_a_move_out_of_turn_does_not_replay() -> None:
    with pytest.raises(RuleError, match="not_your_turn"):
        a_match().after(Event(EventKind.MOVE, Seat(1), "A1", NOON, None))


@pytest.mark.parametrize("kind", EventKind)
def test_a_history_that_goes_on_after_its_end_does_not_replay(kind: EventKind) -> None:
    with pytest.raises(RuleError, match="match_over"):
        resign(a_match()).after(Event(kind, Seat(0), "A1", Millis(NOON + SECOND), None))
