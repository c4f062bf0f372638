"""Captures by single dots near the last one, for both sides."""

from __future__ import annotations

from opponent.suggest import CaptureThreat, capture_threats
from rules.dots import Closing, Dots, DotsPosition, Setup
from rules.game import Point, Seat, parse_point, point_name
from rules.registry import make_game


def told(*moves: str, near: str, preset: str = "zagram") -> list[tuple[int, str, int]]:
    game = make_game(preset, {"size": "12x12", "start": "empty"})
    position = game.start(0)
    for move in moves:
        position = position.play(game.parse(move))
    assert isinstance(position, DotsPosition)
    return [(stake.seat, point_name(stake.point), stake.dots) for stake in capture_threats(position, parse_point(near))]


def test_a_capture_that_the_seat_to_act_could_make_is_told() -> None:
    assert told("e6", "f6", "f7", "a1", "f5", "a2", near="f6") == [(0, "G6", 1)]


def test_a_capture_that_threatens_the_seat_to_act_is_told() -> None:
    assert told("f6", "e6", "a1", "f7", "a2", "f5", near="f5") == [(1, "G6", 1)]


def test_what_lies_far_away_is_not_told() -> None:
    assert told("e6", "f6", "f7", "a1", "f5", "a2", near="l12") == []


def test_an_area_that_could_be_drawn_is_at_stake() -> None:
    assert told("e6", "f6", "f7", "a1", "f5", "a2", near="f6", preset="zagram-territory") == [(0, "G6", 1)]


def test_nothing_is_at_stake_when_nothing_touches() -> None:
    assert told("e6", "f8", near="f8") == []


def test_with_the_last_dot_of_a_painted_field_everything_enclosed_is_at_stake() -> None:
    red, blue = [(1, 0), (0, 1), (2, 1), (1, 2)], [(1, 1), (2, 0), (0, 2), (2, 2)]
    stones = tuple((Seat(seat), Point(*dot)) for seat, dots in enumerate((red, blue)) for dot in dots)
    game = Dots("test", 3, 3, Setup.STONES, stones=stones, closing=Closing.PAINTED)
    assert capture_threats(game.start(seed=0), Point(1, 1)) == [CaptureThreat(Seat(0), Point(0, 0), 1)]
