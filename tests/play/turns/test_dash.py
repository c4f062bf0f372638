"""Turns of Dot Dash, put together step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.markup import spoken
from play.match.match import Match
from play.turns import Phrase, TurnStep, encode, leaves_choice, step_at
from play.turns.step import MAX_OPTIONS
from presentation.typed_turns import read_code
from rules.dash import DashPosition, Move
from rules.dash.board import board
from rules.game import BadNotation, Number, Point, RuleError, parse_point, point_name
from tests.bot.table import a_match

OPENED = ("set D4 E5/G7", "take single")


def step(match: Match, code: str = "") -> TurnStep:
    found = step_at(match, code)
    assert found is not None
    return found


def with_stones(match: Match, red: list[Point], blue: list[Point]) -> Match:
    """Returns the match with these stones on the board, and the same player to move."""
    position = match.position
    assert isinstance(position, DashPosition)
    return replace(match, position=replace(position, stones=(board(13).bits(red), board(13).bits(blue))))


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


def test_the_only_stone_that_can_dash_is_not_asked_for() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    assert step(match) == step(match, "G7")
    assert step(match).back is None


def test_stones_are_chosen_by_numbers_that_the_board_shows() -> None:
    match = a_match("dot-dash", *OPENED, "G7-B7", size="13")
    found = step(match)
    assert [option.label.details for option in found.options] == [
        {"number": 1, "point": "E5"},
        {"number": 2, "point": "D4"},
    ]
    assert found.picture.numbers == (Number(parse_point("E5"), 1), Number(parse_point("D4"), 2))
    assert found.prompt.details == {"count": 58}


def test_the_compass_has_eight_directions_round_the_stone_and_those_without_a_dash_are_disabled() -> None:
    found = step(a_match("dot-dash", *OPENED, size="13"), "G7")
    assert [option.label.details["arrow"] for option in found.options] == [
        *("↖", "↑", "↗"),
        *("←", "■", "→"),
        *("↙", "↓", "↘"),
    ]
    assert [option.label.details["arrow"] for option in found.options if option.disabled] == ["■", "↙"], "E5 is there"
    assert "→ J7–M7" in str(found.prompt.details["ways"])


def test_where_a_stone_may_land_is_marked_on_the_board() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    dashes = [move for move in match.position.moves() if isinstance(move, Move)]
    landings = {move.end for move in dashes if point_name(move.start) == "G7"}
    assert step(match, "G7").picture.choices == landings
    assert len(landings) > 8


def test_a_dash_is_a_stone_a_direction_and_a_distance() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    right = next(option for option in step(match, "G7").options if option.label.details.get("arrow") == "→")
    distances = step(match, right.code)
    assert [option.code for option in distances.options] == ["G7-J7", "G7-K7", "G7-L7", "G7-M7"]
    assert [(point_name(number.point), number.value) for number in distances.picture.numbers] == [
        *(("J7", 3), ("K7", 4)),
        *(("L7", 5), ("M7", 6)),
    ]
    found = step(match, "G7-J7")
    assert found.complete_turn == "G7-J7"
    assert found.back == "G7>2"
    assert found.picture.trail is not None


def test_a_direction_with_a_single_landing_leads_to_the_dash() -> None:
    match = a_match("dot-dash", *OPENED, "G7-B7", size="13")
    found = step(match, "D4>3")
    assert found.complete_turn == "D4-G1"
    assert found.back == "D4"


def test_more_stones_than_buttons_are_chosen_by_the_keypad() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    crowd = [Point(x, y) for y in (0, 6, 12) for x in range(0, 13, 2)]
    found = step(with_stones(match, [], crowd))
    assert len(found.points) > MAX_OPTIONS
    assert not found.options


def test_a_sacrifice_says_that_both_stones_leave() -> None:
    match = a_match("dot-dash-sacrifice", "set D4 E5/G7", "take single", "G7-B7", size="13")
    assert step(match, "D4>0").complete_turn == "D4-D7"
    assert step(match, "D4-D7").effects[0] == Phrase("sacrifice", {"point": "D7"})


def test_stones_of_a_counted_five_are_said_to_stay() -> None:
    match = a_match("dot-dash-frozen", *OPENED, "G7-B7", "E5-L12", "D7-A10", "D4-I9", "B7-E4", size="13")
    assert [effect.key for effect in step(match).effects] == ["frozen"]


def test_a_dash_out_of_a_five_is_said_to_lose_it() -> None:
    match = a_match("dot-dash", *OPENED, "G7-B7", size="13")
    red, blue = ([Point(x, y) for x in range(2, 7)] for y in (1, 10))
    level = with_stones(match, red, blue)
    assert level.position.outcome is None
    assert step(level, "C2-C5").effects == (Phrase("own_fives_lost", {"count": 1}), Phrase("ends"))


def test_no_set_up_can_name_a_crossing_twice_or_beside_the_board() -> None:
    match = a_match("dot-dash", size="9")
    for code in ("set D4 D4", "set Z9", "set D4 K10"):
        with pytest.raises(RuleError):
            step_at(match, code)


def test_a_stone_that_cannot_go_says_why() -> None:
    with pytest.raises(RuleError):
        step_at(a_match("dot-dash", *OPENED, size="13"), "D4")


def test_fives_that_leave_a_choice_are_declared_by_a_button_each() -> None:
    match = a_match("dot-dash-frozen", *OPENED, "G7-B7", "E5-L12", "D7-A10", size="13")
    found = step(match, "D4-I9")
    assert "five_default" in labels(found)
    assert labels(found).count("five") >= 1
    assert [option.label.details for option in found.options] == [{"fives": "G7-K11"}, {"fives": "H8-L12"}]
    chosen = next(option for option in found.options if option.label.key == "five")
    assert " five " in chosen.code
    assert step(match, chosen.code).complete_turn == chosen.code


def test_every_turn_that_the_buttons_lead_to_is_legal() -> None:
    match = a_match("dot-dash", *OPENED, size="13")
    for direction in step(match).options:
        if direction.disabled:
            continue
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


SET_UP = a_match("dot-dash", size="13")
CHOICE = a_match("dot-dash", OPENED[0], size="13")
DASHING = a_match("dot-dash", *OPENED, size="13")


@pytest.mark.parametrize(
    ("match", "typed", "code"),
    [
        (SET_UP, "d4 e5 g7", "set D4 E5/G7"),
        (SET_UP, "g7 / d4 e5", "set D4 E5/G7"),
        (SET_UP, "d4", "set D4"),
        (SET_UP, "d4, e5", "set D4 E5"),
        (SET_UP, "set", "set"),
        (CHOICE, "single", "take single"),
        (CHOICE, "I'll take the single stone, please!", "take single"),
        (CHOICE, "Pair", "take pair"),
        (CHOICE, "the two stones", "take pair"),
        (CHOICE, "беру пару", "take pair"),
        (CHOICE, "Одиночный", "take single"),
        (CHOICE, "den einzelnen Stein", "take single"),
        (CHOICE, "biorę pojedynczy kamień", "take single"),
        (CHOICE, "одинокий", "take single"),
        (CHOICE, "beru si dvojici", "take pair"),
        (CHOICE, "blue", "take single"),
        (CHOICE, "czerwone", "take pair"),
        (CHOICE, "🔴", "take pair"),
        (DASHING, "g7 j7", "G7-J7"),
        (DASHING, "g7 to j7", "G7-J7"),
        (DASHING, "g7", "G7"),
    ],
)
def test_each_phase_understands_what_players_type(match: Match, typed: str, code: str) -> None:
    assert read_code(match, typed) == code


@pytest.mark.parametrize(
    ("match", "typed", "reason"),
    [
        (SET_UP, "hello", "set_up_due"),
        (SET_UP, "d4 d4", "same_crossing"),
        (SET_UP, "d4 z9", "off_field"),
        (CHOICE, "hello", "choice_due"),
        (CHOICE, "one moment, please", "choice_due"),
        (CHOICE, "single or pair", "choice_due"),
        (CHOICE, "the stone", "choice_due"),
        (DASHING, "hello", "no_turn"),
        (DASHING, "z99", "off_field"),
    ],
)
def test_a_text_that_is_no_turn_is_refused_with_what_is_due(match: Match, typed: str, reason: str) -> None:
    with pytest.raises(BadNotation) as refused:
        read_code(match, typed)
    assert refused.value.key == reason


def test_colours_are_not_read_where_a_theme_has_others() -> None:
    with pytest.raises(BadNotation):
        read_code(CHOICE, "blue", "notebook")


@pytest.mark.parametrize("tag", spoken().names)
def test_the_refusals_of_a_phase_name_its_button_and_words_that_it_understands(tag: str) -> None:
    words = spoken().of(tag)
    for match, key, button in (
        (SET_UP, "set_up_due", "set_up"),
        (CHOICE, "choice_due", "choice"),
        (DASHING, "dash_due", "dash"),
        (DASHING, "no_turn", "dash"),
    ):
        sentence = words(f"refused.{key}")
        assert f"**{words(f'button.begin.{button}')}**" in sentence
        for typed in sentence.split("`")[1::2]:
            read_code(match, typed)


def test_what_is_begun_or_leaves_a_choice_is_asked_and_the_rest_is_not() -> None:
    assert leaves_choice(SET_UP, "set D4")
    assert not leaves_choice(SET_UP, OPENED[0])
    assert leaves_choice(DASHING, "G7")
    assert not leaves_choice(DASHING, "G7-J7")
    frozen = a_match("dot-dash-frozen", *OPENED, "G7-B7", "E5-L12", "D7-A10", size="13")
    assert leaves_choice(frozen, "D4-I9")
    assert not leaves_choice(frozen, "D4-I9 five H8-L12")
