"""Turns of Dot Dash, put together step by step."""

from __future__ import annotations

import pytest

from bot.features.match.turn.steps import TurnStep, encode, step_at
from play.match.match import Match
from rules.game import RuleError
from rules.notation import parse_point, point_name
from tests.bot.table import a_match

OPENED = ("set D4 E5/G7", "take single")


def step(match: Match, code: str = "") -> TurnStep:
    found = step_at(match, code)
    assert found is not None
    return found


def labels(found: TurnStep) -> list[str]:
    return [option.label.key for option in found.options]


def test_three_stones_are_set_up_one_by_one() -> None:
    match = a_match("dot-dash", size="13")
    code = ""
    for name in ("D4", "E5", "G7"):
        code = step(match, code).points[parse_point(name)]
    assert code == "set D4 E5/G7"
    assert step(match, code).complete_turn == code


def test_a_stone_of_the_set_up_cannot_be_placed_twice() -> None:
    match = a_match("dot-dash", size="13")
    assert parse_point("D4") not in step(match, "set D4").points


def test_the_set_up_goes_back_stone_by_stone() -> None:
    match = a_match("dot-dash", size="13")
    assert [step(match, code).back for code in ("set D4 E5/G7", "set D4 E5", "set D4", "")] == [
        "set D4 E5",
        "set D4",
        "",
        None,
    ]


def test_the_colour_is_chosen_by_a_button_each() -> None:
    match = a_match("dot-dash", OPENED[0], size="13")
    assert [option.code for option in step(match).options] == ["take single", "take pair"]
    assert step(match, "take pair").complete_turn == "take pair"


def test_a_dash_is_a_stone_a_direction_and_a_distance() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    assert [point_name(point) for point in step(match).points] == ["G7"]
    directions = step(match, "G7")
    assert len(directions.options) == 7, "the eighth way is blocked by E5"
    right = next(option for option in directions.options if option.label.details["arrow"] == "→")
    distances = step(match, right.code)
    assert [option.code for option in distances.options] == ["G7-J7", "G7-K7", "G7-L7", "G7-M7"]
    found = step(match, "G7-J7")
    assert found.complete_turn == "G7-J7"
    assert found.back == "G7>2"
    assert found.picture.trail is not None


def test_a_stone_that_cannot_go_says_why() -> None:
    with pytest.raises(RuleError):
        step_at(a_match("dot-dash", *OPENED, size="13"), "D4")


def test_fives_that_leave_a_choice_are_declared_by_a_button_each() -> None:
    match = a_match("dot-dash-frozen", *OPENED, "G7-B7", "E5-L12", "D7-A10", size="13")
    found = step(match, "D4-I9")
    assert "five_default" in labels(found)
    assert labels(found).count("five") >= 1
    chosen = next(option for option in found.options if option.label.key == "five")
    assert " five " in chosen.code
    assert step(match, chosen.code).complete_turn == chosen.code


def test_every_turn_that_the_buttons_lead_to_is_legal() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    for code in step(match).points.values():
        for direction in step(match, code).options:
            for distance in step(match, direction.code).options:
                turn = step(match, distance.code).complete_turn
                assert turn is not None
                match.position.play(match.game.parse(turn))


@pytest.mark.parametrize("code", ["G7>9", "G7>8", "Z99", "hello", "G7-G8", "set D4", "take single", "G7-"])
def test_what_cannot_be_begun_is_refused(code: str) -> None:
    with pytest.raises(RuleError):
        step_at(a_match("dot-dash", *OPENED, size="13"), code)


def test_a_typed_dash_is_its_own_code() -> None:
    assert encode(a_match("dot-dash", *OPENED, size="13"), "g7 - j7", 60) == "G7-J7"
