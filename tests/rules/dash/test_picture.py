"""The visible shapes of Dot Dash."""

from __future__ import annotations

from rules.dash import PRESETS, DashPosition, Variant
from rules.game import Bar, Point, Seat, Stone, Trail
from tests.rules.dash.diagrams import Scene

FIVE = "BBBBB.. .R..... ....... R...... ....... ....... RRRRRR."


def opened(*turns: str) -> DashPosition:
    game = PRESETS[0].with_options({"size": "7"})
    position = game.start(seed=0)
    for turn in turns:
        position = position.play(game.parse(turn))
    return position


def test_before_the_choice_the_pair_is_shown_as_seat_0s_and_the_single_stone_as_seat_1s() -> None:
    picture = opened("set B2 C2/F6").picture()
    assert picture.stones == (
        Stone(Point(1, 1), Seat(0)),
        Stone(Point(2, 1), Seat(0)),
        Stone(Point(5, 5), Seat(1)),
    )
    assert picture.last == (Point(1, 1), Point(2, 1), Point(5, 5))


def test_stones_change_sides_when_seat_1_takes_the_pair() -> None:
    stones = opened("set B2 C2/F6", "take pair").picture().stones
    assert [stone.seat for stone in stones] == [1, 1, 0]
    assert [stone.seat for stone in opened("set B2 C2/F6", "take single").picture().stones] == [0, 0, 1]


def test_a_dash_shows_its_trail_and_the_stones_it_left() -> None:
    picture = opened("set B2 C2/F6", "take single", "F6-B6").picture()
    assert picture.trail == Trail(Seat(1), Point(5, 5), Point(1, 5))
    assert picture.last == (Point(1, 5), Point(2, 5), Point(3, 5))


def test_a_sacrifice_shows_the_two_stones_and_the_trail_to_where_it_ended() -> None:
    scene = Scene("R..B... ....... ....... ....... ....... ....... B......", Variant.SACRIFICE)
    picture = scene.play("A7-D7").position.picture()
    assert picture.last == (Point(1, 6), Point(2, 6))
    assert picture.trail == Trail(Seat(0), Point(0, 6), Point(3, 6))


def test_stones_of_a_credited_five_are_told_apart_and_a_bar_runs_through_it() -> None:
    picture = Scene(FIVE).position.picture()
    assert Bar(Seat(0), Point(0, 0), Point(4, 0)) in picture.bars
    assert Bar(Seat(1), Point(0, 6), Point(4, 6)) in picture.bars
    assert len(picture.bars) == 2
    assert {stone.point for stone in picture.stones if stone.credited} == {
        *(Point(x, 0) for x in range(5)),
        *(Point(x, 6) for x in range(5)),
    }


def test_with_frozen_stones_the_bar_runs_through_the_declared_five() -> None:
    picture = Scene(FIVE, Variant.FROZEN, frozen="B1-F1 A7-E7").position.picture()
    assert picture.bars[0] == Bar(Seat(0), Point(1, 0), Point(5, 0))
    assert Stone(Point(0, 0), Seat(0)) in picture.stones
    assert Stone(Point(5, 0), Seat(0), credited=True) in picture.stones


def test_a_picture_is_as_large_as_the_field() -> None:
    picture = opened().picture()
    assert (picture.width, picture.height) == (7, 7)


def test_its_stones_are_shown_as_stones_that_move_about() -> None:
    assert opened().picture().blocks
