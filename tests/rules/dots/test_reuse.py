"""How many dots of older lines a drawn chain may use again (docs/rules-reference.md, Drawn closing)."""

from __future__ import annotations

import pytest

from rules.dots import Closing, DotsPosition, Links, Reuse, Scoring
from rules.game import Outcome
from tests.rules.dots.diagram import AS_DRAWN, BLUE, RED, Symmetry
from tests.rules.dots.positions import Place, lay_out, refusal, turn

TWO_ROOMS = """
    ..AAA..
    .Ab.b..
    ..AAA..
    .......
"""
INNER = [(2, 0), (1, 1), (2, 2), (3, 1)]
OUTER = [(2, 0), (1, 1), (2, 2), (3, 2), (4, 2), (5, 1), (4, 0), (3, 0)]


def with_inner_base(reuse: Reuse, symmetry: Symmetry = AS_DRAWN, scoring: Scoring = Scoring.DOTS) -> DotsPosition:
    position = lay_out(TWO_ROOMS, symmetry, closing=Closing.DRAWN, reuse=reuse, scoring=scoring)
    return position.play(turn(position, (3, 1), chains=[INNER], symmetry=symmetry)).with_to_act(RED)


def test_under_any_a_new_line_uses_any_number_of_dots_of_an_older_one(symmetry: Symmetry) -> None:
    position = with_inner_base(Reuse.ANY, symmetry, Scoring.EVERYTHING)
    assert position.score == (1, 0)
    after = position.play(turn(position, (5, 1), chains=[OUTER], symmetry=symmetry))
    assert after.rows() == symmetry.rows(["..RRR..", ".RbRbR.", "..RRR..", "......."])
    assert after.score == (3, 0)


@pytest.mark.parametrize(("reuse", "key"), [(Reuse.ONE, "chain_shares_too_much"), (Reuse.NONE, "chain_shares_a_dot")])
def test_a_line_that_shares_more_than_the_rules_allow_is_refused(reuse: Reuse, key: str, symmetry: Symmetry) -> None:
    position = with_inner_base(reuse, symmetry)
    assert refusal(position, turn(position, (5, 1), chains=[OUTER], symmetry=symmetry)) == key


HANGING = ".AAAAA. A.A...A A.bA..A A.A...A A.....A A..b..A .AAAAA."
RING: list[Place] = [(2, 1), (1, 2), (2, 3), (3, 2)]
ROUND = [(x, 0) for x in range(2, 6)] + [(6, y) for y in range(1, 6)] + [(x, 6) for x in range(5, 0, -1)]
ROUND += [(0, y) for y in range(5, 0, -1)] + [(1, 0)]
SHARING = [*(dot for dot in ROUND if dot != (2, 0)), (2, 1)]


@pytest.mark.parametrize("reuse", Reuse)
def test_a_single_shared_dot_is_one_too_many_only_where_there_may_be_none(reuse: Reuse, symmetry: Symmetry) -> None:
    position = lay_out(HANGING, symmetry, closing=Closing.DRAWN, reuse=reuse)
    position = position.play(turn(position, (1, 2), chains=[RING], symmetry=symmetry)).with_to_act(RED)
    assert position.play(turn(position, (0, 0), chains=[ROUND], symmetry=symmetry)).score == (2, 0)
    sharing = turn(position, (0, 0), chains=[SHARING], symmetry=symmetry)
    if reuse is Reuse.NONE:
        assert refusal(position, sharing) == "chain_shares_a_dot"
    else:
        assert position.play(sharing).score == (2, 0)


def test_a_step_between_two_dots_of_a_base_that_leads_through_it_is_refused(symmetry: Symmetry) -> None:
    diagram = """
        .AA.AA.
        Ab.A.bA
        Ab.A.bA
        .AA.AA.
        .......
    """
    base: list[Place] = [(1, 0), (0, 1), (0, 2), (1, 3), (2, 3), (3, 2), (4, 3), (5, 3), (6, 2), (6, 1), (5, 0), (4, 0)]
    base += [(3, 1), (2, 0)]
    position = lay_out(diagram, symmetry, closing=Closing.DRAWN, reuse=Reuse.ANY)
    position = position.play(turn(position, (6, 4), chains=[base], symmetry=symmetry))
    position = position.with_to_act(BLUE).play(turn(position, (0, 4), symmetry=symmetry)).with_to_act(RED)
    half: list[Place] = [(1, 0), (0, 1), (0, 2), (1, 3), (2, 3), (3, 2), (3, 1), (2, 0)]
    assert refusal(position, turn(position, (0, 0), chains=[half], symmetry=symmetry)) == "section_blocked"


FAR = """
    .......
    ..A.A..
    .......
    .Ab.bA.
    .......
    ..A.A..
    .......
"""


def test_far_links_use_the_dots_of_an_older_line_again(symmetry: Symmetry) -> None:
    left: list[Place] = [(2, 1), (1, 3), (2, 5), (3, 3)]
    whole: list[Place] = [(2, 1), (1, 3), (2, 5), (4, 5), (5, 3), (4, 1)]
    found = {}
    for reuse in (Reuse.ONE, Reuse.ANY):
        position = lay_out(FAR, symmetry, closing=Closing.DRAWN, links=Links.FAR, reuse=reuse)
        position = position.play(turn(position, (3, 3), chains=[left], symmetry=symmetry)).with_to_act(RED)
        assert position.score == (1, 0)
        larger = turn(position, (0, 0), chains=[whole], symmetry=symmetry)
        found[reuse] = refusal(position, larger) if reuse is Reuse.ONE else position.play(larger).score
    assert found == {Reuse.ONE: "chain_shares_too_much", Reuse.ANY: (2, 0)}


LAST = "bAAb A..A bAAb"


@pytest.mark.parametrize("reuse", Reuse)
def test_the_last_dot_is_enclosed_by_itself_in_zagrams_rules_alone(reuse: Reuse, symmetry: Symmetry) -> None:
    position = lay_out(LAST, symmetry, closing=Closing.DRAWN, reuse=reuse).with_to_act(RED)
    position = position.play(turn(position, (1, 1), symmetry=symmetry))
    after = position.play(turn(position, (2, 1), symmetry=symmetry))
    if reuse is Reuse.ANY:
        assert after.rows() == symmetry.rows(["BRRB", "RRBR", "BRRB"])
        assert after.outcome == Outcome((RED, BLUE), "full")
    else:
        assert after.rows() == symmetry.rows(["BRRB", "RRbR", "BRRB"])
        assert after.outcome == Outcome((RED,), "full")
