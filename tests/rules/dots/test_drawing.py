"""Drawing (docs/rules-reference.md, Drawn closing)."""

from __future__ import annotations

import pytest

from rules.dots import Closing, DotsPosition, Turn
from rules.dots.turn import parse_move
from rules.game import Outcome, parse_point
from tests.rules.dots.diagram import AS_DRAWN, BLUE, RED, Symmetry
from tests.rules.dots.positions import Place, lay_out, refusal, turn

NEARLY = """
    ..A..
    .A.A.
    A.b.A
    .A.A.
    .....
"""
CLOSING, PREY = (2, 4), (2, 2)


def drawn(diagram: str = NEARLY, symmetry: Symmetry = AS_DRAWN) -> DotsPosition:
    return lay_out(diagram, symmetry, closing=Closing.DRAWN)


def test_an_area_is_drawn_round_a_dot_that_is_named() -> None:
    position = drawn()
    after = position.play(turn(position, CLOSING, chains=[[PREY]]))
    assert after.rows() == ["..R..", ".R1R.", "R1b1R", ".R1R.", "..R.."]
    assert after.score == (1, 0)


RING = [(2, 0), (1, 1), (0, 2), (1, 3), (2, 4), (3, 3), (4, 2), (3, 1)]


def test_an_area_is_drawn_dot_by_dot() -> None:
    position = drawn()
    assert position.play(turn(position, CLOSING, chains=[RING])).score == (1, 0)


def test_dots_in_an_undrawn_area_are_not_captured() -> None:
    position = drawn()
    assert position.play(turn(position, CLOSING)).score == (0, 0)


@pytest.mark.parametrize(
    ("key", "chain"),
    [
        ("not_enclosed", [(0, 0)]),
        ("chain_repeats", [*RING, RING[0]]),
        ("chain_repeats", RING[:2]),
        ("chain_not_of_own_dots", [*RING[:-1], (2, 2)]),
        ("chain_not_of_own_dots", [*RING[:-1], (3, 0)]),
        ("chain_has_gaps", RING[:-1]),
        ("off_field", [*RING, (2, 5)]),
        ("off_field", [(5, 2)]),
    ],
)
def test_a_flawed_chain_is_refused(key: str, chain: list[Place]) -> None:
    position = drawn()
    assert refusal(position, turn(position, CLOSING, chains=[chain])) == key


def test_a_chain_that_crosses_itself_is_refused() -> None:
    position = drawn("AA.. AA.. .... ....")
    crossing = [(0, 0), (1, 1), (1, 0), (0, 1)]
    assert refusal(position, turn(position, (3, 3), chains=[crossing])) == "chain_crosses_itself"


def test_a_chain_does_not_lead_through_dots_in_a_base() -> None:
    position = drawn(".AAA... A...AA. A.AbA.A A...AA. .AAA... .......")
    position = position.play(turn(position, (6, 5), chains=[[(3, 2)]])).with_to_act(RED)
    inner = [(2, 2), (3, 1), (4, 2), (3, 3)]
    assert refusal(position, turn(position, (5, 5), chains=[inner])) == "chain_not_of_own_dots"


def test_a_chain_round_no_enemy_dot_is_refused() -> None:
    position = drawn(NEARLY.replace("b", "."))
    assert refusal(position, turn(position, CLOSING, chains=[RING])) == "chain_catches_nothing"


def test_a_chain_round_prisoners_alone_is_refused() -> None:
    position = drawn()
    position = position.play(turn(position, CLOSING, chains=[RING])).with_to_act(RED)
    assert refusal(position, turn(position, (0, 0), chains=[RING])) == "chain_catches_nothing"


def test_nothing_is_painted_where_areas_are_drawn() -> None:
    position = drawn()
    assert refusal(position, turn(position, CLOSING, paints=[PREY])) == "draws_only"


def test_nothing_is_drawn_where_areas_close_by_themselves() -> None:
    position = lay_out(NEARLY)
    assert refusal(position, turn(position, CLOSING, chains=[RING])) == "closes_by_itself"


TWO_ROOMS = """
    .AAA.
    Ab..A
    .A.bA
    ..A..
    .....
"""
INNER = [(1, 0), (0, 1), (1, 2), (2, 1)]
OUTER = [(1, 0), (0, 1), (1, 2), (2, 3), (3, 3), (4, 2), (4, 1), (3, 0), (2, 0)]


