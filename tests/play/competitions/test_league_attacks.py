"""Attacks on a league, as the table in docs/fair-play-lab.md lists them: what each brings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.competitions import league as leagues
from play.competitions.league import League
from play.competitions.season import MAX_SHARED, enter_result, leave_unplayed
from play.ids import UserId
from play.match.points import DRAWN, LOST, WON
from tests.play.competitions.test_league import BEGINS, begin, divisions, opened, running

MAIN = UserId(101)
"""The best of 120."""

OWN = (UserId(5001), UserId(5002))
"""Two further accounts of the same person, with the best ratings of all."""


def own_games(league: League) -> int:
    accounts = {MAIN, *OWN}
    return sum(accounts.issuperset(game.users) for game in running(league).games)


def rating(user: UserId) -> float:
    return 3000.0 if user in OWN else 2000.0 - user


def play(league: League, losers: tuple[UserId, ...] = ()) -> League:
    """Ends a season in which the better rated player wins each game, and the `losers` lose all of theirs."""
    season = running(league)
    for index, division in enumerate(season.divisions):
        for game in division.games:
            strength = [(user not in losers, rating(user)) for user in game.users]
            season = enter_result(season, index, game, WON if strength[0] > strength[1] else LOST)
    return leagues.end_season(replace(league, season=season))


def next_season(league: League) -> League:
    return leagues.begin_season(league, {user: rating(user) for user in league.users}, league.begins, computer=True)


def test_three_accounts_by_rating_would_play_each_other() -> None:
    first = opened(118)
    for user in OWN:
        first = leagues.join(first, user, BEGINS)
    assert own_games(next_season(first)) == 3


def test_accounts_that_join_later_start_at_the_foot_and_take_a_season_for_each_division() -> None:
    league = begin(opened(118))
    for user in OWN:
        league = leagues.join(league, user, BEGINS)
    seasons = 0
    while True:
        league = next_season(play(league))
        seasons += 1
        assert seasons < 40
        if own_games(league) > 1:
            break
        places = divisions(league)
        assert min(places[user] for user in OWN) >= len(running(league).divisions) - seasons
    assert seasons >= len(running(league).divisions) - 1 == 14


def test_a_player_with_a_low_rating_would_be_in_the_last_division_at_once() -> None:
    """Ratings choose the divisions of a first season alone: so it shows what they would do in each."""
    league = opened(120)
    ratings = {user: rating(user) for user in league.users} | {MAIN: 100.0}
    first = leagues.begin_season(league, ratings, BEGINS, computer=True)
    assert divisions(first)[MAIN] == len(running(first).divisions) - 1 == 14


def test_a_player_who_loses_on_purpose_goes_down_one_division_a_season() -> None:
    league = begin(opened(120))
    for season in range(1, 5):
        league = next_season(play(league, (MAIN,)))
        assert divisions(league)[MAIN] == season


@pytest.mark.parametrize(("shared", "place", "points"), [(7, 5, 3.5), (MAX_SHARED, 7, 1.0)])
def test_the_weakest_who_blocks_all_others_keeps_no_division_by_that(shared: int, place: int, points: float) -> None:
    """Of seven games that are not played, so many bring half a point: all of them, or as many as the league has it."""
    season, weakest = running(begin(opened(16))), UserId(108)
    assert weakest == season.divisions[0].users[-1]
    for game in season.divisions[0].games:
        if weakest not in game.users:
            season = enter_result(season, 0, game, WON if rating(game.first) > rating(game.second) else LOST)
        elif shared == MAX_SHARED:
            season = leave_unplayed(season, 0, game)
        else:
            season = enter_result(season, 0, game, DRAWN, unplayed=True)
    own = next(row for row in season.divisions[0].table if row.user == weakest)
    assert (own.place, own.points) == (place, points)
    assert (weakest in leagues.movements(season)[0].down) is (shared == MAX_SHARED)
