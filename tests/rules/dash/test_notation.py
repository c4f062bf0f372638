"""The notation of the turns of Dot Dash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dash import PRESETS, Choice, Dash, Five, Move, Opening, Turn
from rules.game import BadNotation, Point

GAME = Dash("test")

POINTS = st.builds(Point, st.integers(0, 12), st.integers(0, 12))
FIVES = st.builds(Five, POINTS, st.integers(0, 3)).filter(
    lambda five: all(0 <= point.x < 13 and 0 <= point.y < 13 for point in five.points)
)
OPENINGS = st.lists(POINTS, min_size=3, max_size=3, unique=True).map(
    lambda points: Opening(frozenset(points[:2]), points[2])
)
TURNS: st.SearchStrategy[Turn] = st.one_of(
    OPENINGS, st.sampled_from(Choice), st.builds(Move, POINTS, POINTS, st.frozensets(FIVES, max_size=20))
)


@given(TURNS)
def test_every_turn_reads_back(turn: Turn) -> None:
    assert GAME.parse(str(turn)) == turn


@given(TURNS)
def test_case_and_spaces_do_not_matter(turn: Turn) -> None:
    text = str(turn)
    assert GAME.parse(f"  {text.lower()} ") == turn
    assert GAME.parse(text.upper().replace(" ", "   ").replace("-", " - ").replace("/", " / ")) == turn


@given(st.text(max_size=60))
def test_any_text_is_a_turn_or_refused(text: str) -> None:
    try:
        turn = GAME.parse(text)
    except BadNotation:
        return
    assert GAME.parse(str(turn)) == turn


@given(st.text(alphabet="setakfivAG17 -/,→5", max_size=20))
def test_any_text_that_looks_like_a_turn_is_one_or_refused(text: str) -> None:
    try:
        turn = GAME.parse(text)
    except BadNotation:
        return
    assert GAME.parse(str(turn)) == turn


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("set D4 E5/G7", "set D4 E5/G7"),
        ("SET e5, d4 / g 7", "set D4 E5/G7"),
        ("Set D4,E5/G7", "set D4 E5/G7"),
        ("d4 e5 g7", "set D4 E5/G7"),
        ("d4,e5,g7", "set D4 E5/G7"),
        ("d4e5g7", "set D4 E5/G7"),
        ("d4+e5 / g7", "set D4 E5/G7"),
        ("d4 & e5 | g7", "set D4 E5/G7"),
        ("g7/d4 e5", "set D4 E5/G7"),
        ("take single", "take single"),
        (" TAKE   Pair ", "take pair"),
        ("Single", "take single"),
        ("pair", "take pair"),
        ("F7-I10", "F7-I10"),
        ("f7 – i10", "F7-I10"),
        ("f7->i10", "F7-I10"),
        ("f 7 → i 10", "F7-I10"),
        ("f7 i10", "F7-I10"),
        ("f7i10", "F7-I10"),
        ("f7, i10", "F7-I10"),
        ("f7 to i10", "F7-I10"),
        ("К7-К10", "K7-K10"),
        ("Ｆ７-Ｉ１０", "F7-I10"),
        ("F7-I10 five B3-F3", "F7-I10 five B3-F3"),
        ("f7-i10 FIVE f3-b3", "F7-I10 five B3-F3"),
        ("f7-i10 fives f3-j3, b3-f3", "F7-I10 five B3-F3 F3-J3"),
        ("f7-i10 five e1-a5", "F7-I10 five E1-A5"),
    ],
)
def test_a_turn_is_read_however_people_write_it(text: str, written: str) -> None:
    assert str(GAME.parse(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "?", "K", "12", "K12", "resign", "A0", "ZZZ1", "A" * 10_000, "A9" * 20),
        *("take", "take both", "takepair", "set", "set D4 E5", "set D4/E5", "D4/E5", "D4 E5 G7 H8"),
        *("F7-I10-K12", "F7-", "-I10", "F7-I10 five", "F7-I10 five B3", "F7-I10 B3-F3"),
        "F7-I10 five" + " B3-F3" * 80,
    ],
)  # fmt: skip
def test_a_text_that_is_no_turn_is_refused(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        GAME.parse(text)
    assert refused.value.key == "no_turn"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("F0-I10", "no_point"),
        ("Ж7-Ж10", "no_point"),
        ("F7-N10", "off_field"),
        ("F7-F14", "off_field"),
        ("set D4 E5/G14", "off_field"),
        ("F7-I10 five K3-O3", "off_field"),
        ("F7-I10 five B3-E3", "no_five"),
        ("F7-I10 five B3-F4", "no_five"),
    ],
)
def test_a_turn_that_cannot_be_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(BadNotation) as refused:
        GAME.parse(text)
    assert refused.value.key == reason


def test_points_beside_the_field_are_refused_with_its_last_column_and_row() -> None:
    with pytest.raises(BadNotation) as refused:
        PRESETS[0].with_options({"size": "7"}).parse("A1-H1")
    assert refused.value.details == {"column": "G", "row": 7}
