"""The purpose of a turn: what a hint says it is good for."""

from __future__ import annotations

import pytest

from opponent.purpose import Aim, Purpose, purpose_of
from opponent.review import replay_positions
from rules.game import parse_point
from rules.registry import make_game

NET = ("e6", "f6", "f7", "a1", "f5", "a2")
"""Seat 0 could capture F6 with G6."""

SWAPPED = ("f6", "e6", "a1", "f7", "a2", "f5")
"""Seat 1 could capture F6 with G6, and seat 0 is to move."""


def told(before: tuple[str, ...], *line: str, preset: str = "zagram") -> Purpose:
    options = {"size": "12x12", "start": "empty"} if not preset.startswith("dot-dash") else {}
    game = make_game(preset, options)
    position = replay_positions(game, 0, before)[-1]
    return purpose_of(game, position, line)


def about(aim: Aim, *dots: str) -> Purpose:
    return Purpose(aim, tuple(map(parse_point, dots)), len(dots))


@pytest.mark.parametrize("preset", ["zagram", "zagram-territory", "paper"])
def test_a_capture_names_the_dots_that_fall(preset: str) -> None:
    assert told(NET, "G6", preset=preset) == about(Aim.CAPTURES, "F6")


@pytest.mark.parametrize("preset", ["zagram", "zagram-territory"])
def test_a_rescue_names_the_dots_that_were_in_danger(preset: str) -> None:
    assert told(SWAPPED, "G6", preset=preset) == about(Aim.SAVES, "F6")


def test_a_dot_elsewhere_saves_nothing() -> None:
    assert told(SWAPPED, "L12").aim is not Aim.SAVES


def test_a_line_that_ends_with_a_capture_leads_to_it() -> None:
    assert told(NET[:4], "F5", "B7", "G6") == about(Aim.LEADS, "F6")


def test_a_dot_after_which_the_next_one_captures_threatens() -> None:
    assert told(NET[:4], "F5") == about(Aim.THREATENS, "F6")


def test_a_dot_that_closes_an_empty_house_surrounds_crossings() -> None:
    house = ("e6", "h8", "f7", "a3", "f5", "a5")
    assert told(house, "G6") == Purpose(Aim.SURROUNDS, amount=1)


def test_a_dot_between_two_chains_of_its_player_joins_them() -> None:
    assert told(("e6", "h8", "g6", "a3"), "F6") == about(Aim.JOINS, "E6", "G6")


def test_a_dot_between_two_chains_of_the_opponent_cuts_them() -> None:
    assert told(("h8", "e6", "a3", "g6"), "F6") == about(Aim.CUTS, "E6", "G6")


def test_a_dot_beside_another_of_its_player_extends_the_chain() -> None:
    assert told(("e6", "h8"), "F7") == Purpose(Aim.EXTENDS, (parse_point("E6"),), 2)
    assert told(("e6", "h8", "f7", "a3"), "G7") == Purpose(Aim.EXTENDS, (parse_point("F7"),), 3)


def test_a_dot_that_waits_names_the_nearest_own_dot_and_how_far_it_is() -> None:
    assert told(("e6", "h8"), "C3") == Purpose(Aim.WAITS, (parse_point("E6"),), 3)


def test_a_dot_far_from_all_waits() -> None:
    assert told(("e6", "h8"), "L12") == Purpose(Aim.WAITS)


def test_a_call_is_the_end() -> None:
    assert told(NET, "stop", preset="classic") == Purpose(Aim.CALLS)


def test_a_turn_of_another_game_has_no_dots_to_name() -> None:
    game = make_game("dot-dash", {})
    position = game.start(0)
    move = str(next(iter(position.moves())))
    assert purpose_of(game, position, [move]) == Purpose(Aim.WAITS)


def test_three_players_have_purposes_too() -> None:
    assert told(("e6", "f6", "h8", "f7", "a2", "a3", "f5", "a4", "a5"), "G6", preset="three").aim is Aim.CAPTURES
