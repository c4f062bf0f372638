"""The komi with which two players are about equally likely to win."""

from __future__ import annotations

import pytest

from play.challenge.pool import MIN_GAP, fair_komi, serves, worth
from rules.game import AnyGame
from rules.registry import GAMES


def zagram(**options: str) -> AnyGame:
    return GAMES["zagram"].with_options({"size": "15x15", **options})


def test_nearly_equal_players_have_no_komi() -> None:
    assert fair_komi(MIN_GAP - 1) == 0


def test_a_greater_gap_never_has_less_komi() -> None:
    komi = [fair_komi(gap) for gap in range(0, 2000, 10)]
    assert komi == sorted(komi)


@pytest.mark.parametrize("gap", [100, 240, 400, 900, 5000])
def test_a_fair_komi_can_be_chosen_and_never_draws(gap: float) -> None:
    komi = fair_komi(gap)
    assert komi % 1 == 0.5
    assert zagram(komi=f"{komi:g}").options["komi"] == f"{komi:g}"


@pytest.mark.parametrize("game", [zagram(win="5 captured"), zagram(size="39x32"), GAMES["dot-dash"], GAMES["three"]])
def test_nothing_is_proposed_where_nothing_was_measured(game: AnyGame) -> None:
    assert not serves(game)


def test_a_board_like_the_measured_one_is_served() -> None:
    assert serves(zagram())


def test_a_game_without_a_handicap_makes_nobody_stronger() -> None:
    assert worth(zagram()) == worth(GAMES["dot-dash"]) == 0


def test_the_proposed_komi_is_worth_the_gap_that_it_was_measured_for() -> None:
    assert worth(zagram(komi="5.5")) == pytest.approx(400, abs=10)


@pytest.mark.parametrize(
    "game", [zagram(handicap="2"), zagram(komi="6.5"), zagram(size="39x32", komi="2.5"), zagram(handicap="1", komi="1")]
)
def test_a_handicap_that_was_not_measured_has_no_worth(game: AnyGame) -> None:
    assert worth(game) is None
