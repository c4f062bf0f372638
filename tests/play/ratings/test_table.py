"""Ratings of three and four players."""

from __future__ import annotations

import random

import pytest

from play.ids import Millis
from play.ratings.glicko import Rating
from play.ratings.settlement import rate_table

NOW = Millis(1_800_000_000_000)


def test_the_first_gains_what_the_others_lose_among_newcomers() -> None:
    first, second, third = rate_table([Rating()] * 3, [0, 1, 2], NOW)
    assert first.value > second.value > third.value
    assert first.value + second.value + third.value == pytest.approx(4500)


def test_who_shares_a_place_is_rated_alike() -> None:
    _, second, third = rate_table([Rating()] * 3, [0, 1, 1], NOW)
    assert second == third


def test_each_game_makes_a_newcomer_surer() -> None:
    assert all(rating.deviation < 350 and rating.at == NOW for rating in rate_table([Rating()] * 4, [0, 1, 2, 3], NOW))


def test_the_order_at_the_table_does_not_matter() -> None:
    ratings = [Rating(1400, 80), Rating(1700, 60), Rating(1500, 200)]
    forwards = rate_table(ratings, [2, 0, 1], NOW)
    backwards = rate_table(ratings[::-1], [1, 0, 2], NOW)[::-1]
    assert [r.value for r in forwards] == pytest.approx([r.value for r in backwards])


def test_strength_comes_out_in_the_order_of_the_ratings() -> None:
    chance = random.Random(5)
    players = {strength: Rating() for strength in (1200, 1400, 1600, 1800)}
    for _ in range(200):
        shown = {strength: chance.gauss(strength, 175) for strength in players}
        order = sorted(players, key=shown.__getitem__, reverse=True)
        players = dict(zip(order, rate_table([players[s] for s in order], range(4), NOW), strict=True))
    assert sorted(players, key=lambda s: players[s].value) == [1200, 1400, 1600, 1800]
