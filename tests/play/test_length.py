"""How long games take: by their board, their clock, and the games that were played."""

from __future__ import annotations

import pytest

from play.clock import parse_control
from play.ids import DAY, HOUR, MINUTE, Millis
from play.match.length import MIN_PLAYED, estimate, expected_moves, usual_move_time
from rules.registry import make_game

KEY = "classic"


@pytest.mark.parametrize(("size", "moves"), [("10x10", 90), ("13x13", 140), ("20x20", 240), ("39x32", 387)])
def test_a_large_board_is_left_with_more_crossings_free(size: str, moves: int) -> None:
    assert expected_moves(make_game(KEY, {"size": size})) == moves


@pytest.mark.parametrize(
    ("control", "time"),
    [("3d", 12 * HOUR), ("10m+30s", Millis(22_500)), ("30s", Millis(15_000)), ("none", 12 * HOUR), ("20m/0s", 15_000)],
)
def test_a_move_usually_takes_a_part_of_what_the_clock_allows(control: str, time: int) -> None:
    assert usual_move_time(parse_control(control)) == time


def test_games_that_were_played_tell_better_how_long_a_move_takes() -> None:
    played = [Millis(hours * HOUR) for hours in (1, 2, 3, 4, 200)]
    assert len(played) == MIN_PLAYED
    assert usual_move_time(parse_control("3d"), played) == 3 * HOUR
    assert usual_move_time(parse_control("3d"), played[1:]) == 12 * HOUR


def test_an_estimate_is_moves_by_their_time_and_no_round_is_longer_than_its_limit() -> None:
    game = make_game(KEY, {"size": "10x10"})
    assert estimate(game, HOUR) == Millis(4 * DAY)
    assert estimate(game, HOUR, rounds=3) == Millis(11 * DAY)
    assert estimate(game, HOUR, rounds=3, longest=DAY) == Millis(3 * DAY)
    assert estimate(game, Millis(22_500), rounds=5) == Millis(3 * HOUR)
    assert estimate(game, Millis(MINUTE // 6)) == Millis(20 * MINUTE)
    assert estimate(game, Millis(100)) == Millis(10 * MINUTE)
