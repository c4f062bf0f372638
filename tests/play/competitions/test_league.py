"""A league from season to season: who joins, pauses, leaves and moves."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opponent.choice import LEVELS
from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions import league as leagues
from play.competitions.divisions import MAX_SIZE, MIN_SIZE
from play.competitions.league import MAX_MEMBERS, MOVING, League, NoticeKind, Presence, first_season, movements
from play.competitions.season import (
    MAX_AT_ONCE,
    MAX_COMPUTER_LEVEL,
    SEASON_MILLIS,
    LeagueGame,
    Season,
    close_waiting,
    enter_result,
    set_match,
)
from play.ids import ChannelId, MatchId, Millis, Platform, UserId, ids_since
from play.match.points import DRAWN, FORFEITED, LOST, WON
from play.refusal import Refused
from tests.clock import DAY, HOUR, NOON
from tests.examples import examples
from tests.matches import GAME, GUILD

TERMS = Terms(GAME, parse_control("3d"), rated=True)
OPENED = NOON
BEGINS = first_season(OPENED)
SIZES = st.integers(3, 130)
SEEDS = st.integers(0, 2**32)


def users(count: int, start: int = 101) -> list[UserId]:
    return [UserId(start + number) for number in range(count)]


def opened(count: int = 0) -> League:
    league = League(GUILD, ChannelId(1), UserId(900), TERMS, BEGINS)
    for user in users(count):
        league = leagues.join(league, user, OPENED)
    return league


def begin(league: League, now: Millis | None = None, *, computer: bool = True) -> League:
    ratings = {user: 2000.0 - user for user in league.users}
    return leagues.begin_season(league, ratings, now or league.begins, computer=computer)


def running(league: League) -> Season:
    assert league.season is not None
    return league.season


def play_all(league: League, chance: random.Random) -> League:
    """Enters a result in every game that is not decided."""
    season = running(league)
    for index, division in enumerate(season.divisions):
        for game in division.games:
            if game.points is None:
                season = enter_result(season, index, game, chance.choice([WON, LOST, DRAWN]))
    return replace(league, season=season)


def season_later(league: League, chance: random.Random) -> League:
    return leagues.end_season(play_all(league, chance))


def divisions(league: League) -> dict[UserId, int]:
    return {user: index for index, each in enumerate(running(league).divisions) for user in each.users}


def test_the_highest_level_is_that_of_the_computer() -> None:
    assert LEVELS[-1].number == MAX_COMPUTER_LEVEL


@examples(300)
@given(SIZES)
def test_each_pair_of_a_division_meets_once_and_all_begin_as_often(count: int) -> None:
    for division in running(begin(opened(count))).divisions:
        pairs = Counter(frozenset(game.users) for game in division.games)
        assert set(pairs.values()) == {1}
        assert len(pairs) == len(division.users) * (len(division.users) - 1) // 2
        firsts = Counter(game.first for game in division.games)
        assert all(abs(2 * firsts[user] - len(division.users) + 1) <= 1 for user in division.users)


def test_the_first_divisions_are_by_rating() -> None:
    season = running(begin(opened(24)))
    assert [each.users for each in season.divisions] == [tuple(users(24)[start : start + 8]) for start in (0, 8, 16)]


def test_seasons_begin_and_end_on_mondays_at_noon() -> None:
    season = running(begin(opened(3)))
    assert season.begins == BEGINS
    assert OPENED + 3 * DAY <= BEGINS < OPENED + 10 * DAY
    assert (BEGINS // DAY + 3) % 7 == 0  # the epoch began on a Thursday
    assert BEGINS % DAY == 12 * HOUR
    assert season.ends == begin(leagues.end_season(begin(opened(3)))).begins - SEASON_MILLIS


def test_games_begin_evenly_over_three_weeks() -> None:
    season = running(begin(opened(120)))
    days = Counter((game.begins - season.begins) // DAY for game in season.games)
    assert set(days) == set(range(21))
    assert max(days.values()) - min(days.values()) <= 1


@examples(200)
@given(st.integers(3, 40), SEEDS)
def test_nobody_has_more_than_four_games_at_once_before_the_last_week(count: int, seed: int) -> None:
    chance, season = random.Random(seed), running(begin(opened(count)))
    numbers = iter(range(1, 10_000))
    while season.due < season.last_call:
        now = season.due
        for index, game in season.startable(now):
            season = set_match(season, index, game, MatchId(next(numbers)))
        played = Counter(user for game in season.games if game.is_running for user in game.people)
        assert max(played.values(), default=0) <= MAX_AT_ONCE
        for index, division in enumerate(season.divisions):
            for game in division.games:
                if game.is_running and chance.random() < 0.3:
                    season = enter_result(season, index, game, WON)
        assert season.due > now or season.startable(season.due)
    begun = season.startable(Millis(season.last_call + 3 * DAY))
    assert {game for _, game in begun} == {game for game in season.games if game.is_waiting}


def test_a_game_that_waits_for_room_begins_when_others_have_ended() -> None:
    season = running(begin(opened(8)))
    for number, game in enumerate(season.games):
        if game.round < MAX_AT_ONCE:
            season = set_match(season, 0, game, MatchId(number))
    waiting = next(game for game in season.games if game.is_waiting)
    assert season.startable(waiting.begins) == []
    assert season.last_call < season.due < season.last_call + 3 * DAY
    for game in season.games:
        if game.round == 0 and set(game.users) & set(waiting.users):
            season = enter_result(season, 0, game, WON)
    assert season.startable(waiting.begins) == [(0, waiting)]
    assert season.due == waiting.begins


def go(league: League, user: UserId, chance: random.Random) -> League:
    """Lets a member leave, miss a game, or pause."""
    match chance.randrange(3):
        case 0:
            return leagues.leave(league, user, league.begins)
        case 1:
            return leagues.miss(league, user, league.begins)
        case _:
            return leagues.pause(league, user)


@examples(300)
@given(SIZES, SEEDS, st.integers(2, 5), st.floats(0, 0.5))
def test_no_promoted_player_lands_lower_than_a_relegated_one(count: int, seed: int, seasons: int, share: float) -> None:
    chance, league, fresh = random.Random(seed), begin(opened(count)), 5000
    for _ in range(seasons):
        for user in league.users:
            if chance.random() < share and league.member(user).presence is Presence.PLAYING:
                league = go(league, user, chance)
        league = play_all(league, chance)
        moves = movements(running(league))
        league = leagues.end_season(league)
        for user in users(chance.randrange(12), fresh):
            league = leagues.join(league, user, league.begins)
        fresh += 100
        league = begin(league)
        if league.season is None:
            return
        landed = divisions(league)
        for above, below in pairwise(moves):
            promoted = [landed[user] for user in below.up if user in landed]
            relegated = [landed[user] for user in above.down if user in landed]
            assert max(promoted, default=0) <= min(relegated, default=MAX_MEMBERS)
        sizes = [len(each.users) for each in running(league).divisions]
        assert sum(sizes) < 16 or all(MIN_SIZE <= size <= MAX_SIZE for size in sizes)


@examples(200)
@given(st.integers(16, 120), SEEDS)
def test_without_comings_and_goings_two_go_up_and_two_go_down(count: int, seed: int) -> None:
    league = begin(opened(count))
    before = divisions(league)
    sizes = [len(each.users) for each in running(league).divisions]
    moves = movements(running(league := play_all(league, random.Random(seed))))
    league = begin(leagues.end_season(league))
    after = divisions(league)
    assert [len(each.users) for each in running(league).divisions] == sizes
    for index, move in enumerate(moves):
        assert len(move.up) == (MOVING if index > 0 else 0)
        assert len(move.down) == (MOVING if index < len(moves) - 1 else 0)
        assert {after[user] - before[user] for user in move.up} <= {-1}
        assert {after[user] - before[user] for user in move.stay} <= {0}
        assert {after[user] - before[user] for user in move.down} <= {1}


def test_a_newcomer_enters_at_the_foot() -> None:
    league = leagues.join(begin(opened(24)), UserId(50), BEGINS)  # with the best rating
    assert divisions(begin(season_later(league, random.Random(1))))[UserId(50)] == 2


@examples(200)
@given(st.integers(16, 60), SEEDS)
def test_a_pause_costs_one_division_at_most(count: int, seed: int) -> None:
    chance, league = random.Random(seed), begin(opened(count))
    league = season_later(league, chance)
    user = chance.choice(league.users)
    earned = league.member(user).division
    assert earned is not None
    missed = begin(leagues.pause(league, user))
    assert user not in running(missed).users
    back = begin(season_later(missed, chance))
    assert divisions(back)[user] <= earned + 1


def test_a_pause_ends_by_itself_after_one_season() -> None:
    league = leagues.pause(begin(opened(5)), users(5)[0])
    assert users(5)[0] in running(league).users
    league = begin(leagues.end_season(league))
    assert users(5)[0] not in running(league).users
    assert users(5)[0] in running(begin(leagues.end_season(league))).users


def test_a_newcomer_who_pauses_plays_after_the_next_season() -> None:
    league = leagues.pause(leagues.join(begin(opened(3)), UserId(50), BEGINS), UserId(50))
    league = begin(leagues.end_season(league))
    assert UserId(50) in leagues.end_season(league).users
    assert UserId(50) in running(begin(leagues.end_season(league))).users


def games_of(season: Season, user: UserId) -> list[LeagueGame]:
    return [game for game in season.games if user in game.users]


@pytest.mark.parametrize("act", [leagues.leave, leagues.miss])
def test_the_computer_takes_the_seat_in_the_games_that_have_not_begun(act: object) -> None:
    user = users(8)[2]
    league = begin(opened(8))
    season = running(league)
    begun = games_of(season, user)[0]
    season = set_match(season, 0, begun, MatchId(1))
    left = (leagues.leave if act is leagues.leave else leagues.miss)(replace(league, season=season), user, BEGINS)
    taken = [game for game in games_of(running(left), user) if game.taken]
    assert {game.taken for game in taken} == {user}
    assert len(taken) == 6
    assert all(game.points is None for game in games_of(running(left), user))


def test_a_game_of_two_who_dropped_out_is_lost_by_both() -> None:
    one, two = users(8)[2:4]
    season = running(leagues.leave(leagues.leave(begin(opened(8)), one, BEGINS), two, BEGINS))
    [between] = [game for game in season.games if set(game.users) == {one, two}]
    assert (between.points, between.unplayed) == (FORFEITED, True)


def test_without_a_computer_the_opponents_of_one_who_dropped_out_have_won() -> None:
    user = users(8)[2]
    season = running(leagues.leave(begin(opened(8), computer=False), user, BEGINS))
    for game in games_of(season, user):
        assert game.points == (LOST if game.first == user else WON)
        assert game.unplayed
        assert not game.is_waiting


def test_a_player_who_did_not_show_up_has_a_season_to_come_back() -> None:
    user = users(8)[2]
    league = begin(leagues.end_season(leagues.miss(begin(opened(8)), user, BEGINS)))
    assert user not in running(league).users
    back = begin(leagues.end_season(leagues.join(league, user, BEGINS)))
    assert user in running(back).users
    assert user not in leagues.end_season(league).users


def test_who_drops_out_goes_down_before_the_others_do() -> None:
    league = begin(opened(16))
    league = leagues.leave(leagues.miss(league, users(16)[0], BEGINS), users(16)[1], BEGINS)
    assert movements(running(league))[0].down == ()
    after = leagues.end_season(league)
    assert after.member(users(16)[0]).division == 1


def test_with_fewer_than_three_players_the_season_waits_a_week_and_says_so_once() -> None:
    league = begin(opened(2))
    assert league.season is None
    assert league.begins == BEGINS + 7 * DAY
    assert [notice.kind for notice in league.notices] == [NoticeKind.WAITING]
    assert begin(league).version == league.version
    assert begin(league).notices == league.notices


def test_after_days_of_downtime_a_season_ends_on_the_day_that_it_had() -> None:
    assert running(begin(opened(3), Millis(BEGINS + 5 * DAY))).ends == BEGINS + SEASON_MILLIS
    late = running(begin(opened(3), Millis(BEGINS + 40 * DAY)))
    assert late.begins == BEGINS + 35 * DAY


def test_a_game_that_could_not_begin_is_drawn_when_the_season_ends() -> None:
    season = close_waiting(running(begin(opened(3))))
    assert {(game.points, game.unplayed) for game in season.games} == {(DRAWN, True)}


def test_who_is_in_cannot_join_again_and_who_is_not_cannot_leave() -> None:
    league = opened(3)
    with pytest.raises(Refused, match="league_in_already"):
        leagues.join(league, users(3)[0], OPENED)
    with pytest.raises(Refused, match="league_not_in"):
        leagues.leave(league, UserId(7), OPENED)
    with pytest.raises(Refused, match="league_paused_already"):
        leagues.pause(leagues.pause(league, users(3)[0]), users(3)[0])
    with pytest.raises(Refused, match="no_league"):
        leagues.join(leagues.close(league), UserId(7), OPENED)


@pytest.mark.parametrize("platform", Platform)
def test_an_account_of_less_than_seven_days_cannot_join(platform: Platform) -> None:
    made = UserId(ids_since(platform, Millis(OPENED - 6 * DAY))[0])
    with pytest.raises(Refused, match="league_young_account"):
        leagues.join(opened(), made, OPENED)
    assert leagues.join(opened(), made, Millis(OPENED + DAY)).users == (made,)


def test_a_league_is_full_at_some_point() -> None:
    with pytest.raises(Refused, match="league_full"):
        leagues.join(opened(MAX_MEMBERS), UserId(50), OPENED)
