"""The names of crossings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.game import BadNotation, Point, column_name, parse_point, point_name
from rules.typed_text import plain_text
from tests.typed_moves import TABLE


@pytest.mark.parametrize(("x", "name"), [(0, "A"), (8, "I"), (25, "Z"), (26, "AA"), (38, "AM"), (51, "AZ"), (59, "BH")])
def test_columns_are_lettered_like_a_spreadsheet(x: int, name: str) -> None:
    assert column_name(x) == name


def read(text: str) -> str | None:
    try:
        return point_name(parse_point(text))
    except BadNotation:
        return None


def test_a_point_is_read_however_people_write_it_and_nothing_else_is() -> None:
    assert {typed.text: read(typed.text) for typed in TABLE} == {typed.text: typed.point for typed in TABLE}


@pytest.mark.parametrize("letter", "АВЕКМНОРСТУХ")
def test_cyrillic_letters_that_look_latin_are_read_as_them(letter: str) -> None:
    latin = dict(zip("АВЕКМНОРСТУХ", "ABEKMHOPCTYX", strict=True))[letter]
    assert parse_point(f"{letter}7") == parse_point(f"{latin}7")


@pytest.mark.parametrize("text", ["", "K", "12", "1 E 9", "C1-3", "K12 or L13", "K" * 33])
def test_a_text_that_names_no_point_is_refused(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        parse_point(text)
    assert refused.value.key == "no_point"


@given(st.builds(Point, st.integers(0, 59), st.integers(0, 59)))
def test_the_name_of_a_point_reads_back(point: Point) -> None:
    assert parse_point(point_name(point)) == point


@given(st.text(max_size=40))
def test_any_text_is_a_point_or_refused(text: str) -> None:
    try:
        point = parse_point(text)
    except BadNotation:
        return
    assert point.x >= 0
    assert point.y >= 0


@given(st.text(max_size=40))
def test_a_text_means_the_same_after_it_is_made_plain(text: str) -> None:
    assert plain_text(plain_text(text)) == plain_text(text)
