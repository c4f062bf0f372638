"""Freeing and capturing again among three players."""

from __future__ import annotations

from rules.dots import Dots, DotsPosition, Setup
from rules.game import Point, Seat
from tests.rules.dots.diagram import Symmetry

HELD = """
    .........
    .........
    ...BB....
    ..BrrB...
    ...BB....
    .........
    .........
    .........
"""
SMALL_RING = """
    .........
    ...##....
    ..#..#...
    .#....#..
    .#....#..
    ..####...
    .........
    .........
"""
LARGE_RING = """
    .#######.
    #.......#
    #.......#
    #.......#
    #.......#
    #.......#
    #.......#
    .#######.
"""


def lay_out(symmetry: Symmetry, *layers: str) -> DotsPosition:
    """Returns the position after the dots of one diagram after the other: first small letters, then capitals."""
    stones = []
    for layer in layers:
        rows = symmetry.rows(layer.split())
        dots = [(letter, x, len(rows) - 1 - y) for y, row in enumerate(rows) for x, letter in enumerate(row)]
        for letter, x, y in sorted(dots, key=lambda dot: dot[0].isupper()):
            if letter != ".":
                stones.append((Seat("RBG".index(letter.upper())), Point(x, y)))
    return Dots("laid", len(rows[0]), len(rows), Setup.STONES, seats=3, stones=tuple(stones)).start(0)


def test_dots_of_one_player_are_captured_by_a_second_and_taken_by_a_third(symmetry: Symmetry) -> None:
    assert lay_out(symmetry, HELD).score == (0, 2, 0)
    taken = lay_out(symmetry, HELD, SMALL_RING.replace("#", "G"))
    rows = [".........", "...GG....", "..GbbG...", ".GbrrbG..", ".G3bb3G..", "..GGGG..."]
    assert taken.rows() == symmetry.rows([*rows, ".........", "........."])
    assert taken.score == (0, 0, 8)


def test_dots_are_freed_when_their_own_player_encloses_the_base_that_held_them(symmetry: Symmetry) -> None:
    freed = lay_out(symmetry, HELD, SMALL_RING.replace("#", "R"))
    rows = [".........", "...RR....", "..RbbR...", ".RbRRbR..", ".R1bb1R..", "..RRRR..."]
    assert freed.rows() == symmetry.rows([*rows, ".........", "........."])
    assert freed.score == (6, 0, 0)


def test_freed_dots_are_captured_again_with_the_base_that_freed_them(symmetry: Symmetry) -> None:
    again = lay_out(symmetry, HELD, SMALL_RING.replace("#", "R"), LARGE_RING.replace("#", "G"))
    rows = [".GGGGGGG.", "G33rr333G", "G3rbbr33G", "Grbrrbr3G", "Gr3bb3r3G", "G3rrrr33G", "G3333333G", ".GGGGGGG."]
    assert again.rows() == symmetry.rows(rows)
    assert again.score == (0, 0, 20)


def test_dots_held_in_two_bases_one_in_the_other_are_freed_by_a_ring_round_both(symmetry: Symmetry) -> None:
    freed = lay_out(symmetry, HELD, SMALL_RING.replace("#", "G"), LARGE_RING.replace("#", "R"))
    rows = [".RRRRRRR.", "R11gg111R", "R1gbbg11R", "RgbRRbg1R", "Rg1bb1g1R", "R1gggg11R", "R1111111R", ".RRRRRRR."]
    assert freed.rows() == symmetry.rows(rows)
    assert freed.score == (18, 0, 0)
