"""Dashes: their length, their way, and the stones that they leave behind."""

from __future__ import annotations

import pytest

from rules.dash import Variant
from tests.rules.dash.diagrams import SYMMETRIES, Scene, Symmetry, diagram_of

EVERY_WAY = pytest.mark.parametrize("symmetry", SYMMETRIES)

OPEN = """
    .......
    .......
    .......
    ...R...
    .......
    .......
    B......
"""

WALLED = """
    ........
    ........
    B.......
    ........
    ........
    ....B...
    R..B....
    RR..B..B
"""


def test_a_stone_dashes_three_crossings_in_each_of_eight_directions() -> None:
    ends = {end for _, end in Scene(OPEN).dashes()}
    assert ends == {(6, 3), (6, 6), (3, 6), (0, 6), (0, 3), (3, 0), (6, 0)}


@EVERY_WAY
def test_a_dash_leaves_two_stones_just_behind_the_one_that_moved(symmetry: Symmetry) -> None:
    after = Scene(OPEN, symmetry=symmetry).play("D4-G4").diagram()
    assert after == diagram_of("""
        .......
        .......
        .......
        ....RRR
        .......
        .......
        B......
    """)


@EVERY_WAY
def test_a_long_dash_leaves_the_crossings_before_them_empty(symmetry: Symmetry) -> None:
    after = Scene(OPEN, to_act=1, symmetry=symmetry).play("A1-G1").diagram()
    assert after == diagram_of("""
        .......
        .......
        .......
        ...R...
        .......
        .......
        ....BBB
    """)


@EVERY_WAY
def test_a_slanting_dash_leaves_them_on_the_slant(symmetry: Symmetry) -> None:
    after = Scene(OPEN, symmetry=symmetry).play("D4-G1").diagram()
    assert after == diagram_of("""
        .......
        .......
        .......
        .......
        ....R..
        .....R.
        B.....R
    """)


@EVERY_WAY
def test_the_listed_dashes_are_those_with_a_free_way(symmetry: Symmetry) -> None:
    dashes = Scene(WALLED, symmetry=symmetry).dashes()
    from_the_corner = {end for start, end in dashes if start == (0, 0)}
    assert from_the_corner == {(3, 3), (4, 4), (5, 5), (6, 6), (7, 7)}
    above = {end for start, end in dashes if start == (0, 1)}
    assert above == {(0, 4), (3, 4), (4, 5), (5, 6), (6, 7)}
    beside = {end for start, end in dashes if start == (1, 0)}
    assert beside == {(1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (4, 3), (5, 4), (6, 5), (7, 6)}


@EVERY_WAY
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("C1-C4", "no_stone"),
        ("H1-H4", "not_yours"),
        ("A2-C5", "not_straight"),
        ("A2-A2", "too_short"),
        ("A2-A4", "too_short"),
        ("A2-B3", "too_short"),
        ("A2-D2", "landing_taken"),
        ("A2-G2", "way_blocked"),
        ("B1-E1", "landing_taken"),
        ("B1-F1", "way_blocked"),
        ("A1-D1", "way_blocked"),
        ("A2-A6", "landing_taken"),
        ("A2-A8", "way_blocked"),
        ("A2-A9", "off_field"),
        ("A2-A5 five A1-E1", "no_choice"),
    ],
)
def test_a_move_that_is_no_dash_is_refused(move: str, reason: str, symmetry: Symmetry) -> None:
    assert Scene(WALLED, symmetry=symmetry).refusal(move) == reason


@EVERY_WAY
def test_a_dash_jumps_over_no_stone_not_even_to_an_empty_crossing(symmetry: Symmetry) -> None:
    scene = Scene(WALLED, Variant.SACRIFICE, symmetry=symmetry)
    assert scene.refusal("A2-E2") == "way_blocked"


def test_the_turn_passes_to_the_other_seat() -> None:
    assert Scene(OPEN).play("D4-G4").position.to_act == 1


def test_a_dash_takes_two_stones_from_the_reserve() -> None:
    scene = Scene(OPEN)
    assert scene.position.reserves == (59, 59)
    assert scene.play("D4-G4").position.reserves == (57, 59)
