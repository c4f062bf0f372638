"""The number of fives that a colour holds."""

from __future__ import annotations

import random

import pytest

from rules.dash.board import WAYS, Five, board, count, five_between, stretches
from rules.game import BadNotation, Point
from tests.rules.dash.brute_force import Table, largest, largest_number
from tests.rules.dash.diagrams import SYMMETRIES, Scene, Symmetry

EVERY_WAY = pytest.mark.parametrize("symmetry", SYMMETRIES)


def run(length: int, way: int, size: int = 19) -> int:
    """Returns the set of a run of stones on a field of 19x19."""
    dx, dy = WAYS[way]
    x, y = (18, 0) if dx < 0 else (0, 0)
    return board(size).bits(Point(x + dx * step, y + dy * step) for step in range(length))


@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize("length", range(1, 20))
def test_a_run_of_l_stones_holds_a_quarter_of_l_less_one(length: int, way: int) -> None:
    assert count(board(19), run(length, way)) == (length - 1) // 4


@pytest.mark.parametrize("length", range(5, 20))
def test_the_fives_of_a_run_may_be_chosen_in_every_way_that_keeps_their_number(length: int) -> None:
    (stretch,) = stretches(board(19), run(length, 0))
    rows = Table(19, "base", {(x, 0): 0 for x in range(length)}, 0).rows_of_five(0)
    chosen = {frozenset(frozenset(map(tuple, five.points)) for five in five_set) for five_set in stretch.creditings()}
    assert chosen == largest(rows)
    assert stretch.is_choice == (len(chosen) > 1)


@EVERY_WAY
@pytest.mark.parametrize(
    ("diagram", "fives"),
    [
        ("....... ....... ....... RRRRR.. ....... ....... .......", 1),
        ("....... ....... ....... RRRR.RR ....... ....... .......", 0),
        ("R...... .R..... ..R.... ...R... ....R.. ....... .......", 1),
        ("...R... ...R... ...R... RRRRRRR ...R... ...R... ...R...", 2),  # runs that cross share one stone
        ("RRRRR.. R...... R...... R...... R...... ....... .......", 2),
        ("R...R.. RR.RR.. R.R.R.. RR.RR.. R...R.. ....... .......", 4),
        ("RRRRRRR RRRRRRR RRRRRRR RRRRRRR RRRRRRR RRRRRRR RRRRRRR", 7 + 7 + 6 + 6 - 1 - 1),
    ],
)
def test_fives_in_different_directions_all_count(diagram: str, fives: int, symmetry: Symmetry) -> None:
    assert Scene(diagram, symmetry=symmetry).position.score == (fives, 0)


@EVERY_WAY
def test_nine_in_a_row_are_two_fives_that_share_the_middle_stone(symmetry: Symmetry) -> None:
    rows = ["........."] * 8 + ["RRRRRRRRR"]
    scene = Scene(" ".join(rows), symmetry=symmetry)
    assert scene.position.fives[0] == {scene.five("A1-E1"), scene.five("E1-I1")}


def test_stones_of_the_other_colour_break_a_run() -> None:
    assert Scene("RRBRRRR BBBBB.. ....... ....... ....... ....... .......").position.score == (0, 1)


def test_a_run_does_not_go_on_across_the_edge() -> None:
    for diagram in (
        "....... ....... ....... ....RRR RR..... ....... .......",
        "....... .....RR R...... .R..... ..R.... ....... .......",
    ):
        for symmetry in SYMMETRIES:
            assert Scene(diagram, symmetry=symmetry).position.score == (0, 0)


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(300))
def test_the_lines_counted_one_by_one_give_the_greatest_number_of_fives(seed: int) -> None:
    """Compares with a search that knows no lines, over all sets of fives that share at most one crossing in pairs."""
    chance = random.Random(seed)
    size = chance.choice((7, 8, 9, 12))
    stones: dict[tuple[int, int], int] = {}
    for _ in range(chance.randrange(1, 7)):
        dx, dy = chance.choice(WAYS)
        x, y, length = chance.randrange(size), chance.randrange(size), chance.randrange(4, size + 1)
        line = ((x + dx * step, y + dy * step) for step in range(length))
        stones |= {at: 0 for at in line if 0 <= at[0] < size and 0 <= at[1] < size}
    rows = Table(size, "base", stones, 0).rows_of_five(0)
    assert count(board(size), board(size).bits(Point(*at) for at in stones)) == largest_number(rows)


def test_a_five_is_named_from_its_left_or_lower_end() -> None:
    names = {str(Five(Point(4, 3), way)) for way in range(4)}
    assert names == {"E4-I4", "E4-I8", "E4-E8", "E4-A8"}


@pytest.mark.parametrize("way", range(4))
def test_a_five_is_found_by_its_ends_in_either_order(way: int) -> None:
    five = Five(Point(6, 6), way)
    assert five_between(five.points[0], five.points[4]) == five_between(five.points[4], five.points[0]) == five


@pytest.mark.parametrize("last", [(6, 6), (9, 6), (11, 6), (10, 9), (10, 8)])
def test_crossings_that_are_not_the_ends_of_a_five_are_refused(last: tuple[int, int]) -> None:
    with pytest.raises(BadNotation) as refused:
        five_between(Point(6, 6), Point(*last))
    assert refused.value.key == "no_five"
