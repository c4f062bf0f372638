"""Windows and points of predictions: what is said early and well counts, and a guess brings nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.community.prediction import (
    FIRST_MOVES,
    PICKS,
    WEIGHTS,
    WINDOWS,
    Result,
    names_winner,
    next_window,
    obvious_pick,
    points_of,
    rank,
    result_of,
    step_of,
    window_at,
    windows,
)
from play.ids import IdempotencyKey, SideId, side_account
from play.match import adjudication, offers
from play.match import moves as turns
from play.match.events import OfferKind
from play.match.length import expected_moves
from play.match.match import Match
from rules.game import Outcome, Seat
from rules.registry import make_game
from tests.bot.table import a_match as a_game
from tests.clock import NOON
from tests.examples import examples
from tests.matches import ANNA, BORIS, CLARA, a_match, play_turn, resign
from tests.play.oracles import STRATEGIES, best_of, seasons

MOVES = ("e5", "f5", "f6", "a1", "g5", "a2", "f4")
"""Moves, with the last of which the first player captures a dot."""

SIDES = st.integers(5, 45)
BELIEFS = st.lists(st.integers(0, 20), min_size=len(PICKS), max_size=len(PICKS)).filter(any)
"""How often each result is thought to come, in the order of the picks."""


def on_board(columns: int, rows: int) -> Match:
    return a_match(game=make_game("zagram", {"size": f"{columns}x{rows}", "start": "empty"}))


def played(match: Match, moves: int) -> Match:
    for _ in range(moves):
        match = play_turn(match)
    return match


@given(SIDES, SIDES)
def test_windows_follow_each_other_and_end_before_the_game_does(columns: int, rows: int) -> None:
    match = on_board(columns, rows)
    found = windows(match)
    assert [each.number for each in found] == [*range(WINDOWS)]
    assert all(each.opens < each.closes for each in found)
    assert all(one.closes <= other.opens for one, other in pairwise(found))
    assert found[-1].closes <= expected_moves(match.game) <= columns * rows


def test_the_first_window_closes_with_move_twenty() -> None:
    match = on_board(39, 32)
    assert windows(match)[0] == (0, 0, FIRST_MOVES)
    before = played(match, FIRST_MOVES - 1)
    assert window_at(before) == windows(match)[0]
    after = play_turn(before)
    assert window_at(after) is None
    assert next_window(after) == windows(match)[1]
    assert window_at(after, before.version) == windows(match)[0]


def test_a_move_taken_back_opens_no_window_again() -> None:
    match = played(on_board(39, 32), FIRST_MOVES)
    seat = match.position.to_act
    asked = offers.offer(match, match.players[1 - seat], OfferKind.TAKEBACK, match.clock.since, IdempotencyKey(900))
    back = offers.agree(asked, match.players[seat], OfferKind.TAKEBACK, match.clock.since, IdempotencyKey(901))
    assert len(back.moves) == FIRST_MOVES - 1
    assert window_at(back) is None


def test_a_finished_game_has_no_open_window() -> None:
    assert window_at(resign(on_board(20, 20))) is None


@given(st.floats(-99, 99))
def test_a_margin_and_its_opposite_are_opposite_steps(margin: float) -> None:
    assert step_of(margin) == -step_of(-margin)
    assert (step_of(margin) > 0) == (margin > 0)


@pytest.mark.parametrize(("margin", "step"), [(0, 0), (0.5, 1), (4, 1), (5, 2), (9.5, 2), (10, 3), (20, 4), (-7, -2)])
def test_a_step_is_a_range_of_margins(margin: float, step: int) -> None:
    assert step_of(margin) == step


@given(BELIEFS, st.sampled_from(PICKS), st.integers(0, WINDOWS - 1))
@examples(500)
def test_no_pick_is_expected_to_bring_more_than_the_median_of_a_belief(
    belief: list[int], obvious: int, window: int
) -> None:
    """The sense in which the points are proper: it never pays to say other than one's median."""

    def expected(pick: int) -> int:
        return sum(times * points_of(pick, obvious, window, Result(step, step)) for step, times in believed)

    believed = [*zip(PICKS, belief, strict=True)]
    best = max(map(expected, PICKS))
    total, below = sum(belief), 0
    for step, times in reversed(believed):
        if 2 * below < total and 2 * (below + times) > total:  # the only median
            assert [pick for pick in PICKS if expected(pick) == best] == [step]
        if 2 * below <= total <= 2 * (below + times):
            assert expected(step) == best
        below += times


@given(BELIEFS, st.sampled_from(PICKS), st.integers(0, WINDOWS - 1))
def test_the_obvious_brings_nothing(belief: list[int], obvious: int, window: int) -> None:
    assert all(points_of(obvious, obvious, window, Result(step, step)) == 0 for step in PICKS)


