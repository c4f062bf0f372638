"""Glicko-2 against Glickman's worked example and against an independent implementation."""

from __future__ import annotations

from math import exp

import glicko2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.ids import Millis
from play.ratings import glicko
from play.ratings.glicko import PERIOD_MILLIS, GameResult, Rating, expected, rate_period

NOW = Millis(1_800_000_000_000)

values = st.floats(800, 2800)
deviations = st.floats(glicko.MIN_DEVIATION, 340)
scores = st.sampled_from([0.0, 0.5, 1.0])
ratings = st.builds(Rating, values, deviations)


class Peer(glicko2.Player):  # type: ignore[misc]
    """The package's player. In its step 5, release 2.1.0 takes the rating where the paper has the deviation."""

    _tau = glicko.TAU

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        spread = (self.rd / 173.7178) ** 2 + v
        return float(exp(x) * (delta**2 - spread - exp(x)) / (2 * (spread + exp(x)) ** 2) - (x - a) / self._tau**2)


def test_the_worked_example_of_the_paper_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glicko, "TAU", 0.5)
    results = [GameResult(Rating(1400, 30), 1), GameResult(Rating(1550, 100), 0), GameResult(Rating(1700, 300), 0)]
    after = rate_period(Rating(1500, 200), results, 1, NOW)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@given(ratings, st.lists(st.tuples(ratings, scores), min_size=1, max_size=5))
def test_it_agrees_with_the_package_of_that_name(player: Rating, games: list[tuple[Rating, float]]) -> None:
    peer = Peer(player.value, player.deviation, player.volatility)
    peer.update_player([r.value for r, _ in games], [r.deviation for r, _ in games], [score for _, score in games])
    after = rate_period(player, [GameResult(rating, score) for rating, score in games], 1, NOW)
    assert after.value == pytest.approx(peer.rating, abs=1e-2)
    assert after.volatility == pytest.approx(peer.vol, abs=1e-6)
    assert after.deviation == pytest.approx(max(glicko.MIN_DEVIATION, peer.rd), abs=1e-2)


@given(ratings, ratings)
def test_what_two_players_expect_of_equally_sure_ratings_sums_to_one(one: Rating, other: Rating) -> None:
    level = Rating(other.value, one.deviation)
    assert expected(one, level) + expected(level, one) == pytest.approx(1)


@given(ratings, ratings)
def test_winning_raises_and_losing_lowers(player: Rating, opponent: Rating) -> None:
    won, lost = (rate_period(player, [GameResult(opponent, score)], 0, NOW) for score in (1, 0))
    assert lost.value <= player.value <= won.value
    assert lost.value < won.value


@given(ratings, ratings, scores, st.floats(0.05, 0.95))
def test_a_game_of_less_weight_moves_the_rating_less(
    player: Rating, opponent: Rating, score: float, weight: float
) -> None:
    full, part = (rate_period(player, [GameResult(opponent, score, w)], 0, NOW) for w in (1, weight))
    assert abs(part.value - player.value) <= abs(full.value - player.value) + 1e-9


def test_a_deviation_of_sixty_is_provisional_again_after_a_year_without_a_game() -> None:
    rating = Rating(1700, 60, at=NOW)
    assert not rating.at_time(Millis(NOW + 360 * 86_400_000)).provisional
    assert rating.at_time(Millis(NOW + 370 * 86_400_000)).provisional


@given(ratings, st.integers(0, 10**12))
def test_time_widens_the_deviation_up_to_a_newcomers(rating: Rating, passed: int) -> None:
    last = Rating(rating.value, rating.deviation, at=NOW)
    aged = last.at_time(Millis(NOW + passed))
    assert last.deviation <= aged.deviation <= glicko.MAX_DEVIATION
    assert aged.value == last.value


def test_nobody_ages_before_his_first_game() -> None:
    assert Rating().periods(NOW) == 0
    assert Rating(at=NOW).periods(Millis(NOW + PERIOD_MILLIS)) == 1
