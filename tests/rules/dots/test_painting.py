"""Painting and territory (docs/rules-reference.md, Painted closing and Scoring)."""

from __future__ import annotations

import pytest

from rules.dots import Closing, DotsPosition, Measure, Scoring
from rules.game import Outcome
from tests.rules.dots.diagram import AS_DRAWN, BLUE, RED, Symmetry
from tests.rules.dots.positions import lay_out, place, refusal, turn

NEARLY = """
    ..A..
    .A.A.
    A.b.A
    .A.A.
    .....
"""
CLOSING, PREY = (2, 4), (2, 2)


def painted(symmetry: Symmetry = AS_DRAWN) -> DotsPosition:
    return lay_out(NEARLY, symmetry, closing=Closing.PAINTED)


def test_a_dot_that_closes_an_area_captures_nothing_unless_it_is_painted() -> None:
    position = painted()
    assert position.play(turn(position, CLOSING)).score == (0, 0)


def test_an_area_may_be_painted_with_the_dot_that_closes_it(symmetry: Symmetry) -> None:
    position = painted(symmetry)
    after = position.play(turn(position, CLOSING, paints=[PREY], symmetry=symmetry))
    assert after.rows() == ["..R..", ".R1R.", "R1b1R", ".R1R.", "..R.."]
    assert after.score == (1, 0)


def test_an_area_that_was_left_open_may_be_painted_later(symmetry: Symmetry) -> None:
    position = painted(symmetry)
    for at in (CLOSING, (0, 0)):
        position = position.play(turn(position, at, symmetry=symmetry))
    after = position.play(turn(position, (4, 4), paints=[PREY], symmetry=symmetry))
    assert after.rows() == symmetry.rows(["B.R..", ".R1R.", "R1b1R", ".R1R.", "..R.R"])
    assert after.score == (1, 0)


def test_an_area_is_not_painted_with_the_move_of_the_other() -> None:
    position = painted()
    position = position.play(turn(position, CLOSING))
    assert refusal(position, turn(position, (0, 0), paints=[PREY])) == "nothing_to_paint"


def test_both_may_place_dots_in_an_area_that_was_left_open() -> None:
    position = painted()
    for at in (CLOSING, (2, 1), (2, 3)):
        position = position.play(turn(position, at))
    assert position.rows() == ["..R..", ".RBR.", "R.B.R", ".RRR.", "..R.."]


def test_an_area_that_would_be_paintable_is_offered_with_the_dot() -> None:
    position = painted()
    (offer,) = position.consequences_of(place(position, CLOSING)).offers
    assert (offer.point, offer.dots) == (place(position, PREY), 1)


def test_a_house_cannot_be_painted() -> None:
    position = lay_out(NEARLY.replace("b", "."), closing=Closing.PAINTED)
    assert refusal(position, turn(position, CLOSING, paints=[PREY])) == "nothing_to_paint"


def test_an_area_is_painted_once() -> None:
    position = painted()
    assert refusal(position, turn(position, CLOSING, paints=[PREY, PREY])) == "nothing_to_paint"


def test_nothing_is_drawn_where_areas_are_painted() -> None:
    position = painted()
    assert refusal(position, turn(position, CLOSING, chains=[[PREY]])) == "paints_only"


def test_at_the_end_everything_enclosed_is_painted() -> None:
    position = lay_out(".A. AbA ...", closing=Closing.PAINTED)
    for at in ((1, 2), (0, 0), (2, 0), (0, 2), (2, 2)):
        position = position.play(turn(position, at))
    assert position.outcome == Outcome((RED,), "full")
    assert position.score == (1, 0)


TERRITORY = """
    A...A......
    .A.A...bb..
    A.b.A.bA.b.
    .A.A...bb..
    AAAAA......
"""


def test_at_the_end_half_of_the_difference_in_empty_crossings_counts_for_the_player_with_more() -> None:
    position = lay_out(TERRITORY, closing=Closing.PAINTED, scoring=Scoring.TERRITORY)
    open_areas = position.play(turn(position, (2, 0)))
    assert open_areas.score == (0, 0)
    assert open_areas.agreed_end().scores == (1 + (4 - 1) / 2, 1)


def test_empty_crossings_of_an_area_that_was_painted_during_the_game_are_no_territory() -> None:
    position = lay_out(TERRITORY, closing=Closing.PAINTED, scoring=Scoring.TERRITORY)
    painted_now = position.play(turn(position, (2, 0), paints=[PREY])).with_to_act(BLUE)
    painted_now = painted_now.play(turn(position, (6, 0), paints=[(7, 2)])).with_to_act(RED)
    assert painted_now.score == (1, 1)


POCKET = """
    ..AAA..
    .A...A.
    A.A.A.A
    A.A.A.A
    A..A..A
    .A.b.A.
    ..A.A..
"""


@pytest.mark.parametrize(("measure", "dots", "inside"), [(Measure.AREA, 18, 11), (Measure.LENGTH, 16, 21)])
def test_a_painted_area_is_measured_by_the_chain_of_the_game(
    measure: Measure, dots: int, inside: int, symmetry: Symmetry
) -> None:
    position = lay_out(POCKET, symmetry, closing=Closing.PAINTED, measure=measure, scoring=Scoring.EVERYTHING)
    (offer,) = position.consequences_of(place(position, (3, 6), symmetry)).offers
    assert len(offer.chain) == dots
    after = position.play(turn(position, (3, 6), paints=[(3, 5)], symmetry=symmetry))
    assert after.score == (inside, 0)
    assert position.play(turn(position, (3, 6), symmetry=symmetry)).agreed_end().scores == (inside, 0)