@given(st.sampled_from(PICKS), st.sampled_from(PICKS), st.sampled_from(PICKS), st.integers(1, WINDOWS - 1))
def test_the_same_prediction_is_worth_more_before(pick: int, obvious: int, step: int, window: int) -> None:
    now, before = (points_of(pick, obvious, each, Result(step, step)) for each in (window, window - 1))
    assert abs(before) > abs(now) or before == now == 0
    assert before * WEIGHTS[window] == now * WEIGHTS[window - 1]


@given(st.sampled_from(PICKS), st.sampled_from(PICKS), st.sampled_from(PICKS), st.integers(0, WINDOWS - 1))
def test_both_players_are_judged_alike(pick: int, obvious: int, step: int, window: int) -> None:
    mirrored = points_of(-pick, -obvious, window, Result(-step, -step))
    assert points_of(pick, obvious, window, Result(step, step)) == mirrored


def test_the_winner_counts_more_than_the_margin() -> None:
    close = Result(1, 1)
    assert points_of(4, 0, 0, close) < points_of(1, 0, 0, close)
    assert points_of(2, 0, 0, close) > points_of(-1, 0, 0, close)


def test_a_capture_is_the_margin_of_a_game_that_was_played_out() -> None:
    match = replace(a_game("zagram", *MOVES), outcome=Outcome((Seat(0),), "stop"))
    assert result_of(match) == Result(1, 1)


def test_of_a_game_that_was_resigned_only_the_winner_is_known() -> None:
    match = played(on_board(10, 10), windows(on_board(10, 10))[0].closes)
    won = result_of(resign(match, BORIS))
    assert won == Result(1, 4)
    assert {points_of(pick, 0, 0, won) for pick in (1, 2, 3, 4)} == {points_of(1, 0, 0, won)}
    assert result_of(resign(match, ANNA)) == Result(-4, -1)


def test_the_winner_counts_though_the_score_says_otherwise() -> None:
    lost = replace(a_game("zagram", *MOVES), outcome=Outcome((Seat(1),), "blocked"))
    assert result_of(lost) == Result(-1, -1)


def test_a_draw_is_the_middle_of_the_scale() -> None:
    match = played(on_board(10, 10), windows(on_board(10, 10))[0].closes)
    assert result_of(replace(match, outcome=Outcome((Seat(0), Seat(1)), "draw"))) == Result(0, 0)
    assert names_winner(0, Result(0, 0))
    assert not names_winner(1, Result(0, 0))


def test_a_result_that_people_make_at_will_counts_nothing() -> None:
    assert result_of(resign(a_game("zagram", *MOVES), BORIS)) is None
    assert result_of(replace(a_game("zagram", *MOVES), outcome=Outcome((Seat(0), Seat(1)), "draw"))) is None
    late = played(on_board(10, 10), windows(on_board(10, 10))[0].closes)
    assert result_of(adjudication.adjudge(late, CLARA, ANNA, NOON, IdempotencyKey(9))) is None
    side = replace(late, players=(side_account(SideId(1)), BORIS))
    for key, counts in ((IdempotencyKey(9), False), (IdempotencyKey(-9), True)):  # a manager, or the members
        ended = turns.resign(side, side.players[0], NOON, key)
        assert (result_of(ended) is not None) is counts


def test_a_game_without_a_result_is_no_prediction() -> None:
    annulled = adjudication.annul(a_game("zagram", *MOVES), CLARA, NOON, IdempotencyKey(9))
    assert result_of(annulled) is None
    assert result_of(turns.abort(a_game("zagram"), ANNA, NOON, IdempotencyKey(9))) is None


def test_the_favourite_and_the_leader_are_obvious() -> None:
    match = on_board(20, 20)
    assert obvious_pick(match, None) == obvious_pick(match, (1500.0, 1500.0)) == 0
    assert obvious_pick(match, (1900.0, 1500.0)) > 0
    assert obvious_pick(match, (1500.0, 1900.0)) == -obvious_pick(match, (1900.0, 1500.0))
    assert obvious_pick(a_game("zagram", *MOVES), None) == 1


@given(st.floats(0, 5000), st.floats(0, 5000))
def test_any_ratings_make_something_obvious(first: float, second: float) -> None:
    assert obvious_pick(on_board(20, 20), (first, second)) in PICKS


def test_equals_share_a_place() -> None:
    lines = rank([(ANNA, 5, 1, 4), (BORIS, 9, 2, 3), (CLARA, 5, 1, 2)])
    assert [(line.place, line.user) for line in lines] == [(1, BORIS), (2, ANNA), (2, CLARA)]


def test_only_judgement_pays() -> None:
    """The seasons of decision 0205, fewer of them."""
    means = {name: fmean(seasons(strategy, 150, 45)) for name, strategy in STRATEGIES.items()}
    assert means.pop("a good judge") > 10
    assert means.pop("the obvious") == 0
    assert max(means.values()) < -20


def test_twenty_accounts_that_guess_stay_below_zero() -> None:
    assert fmean(best_of(STRATEGIES["at random"], 20, 15, 45)) < 0
