"""Turns of Dot Dash, put together step by step."""

from __future__ import annotations

import pytest

from bot.features.match.turn.steps import Step, encode, step_at
from play.match.match import Match
from rules.game import RuleError
from rules.notation import parse_point, point_name
from tests.bot.table import a_match

OPENED = ("set D4 E5/G7", "take single")


def step(match: Match, begun: str = "") -> Step:
    found = step_at(match, begun)
    assert found is not None
    return found


def labels(found: Step) -> list[str]:
    return [option.said.key for option in found.options]


def test_three_stones_are_set_up_one_by_one() -> None:
    match = a_match("dot-dash", size="13")
    begun = ""
    for name in ("D4", "E5", "G7"):
        begun = step(match, begun).points[parse_point(name)]
    assert begun == "set D4 E5/G7"
    assert step(match, begun).whole == begun


def test_a_stone_of_the_set_up_cannot_be_placed_twice() -> None:
    match = a_match("dot-dash", size="13")
    assert parse_point("D4") not in step(match, "set D4").points


def test_the_set_up_goes_back_stone_by_stone() -> None:
    match = a_match("dot-dash", size="13")
    assert [step(match, begun).back for begun in ("set D4 E5/G7", "set D4 E5", "set D4", "")] == [
        "set D4 E5",
        "set D4",
        "",
        None,
    ]


def test_the_colour_is_chosen_by_a_button_each() -> None:
    match = a_match("dot-dash", OPENED[0], size="13")
    assert [option.begun for option in step(match).options] == ["take single", "take pair"]
    assert step(match, "take pair").whole == "take pair"


def test_a_dash_is_a_stone_a_direction_and_a_distance() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    assert [point_name(point) for point in step(match).points] == ["G7"]
    directions = step(match, "G7")
    assert len(directions.options) == 7, "the eighth way is blocked by E5"
    right = next(option for option in directions.options if option.said.details["arrow"] == "→")
    distances = step(match, right.begun)
    assert [option.begun for option in distances.options] == ["G7-J7", "G7-K7", "G7-L7", "G7-M7"]
    found = step(match, "G7-J7")
    assert found.whole == "G7-J7"
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
    chosen = next(option for option in found.options if option.said.key == "five")
    assert " five " in chosen.begun
    assert step(match, chosen.begun).whole == chosen.begun


def test_every_turn_that_the_buttons_lead_to_is_legal() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    for begun in step(match).points.values():
        for direction in step(match, begun).options:
            for distance in step(match, direction.begun).options:
                whole = step(match, distance.begun).whole
                assert whole is not None
                match.position.play(match.game.parse(whole))


@pytest.mark.parametrize("begun", ["G7>9", "G7>8", "Z99", "hello", "G7-G8", "set D4", "take single", "G7-"])
def test_what_cannot_be_begun_is_refused(begun: str) -> None:
    with pytest.raises(RuleError):
        step_at(a_match("dot-dash", *OPENED, size="13"), begun)


def test_a_typed_dash_is_its_own_code() -> None:
    assert encode(a_match("dot-dash", *OPENED, size="13"), "g7 - j7", 60) == "G7-J7"
