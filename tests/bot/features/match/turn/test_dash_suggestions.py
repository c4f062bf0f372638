"""The turns of Dot Dash that `/move` suggests."""

from __future__ import annotations

import pytest

from bot.features.match.turn.suggestions import Suggestion, suggest_turns
from bot.markup import spoken
from play.match.match import Match
from tests.bot.table import a_match

WORDS = spoken().of()
SET_UP = a_match("dot-dash", size="13")
CHOICE = a_match("dot-dash", "set D4 E5/G7", size="13")
DASHING = a_match("dot-dash-frozen", "set D4 E5/G7", "take single", "G7-B7", "E5-L12", "D7-A10", size="13")


def turns(match: Match, typed: str) -> list[str]:
    return [suggestion.turn for suggestion in suggest_turns(match, typed, WORDS)]


def test_no_set_up_is_suggested_that_nobody_has_typed() -> None:
    assert suggest_turns(SET_UP, "", WORDS) == [Suggestion("set", "Set up")]
    assert turns(SET_UP, "d") == []


@pytest.mark.parametrize(
    ("typed", "turn", "label"),
    [
        ("d4", "set D4", "D4 … choose the rest with buttons"),
        ("d4 e5", "set D4 E5", "D4 E5 … choose the rest with buttons"),
        ("d4 e5 g7", "set D4 E5/G7", "set D4 E5/G7"),
    ],
)
def test_a_set_up_is_suggested_as_far_as_it_is_typed(typed: str, turn: str, label: str) -> None:
    assert suggest_turns(SET_UP, typed, WORDS) == [Suggestion(turn, label)]


def test_both_sides_are_suggested_until_one_is_typed() -> None:
    assert suggest_turns(CHOICE, "", WORDS) == [
        Suggestion("take single", "Take the single stone"),
        Suggestion("take pair", "Take the pair"),
    ]
    assert turns(CHOICE, "пара") == ["take pair"]
    assert turns(CHOICE, "d4-g7") == ["take single", "take pair"]


def test_dashes_that_make_a_five_come_first_and_say_so() -> None:
    first = suggest_turns(DASHING, "", WORDS)[0]
    assert first.label == f"{first.turn}: makes 1 five"


@pytest.mark.parametrize("typed", ["d4", "D4-", "d4 to", "d4 →", "４D"])
def test_dashes_are_suggested_that_begin_as_typed(typed: str) -> None:
    assert {turn.partition("-")[0] for turn in turns(DASHING, typed)} == {"D4"}


def test_a_dash_that_is_typed_in_full_comes_first() -> None:
    assert turns(DASHING, "d4 g4")[0] == "D4-G4"
