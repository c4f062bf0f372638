"""Weights make it pointless to farm points."""

from __future__ import annotations

import random

import pytest

from play.ids import Millis, Platform, UserId, creation_time, ids_since
from play.ratings.glicko import GameResult, Rating, expected, rate_period
from play.ratings.settlement import MAX_FULL_GAMES, PAIR_WINDOW, YOUNG_AGE, is_young, weight, young_ids

NOW = Millis(1_800_000_000_000)
DAY = 86_400_000


def born(at: int, platform: Platform = Platform.DISCORD) -> UserId:
    return UserId(ids_since(platform, Millis(at))[0])


OLD = born(NOW - 400 * DAY)


def test_an_id_tells_when_its_account_was_made() -> None:
    assert creation_time(UserId(175_928_847_299_117_063)) == 1_462_015_105_796  # the example of Discord's documentation


@pytest.mark.parametrize("before", range(MAX_FULL_GAMES))
def test_the_first_games_of_a_pair_count_in_full(before: int) -> None:
    assert weight(before, (OLD,), NOW).value == 1
    assert weight(before, (OLD,), NOW).reasons == ()


def test_each_further_game_of_a_pair_counts_half_of_the_one_before() -> None:
    assert [weight(n, (OLD,), NOW).value for n in range(MAX_FULL_GAMES, MAX_FULL_GAMES + 3)] == [0.5, 0.25, 0.125]
    assert weight(MAX_FULL_GAMES, (OLD,), NOW).reasons == ("repeated_pair",)


def test_a_pair_never_gets_more_than_four_games_worth_a_day() -> None:
    assert sum(weight(n, (OLD,), NOW).value for n in range(1000)) <= 4


@pytest.mark.parametrize("platform", Platform)
def test_a_young_account_is_worth_a_quarter(platform: Platform) -> None:
    young = weight(0, (born(NOW - YOUNG_AGE + 1, platform),), NOW)
    assert (young.value, young.reasons) == (0.25, ())
    assert weight(0, (born(NOW - YOUNG_AGE, platform),), NOW).value == 1


@pytest.mark.parametrize("platform", Platform)
def test_the_ids_of_young_accounts_are_those_that_are_young(platform: Platform) -> None:
    accounts = [born(NOW - YOUNG_AGE + age, platform) for age in (-DAY, 0, 1, DAY)]
    found = [any(account in ids for ids in young_ids(NOW)) for account in accounts]
    assert found == [is_young(account, NOW) for account in accounts] == [False, False, True, True]


def _farmed(days: int, accounts: int) -> float:
    """Returns what a player of 1500 gains by beating `accounts` of their own accounts twenty times a day each."""
    cheat, now = Rating(1500, 60, at=NOW), NOW
    victims = [(born(NOW - 400 * DAY + n), Rating()) for n in range(accounts)]
    for _ in range(days):
        now = Millis(now + PAIR_WINDOW)
        for index, (user, rating) in enumerate(victims):
            for game in range(20):
                worth = weight(game, (user,), now).value
                before = cheat.at_time(now)
                cheat = rate_period(cheat, [GameResult(rating.at_time(now), 1, worth)], cheat.periods(now), now)
                rating = rate_period(rating, [GameResult(before, 0, worth)], rating.periods(now), now)
            victims[index] = user, rating
    return cheat.value - 1500


def test_a_month_of_farming_one_account_gains_less_than_an_honest_climb() -> None:
    assert _farmed(30, 1) < 120


def test_an_honest_player_still_finds_his_strength_against_one_friend() -> None:
    chance = random.Random(3)
    friend, player, now = Rating(1500, 60, at=NOW), Rating(), NOW
    for day in range(40):
        now = Millis(NOW + day * DAY)
        for game in range(2):
            result = float(chance.random() < expected(Rating(1700, 0), Rating(1500, 0)))
            player = rate_period(
                player, [GameResult(friend, result, weight(game, (OLD,), now).value)], player.periods(now), now
            )
    assert player.value == pytest.approx(1700, abs=120)