def with_inner_base() -> DotsPosition:
    position = drawn(TWO_ROOMS)
    return position.play(turn(position, (2, 1), chains=[INNER])).with_to_act(RED)


def test_a_boundary_that_shares_more_than_one_dot_with_an_older_one_inside_it_is_refused() -> None:
    position = with_inner_base()
    assert refusal(position, turn(position, (3, 3), chains=[OUTER])) == "chain_shares_too_much"


def test_a_boundary_may_share_more_dots_with_an_older_one_beside_it() -> None:
    position = with_inner_base()
    after = position.play(turn(position, (3, 3), chains=[[(3, 2)]]))
    assert after.rows() == [".RRR.", "RbR1R", ".R1bR", "..RR.", "....."]


def test_a_boundary_may_share_one_dot_with_an_older_one_inside_it() -> None:
    position = drawn(".AAAAA. A.A...A A.bA..A A.A...A A.....A A..b..A .AAAAA.")
    ring = [(2, 1), (1, 2), (2, 3), (3, 2)]
    position = position.play(turn(position, (1, 2), chains=[ring])).with_to_act(RED)
    outer = [(x, 0) for x in range(2, 6)] + [(6, y) for y in range(1, 6)] + [(x, 6) for x in range(5, 0, -1)]
    outer += [(0, y) for y in range(5, 0, -1)] + [(1, 0)]
    assert position.play(turn(position, (0, 0), chains=[outer])).score == (2, 0)
    by_one = [dot for dot in outer if dot not in ((2, 0),)]
    by_one.insert(by_one.index((1, 0)) + 1, (2, 1))
    assert position.play(turn(position, (0, 0), chains=[by_one])).score == (2, 0)


def test_a_hole_between_bases_stays_free() -> None:
    position = drawn("..A.A.. .AbAbA. A.A.A.A AbA.AbA A.A.A.A .AbAbA. ..A.A..")
    after = position.play(turn(position, (3, 2), chains=[[(2, 1)], [(4, 1)], [(1, 3)], [(5, 3)], [(2, 5)], [(4, 5)]]))
    assert after.score == (6, 0)
    assert after.rows()[3][3] == "."


def test_a_base_of_the_opponent_changes_hands_with_its_content() -> None:
    position = drawn("..A.. .AbA. AbAbA .A.A. ..A..")
    position = position.with_to_act(BLUE).play(turn(position, (2, 3), chains=[[(2, 2)]]))
    assert position.score == (0, 1)
    after = position.with_to_act(RED).play(turn(position, (0, 0), chains=[[(2, 1)]]))
    assert after.rows() == ["R.R..", ".RbR.", "RbRbR", ".RbR.", "..R.."]
    assert after.score == (4, 0)


def test_the_last_dot_in_a_closed_area_of_the_opponent_is_enclosed_without_a_draw(symmetry: Symmetry) -> None:
    position = drawn("bAAb A..A bAAb", symmetry).with_to_act(RED)
    position = position.play(turn(position, (1, 1), symmetry=symmetry))
    after = position.play(turn(position, (2, 1), symmetry=symmetry))
    assert after.rows() == symmetry.rows(["BRRB", "RRbR", "BRRB"])
    assert after.outcome == Outcome((RED,), "full")


def test_a_dot_before_the_last_in_a_closed_area_stays_alive_until_a_chain_is_drawn() -> None:
    position = drawn("bAb A.A bA.").with_to_act(BLUE)
    assert position.play(turn(position, (1, 1))).rows()[1] == "RBR"


@pytest.mark.parametrize("dash", "-‐‑‒–—−")
def test_a_typed_chain_may_have_the_dashes_of_phones_and_repeat_its_first_dot(dash: str) -> None:
    names = "D4", "E5", "F4", "E3"
    chain = tuple(map(parse_point, names))
    for typed in (names, (*names, "D4")):
        move = parse_move(f"E3 draw {dash.join(typed)} K9 {dash.join(typed)}")
        assert move == Turn(parse_point("E3"), chains=(chain, (parse_point("K9"),), chain))


@pytest.mark.parametrize(("names", "dots"), [("D4-D4", 2), ("D4-E5-D4", 2), ("D4-E5-F4-E5", 4), ("D4", 1)])
def test_only_a_ring_loses_the_dot_that_it_repeats(names: str, dots: int) -> None:
    move = parse_move(f"E3 draw {names}")
    assert isinstance(move, Turn)
    assert list(map(len, move.chains)) == [dots]
