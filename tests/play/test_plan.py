"""Conditional moves: what may be planned, and when the plan is played."""

from __future__ import annotations

import pytest

from play.ids import IdempotencyKey, MatchId
from play.match import moves
from play.match.conditional_moves import MAX_REPLIES, ConditionalLine, ConditionalReply, apply_reply, plan_line
from play.match.events import EventKind
from play.match.match import Match
from play.refusal import Refused
from rules.game import Seat
from rules.registry import make_game
from tests.matches import ANNA, BORIS, CLARA, a_match, play_turn, resign

LINE = [("A1", "E5"), ("A2", "E4")]


def test_a_plan_is_kept_in_plain_notation() -> None:
    assert plan_line(a_match(), BORIS, [("a-1", " 5e ")]) == ConditionalLine(
        MatchId(0), Seat(1), (ConditionalReply("A1", "E5"),)
    )


def test_a_line_has_up_to_five_answers() -> None:
    line = [("A1", "E5"), ("A2", "E4"), ("A3", "E3"), ("A4", "E2"), ("A5", "E1"), ("B1", "D1")]
    assert len(plan_line(a_match(), BORIS, line[:MAX_REPLIES]).replies) == MAX_REPLIES
    for wrong in (line, []):
        with pytest.raises(Refused, match="plan_too_long"):
            plan_line(a_match(), BORIS, wrong)


@pytest.mark.parametrize(
    ("match", "user", "line", "key"),
    [
        (a_match(), ANNA, LINE, "plan_in_own_turn"),
        (a_match(), CLARA, LINE, "not_your_match"),
        (resign(a_match()), BORIS, LINE, "match_over"),
        (a_match(), BORIS, [("B3", "E5")], "occupied"),
        (a_match(), BORIS, [("A1", "A1")], "occupied"),
        (a_match(), BORIS, [("A1", "E5"), ("E5", "E4")], "occupied"),
        (a_match(), BORIS, [("what", "E5")], "no_point"),
        (a_match(game=make_game("classic", {"size": "5x5"})), BORIS, [("A1", "stop"), ("E5", "E4"), ("E3", "E2")],
         "plan_after_end"),
        (a_match(players=(ANNA, BORIS, CLARA), game=make_game("three", {"size": "9"})), BORIS, LINE, "plan_needs_two"),
    ],
)  # fmt: skip
def test_what_cannot_happen_is_not_planned(match: Match, user: int, line: list[tuple[str, str]], key: str) -> None:
    with pytest.raises(Refused, match=key):
        plan_line(match, match.players[user - ANNA] if user - ANNA < len(match.players) else CLARA, line)


def test_the_reply_comes_at_the_moment_of_the_move_and_costs_no_time() -> None:
    plan = plan_line(a_match(control="1h+30s"), BORIS, LINE)
    match = play_turn(a_match(control="1h+30s"), "A1")
    reply = apply_reply(match, plan)
    assert reply is not None
    event = reply.events[-1]
    assert (event.kind, event.text, event.at, event.key) == (EventKind.PLANNED, "E5", match.events[-1].at, None)
    assert (reply.to_act, reply.clock.remaining[1]) == (0, match.clock.remaining[1] + 30_000)


def test_a_move_that_was_not_expected_gets_no_reply() -> None:
    assert apply_reply(play_turn(a_match(), "A2"), plan_line(a_match(), BORIS, LINE)) is None


def test_a_reply_that_has_become_impossible_is_not_played() -> None:
    match = play_turn(play_turn(play_turn(a_match(), "A1"), "E1"), "E5")
    assert apply_reply(match, ConditionalLine(match.id, Seat(1), (ConditionalReply("E5", "E5"),))) is None


def test_what_is_left_of_a_plan_goes_on() -> None:
    assert plan_line(a_match(), BORIS, LINE).rest().replies == (ConditionalReply("A2", "E4"),)


def test_a_stop_on_the_opponents_turn_leaves_every_plan() -> None:
    match = play_turn(a_match(game=make_game("classic", {"size": "5x5"})), "A1")
    plan = plan_line(match, ANNA, [("stop", "A5")])
    stopped = moves.move(match, ANNA, "stop", match.clock.since, IdempotencyKey(99))
    assert apply_reply(stopped, plan) is None


def test_the_inner_name_of_a_stop_is_read_as_stop_in_a_plan() -> None:
    match = play_turn(a_match(game=make_game("classic", {"size": "5x5"})), "A1")
    assert plan_line(match, ANNA, [("Stop-Waiting", "A5")]).replies == (ConditionalReply("stop", "A5"),)
