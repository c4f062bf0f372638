"""Bounds of how far games with one opponent move a rating."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as some

from play.ids import DAY, MatchId, Millis, Platform, UserId
from play.ratings.glicko import Rating
from play.ratings.settlement import (
    MAX_OF_OPPONENT,
    OPPONENT_WINDOW,
    YOUNG_AGE,
    RatedGame,
    RatingChange,
    as_opponent,
    rate,
    rate_again,
)
from rules.game import Outcome, Seat
from tests.examples import examples
from tests.play.ratings.test_settlement import DOTS, ONE, TWO
from tests.play.ratings.test_weight import NOW, born

SURE = Rating(1500, 60, at=NOW)
RATINGS = some.builds(
    Rating, some.floats(600, 2400), some.floats(45, 350), some.floats(0.03, 0.09), some.just(Millis(NOW))
)
RESULTS = some.lists(some.tuples(some.sampled_from((0, 1, None)), RATINGS), min_size=1, max_size=40)
"""Winners of two, or None for a draw, and the rating of the other one by then."""

_numbers = count(1)


def play(own: Rating, other: Rating, winner: int | None, moved: float, at: Millis = NOW) -> RatingChange:
    """Returns the change of ONE, whom TWO has `moved` so far."""
    winners = (Seat(0), Seat(1)) if winner is None else (Seat(winner),)
    game = RatedGame(
        *(MatchId(next(_numbers)), DOTS, (ONE, TWO), Outcome(winners, "full"), (1.0, 1.0), (), at), moved=(moved, 0.0)
    )
    return rate(game, {ONE: own, TWO: other})[0]


def total(own: Rating, results: list[tuple[int | None, Rating]]) -> tuple[float, Rating]:
    """Returns by how many deviations games with one opponent move a rating, one each day, and the rating then."""
    moved = 0.0
    for day, (winner, other) in enumerate(results):
        change = play(own, other, winner, moved, Millis(NOW + day * DAY))
        moved, own = moved + change.moves, change.after
    return moved, own


@examples(1000)
@given(RATINGS, RESULTS)
def test_no_results_against_one_opponent_move_a_rating_by_more(
    own: Rating, results: list[tuple[int | None, Rating]]
) -> None:
    moved, _ = total(own, results)
    assert abs(moved) <= MAX_OF_OPPONENT + 1e-9


@examples(200)
@given(RATINGS, RESULTS)
def test_a_game_never_makes_a_rating_less_sure_than_it_was(
    own: Rating, results: list[tuple[int | None, Rating]]
) -> None:
    _, after = total(own, results)
    assert after.deviation <= own.at_time(Millis(NOW + len(results) * DAY)).deviation + 1


def test_a_rating_that_one_opponent_has_moved_enough_stays() -> None:
    change = play(SURE, SURE, 0, MAX_OF_OPPONENT)
    assert (change.after.value, change.after.deviation) == (SURE.value, SURE.deviation)


def test_it_stays_as_unsure_as_it_was() -> None:
    assert play(Rating(), SURE, 0, MAX_OF_OPPONENT).after.deviation == 350


def test_a_loss_to_an_opponent_who_has_lost_often_counts_in_full() -> None:
    assert play(SURE, SURE, 1, MAX_OF_OPPONENT).after == play(SURE, SURE, 1, 0.0).after


def test_losses_to_one_opponent_are_bounded_as_wins_are() -> None:
    moved, after = total(SURE, [(1, SURE)] * 40)
    assert moved == pytest.approx(-MAX_OF_OPPONENT)
    assert after.value > 1500 - 0.6 * 60


def test_three_opponents_bring_no_more_than_three_times_as_much() -> None:
    own = SURE
    for _ in range(3):
        _, own = total(own, [(0, SURE)] * 20)
    assert own.value <= 1500 + 3 * MAX_OF_OPPONENT * own.deviation


def test_a_match_that_is_rated_again_is_bounded_as_before() -> None:
    change = play(SURE, SURE, 0, MAX_OF_OPPONENT)
    (again,) = rate_again(
        [change, replace(change, user=TWO, result=0.0)], {ONE: replace(SURE, value=1400.0), TWO: SURE}
    )[:1]
    assert again.after.value == 1400


def test_a_change_without_a_bound_is_as_it_was() -> None:
    bounded, free = play(Rating(), SURE, 0, 0.4), play(Rating(), SURE, 0, 0.0)
    unknown = replace(bounded, moved=None)
    (again, _) = rate_again([unknown, replace(unknown, user=TWO, result=0.0)], {ONE: Rating(), TWO: SURE})
    assert bounded.after.value < free.after.value <= again.after.value


def test_an_account_of_old_is_an_opponent_by_itself() -> None:
    assert as_opponent(ONE, NOW) == [range(ONE, ONE + 1)]


@pytest.mark.parametrize("platform", Platform)
def test_with_a_young_account_all_count_as_one_that_were_young_when_they_were_met(platform: Platform) -> None:
    ids = as_opponent(born(NOW - DAY), NOW)
    met_first = born(NOW - OPPONENT_WINDOW - YOUNG_AGE + 1, platform)
    assert any(met_first in each for each in ids)
    assert not any(UserId(born(NOW - OPPONENT_WINDOW - YOUNG_AGE, platform)) in each for each in ids)
