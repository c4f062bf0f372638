"""Captures (docs/rules-reference.md) as diagrams (see tests/rules/dots/diagram.py), each in all eight symmetries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rules.dots.diagram import SYMMETRIES, Symmetry, play_diagram, sides

if TYPE_CHECKING:
    from collections.abc import Callable

    Becomes = Callable[[str], tuple[float, ...]]


@pytest.fixture(params=SYMMETRIES, ids=str)
def becomes(request: pytest.FixtureRequest) -> Becomes:
    """Asserts that the left side of a diagram becomes the right side, and returns the scores."""
    symmetry: Symmetry = request.param

    def check(diagram: str) -> tuple[float, ...]:
        plies, result = sides(diagram)
        position = play_diagram(plies, symmetry)
        assert position.rows() == symmetry.rows(result)
        return position.score

    return check


def test_four_dots_around_a_dot_capture_it(becomes: Becomes) -> None:
    score = becomes("""
        .A.   .R.
        AbA   RbR
        .C.   .R.
    """)
    assert score == (1, 0)


def test_blue_captures_as_red_does(becomes: Becomes) -> None:
    score = becomes("""
        .a.   .B.
        aBa   BrB
        .c.   .B.
    """)
    assert score == (0, 1)


def test_an_open_chain_captures_nothing(becomes: Becomes) -> None:
    score = becomes("""
        ..A..   ..R..
        .A...   .R...
        A.b.A   R.B.R
        .A.A.   .R.R.
        ..C..   ..R..
    """)
    assert score == (0, 0)


def test_a_chain_may_mix_straight_and_diagonal_steps(becomes: Becomes) -> None:
    score = becomes("""
        ..AA..   ..RR..
        .A..A.   .R11R.
        A.bb.C   R1bb1R
        A.b.A.   R1b1R.
        .AAA..   .RRR..
    """)
    assert score == (3, 0)


def test_an_enemy_line_that_touches_diagonally_does_not_hold_a_chain_apart(becomes: Becomes) -> None:
    score = becomes("""
        bA..   BR..
        AbA.   RbR.
        .Cb.   .RB.
    """)
    assert score == (1, 0)


def test_the_edge_encloses_nothing(becomes: Becomes) -> None:
    score = becomes("""
        .....   .....
        ..A..   ..R..
        .AbC.   .RBR.
    """)
    assert score == (0, 0)


def test_the_corner_encloses_nothing(becomes: Becomes) -> None:
    score = becomes("""
        bA..   BR..
        C...   R...
        ....   ....
    """)
    assert score == (0, 0)


def test_a_chain_may_run_along_the_edge(becomes: Becomes) -> None:
    score = becomes("""
        AAA   RRR
        AbA   RbR
        AAC   RRR
    """)
    assert score == (1, 0)


def test_empty_crossings_of_a_base_are_out_of_play(becomes: Becomes) -> None:
    score = becomes("""
        ..A..   ..R..
        .A.A.   .R1R.
        A.b.A   R1b1R
        .A.A.   .R1R.
        ..C..   ..R..
    """)
    assert score == (1, 0)


def test_a_base_takes_all_groups_inside(becomes: Becomes) -> None:
    score = becomes("""
        .AAAA.   .RRRR.
        A.b.bA   R1b1bR
        Ab..bA   Rb11bR
        .AAAC.   .RRRR.
    """)
    assert score == (4, 0)


def test_own_dots_inside_a_base_stay_alive(becomes: Becomes) -> None:
    score = becomes("""
        ..AAA..   ..RRR..
        .A...A.   .R111R.
        A..A.bA   R11R1bR
        .A...A.   .R111R.
        ..AAC..   ..RRR..
    """)
    assert score == (1, 0)


def test_own_dots_inside_that_shorten_the_chain_become_part_of_it(becomes: Becomes) -> None:
    score = becomes("""
        ..A..   ..R..
        .AAA.   .RRR.
        A.b.A   R1b1R
        .A.A.   .R1R.
        ..C..   ..R..
    """)
    assert score == (1, 0)


def test_an_enclosure_without_enemy_dots_is_a_house_and_nothing_happens(becomes: Becomes) -> None:
    score = becomes("""
        ..A..   ..R..
        .A.A.   .R.R.
        A...A   R...R
        .A.A.   .R.R.
        ..C..   ..R..
    """)
    assert score == (0, 0)


def test_a_player_may_place_dots_in_their_own_house(becomes: Becomes) -> None:
    score = becomes("""
        ..A..   ..R..
        .A.A.   .R.R.
        A.B.A   R.R.R
        .A.A.   .R.R.
        ..A..   ..R..
    """)
    assert score == (0, 0)


def test_a_dot_in_an_enemy_house_is_captured_at_once_with_the_whole_house(becomes: Becomes) -> None:
    score = becomes("""
        ..A..   ..R..
        .A.A.   .R1R.
        A..bA   R11bR
        .A.A.   .R1R.
        ..A..   ..R..
    """)
    assert score == (1, 0)


def test_a_dot_in_an_enemy_house_that_completes_an_enclosure_takes_part_of_the_house(becomes: Becomes) -> None:
    score = becomes("""
        ...A..   ...R..
        .bA.A.   .BR.R.
        bAc..A   BrB..R
        .bA.A.   .BR.R.
        ...A..   ...R..
    """)
    assert score == (0, 1)


def test_a_dot_in_an_enemy_house_of_one_crossing_may_capture_across_both_walls(becomes: Becomes) -> None:
    score = becomes("""
        .....   .....
        .bAb.   .BRB.
        bAcAb   BrBrB
        .bAb.   .BRB.
        .....   .....
    """)
    assert score == (0, 2)


def test_an_enclosure_through_a_house_leaves_the_rest_of_the_wall_alive(becomes: Becomes) -> None:
    score = becomes("""
        ..b..   ..B..
        .bAb.   .BrB.
        .AcA.   .RBR.
        ..A..   ..R..
    """)
    assert score == (0, 1)


def test_a_base_that_is_enclosed_frees_the_dots_it_held(becomes: Becomes) -> None:
    score = becomes("""
        ..c..   ..B..
        .cBc.   .BrB.
        cBaBc   BrBrB
        .cBc.   .BrB.
        ..d..   ..B..
    """)
    assert score == (0, 4)


def test_before_it_is_enclosed_the_base_holds_its_dot(becomes: Becomes) -> None:
    score = becomes("""
        ..c..   ..B..
        .cBc.   .BRB.
        cBaBc   BRbRB
        .cBc.   .BRB.
        .....   .....
    """)
    assert score == (1, 0)


def test_freed_dots_are_captured_again_with_the_base_that_freed_them(becomes: Becomes) -> None:
    score = becomes("""
        ...E...   ...R...
        ..EcE..   ..RbR..
        .EcBcE.   .RbRbR.
        EcBaBcE   RbRbRbR
        .EcBcE.   .RbRbR.
        ..EdE..   ..RbR..
        ...F...   ...R...
    """)
    assert score == (9, 0)


def test_empty_crossings_of_an_enclosed_base_change_their_owner(becomes: Becomes) -> None:
    score = becomes("""
        ...cc...   ...BB...
        ..cBBc..   ..BrrB..
        .cB.aBc.   .Br2BrB.
        ..cBBc..   ..BrrB..
        ...dc...   ...BB...
    """)
    assert score == (0, 6)


def test_a_base_may_lie_inside_a_base(becomes: Becomes) -> None:
    score = becomes("""
        .AAAAA.   .RRRRR.
        A.....A   R11111R
        A..A..A   R11R11R
        A.AbA.A   R1RbR1R
        A..A..A   R11R11R
        A....cA   R1111bR
        .AAAAD.   .RRRRR.
    """)
    assert score == (2, 0)


def test_a_base_in_a_house_does_not_make_the_house_a_base(becomes: Becomes) -> None:
    score = becomes("""
        .AAAAA.   .RRRRR.
        A.....A   R.....R
        A..A..A   R..R..R
        A.AbA.A   R.RbR.R
        A..C..A   R..R..R
        A.....A   R.....R
        .AAAAD.   .RRRRR.
    """)
    assert score == (1, 0)


def test_a_ring_that_hangs_inside_by_one_dot_is_swallowed(becomes: Becomes) -> None:
    score = becomes("""
        .AAA.AAA.   .RRR.RRR.
        A...A...A   R111R111R
        A..A.A..A   R11R1R11R
        A...A...A   R111R111R
        A.b.....A   R1b11111R
        .AAAAAAC.   .RRRRRRR.
    """)
    assert score == (1, 0)


def test_a_pocket_that_shares_two_dots_with_the_chain_stays_outside(becomes: Becomes) -> None:
    score = becomes("""
        .AAAAA.   .RRRRR.
        A.A.A.A   R1R.R1R
        A..A..A   R11R11R
        A..b..A   R11b11R
        .AAAAC.   .RRRRR.
    """)
    assert score == (1, 0)


def test_in_the_disputed_position_the_smallest_area_leaves_the_pocket_on_top_a_house(becomes: Becomes) -> None:
    score = becomes("""
        ..AAA..   ..RRR..
        .A...A.   .R...R.
        A.A.A.A   R1R.R1R
        A.A.A.A   R1R.R1R
        A..A..A   R11R11R
        .A.b.A.   .R1b1R.
        ..ACA..   ..RRR..
    """)
    assert score == (1, 0)


def test_a_dot_may_close_two_enclosures(becomes: Becomes) -> None:
    score = becomes("""
        .A.A.   .R.R.
        AbCbA   RbRbR
        .A.A.   .R.R.
    """)
    assert score == (2, 0)


def test_of_two_enclosures_made_at_once_only_those_that_hold_enemy_dots_become_bases(becomes: Becomes) -> None:
    score = becomes("""
        .A.A.   .R.R.
        AbC.A   RbR.R
        .A.A.   .R.R.
    """)
    assert score == (1, 0)


def test_the_smaller_of_two_enclosures_takes_its_dots_first_and_leaves_the_larger_one_a_house(becomes: Becomes) -> None:
    score = becomes("""
        .AAA.AAA.   .RRR.RRR.
        A...C...A   R...R...R
        A..AbA..A   R..RbR..R
        A...A...A   R...R...R
        A.......A   R.......R
        .AAAAAAA.   .RRRRRRR.
    """)
    assert score == (1, 0)


def test_a_larger_enclosure_made_at_once_swallows_the_smaller_house(becomes: Becomes) -> None:
    score = becomes("""
        .AAA.AAA.   .RRR.RRR.
        A...C...A   R111R111R
        A..A.A..A   R11R1R11R
        A...A...A   R111R111R
        A.b.....A   R1b11111R
        .AAAAAAA.   .RRRRRRR.
    """)
    assert score == (1, 0)


def test_both_of_two_nested_enclosures_made_at_once_take_their_dots(becomes: Becomes) -> None:
    score = becomes("""
        .AAA.AAA.   .RRR.RRR.
        A...C...A   R111R111R
        A..AbA..A   R11RbR11R
        A...A...A   R111R111R
        A.b.....A   R1b11111R
        .AAAAAAA.   .RRRRRRR.
    """)
    assert score == (2, 0)


def test_of_nested_houses_that_share_a_dot_the_inner_one_takes_a_dot_that_enters_it(becomes: Becomes) -> None:
    score = becomes("""
        .AAA.AAA.   .RRR.RRR.
        A...A...A   R...R...R
        A..AbA..A   R..RbR..R
        A...A...A   R...R...R
        A.......A   R.......R
        .AAAAAAA.   .RRRRRRR.
    """)
    assert score == (1, 0)


def test_of_nested_houses_that_share_a_dot_the_outer_one_takes_a_dot_that_enters_it_with_all_inside(
    becomes: Becomes,
) -> None:
    score = becomes("""
        .AAA.AAA.   .RRR.RRR.
        A...A...A   R111R111R
        A..A.A..A   R11R1R11R
        A...A...A   R111R111R
        A......bA   R111111bR
        .AAAAAAA.   .RRRRRRR.
    """)
    assert score == (1, 0)


def test_captured_dots_close_no_chain(becomes: Becomes) -> None:
    score = becomes("""
        .Ac..   .RB..
        AbAc.   RbRB.
        .Ad..   .RB..
    """)
    assert score == (1, 0)
