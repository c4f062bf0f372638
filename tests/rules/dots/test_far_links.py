"""Far links (docs/rules-reference.md, Far links)."""

from __future__ import annotations

import random

import pytest

from rules.dots import Closing, Dots, DotsPosition, Links, Scoring, Setup, Turn
from rules.dots.drawing import Canvas
from rules.dots.options import Reuse
from rules.game import Point
from tests.rules.dots.diagram import AS_DRAWN, BLUE, RED, Symmetry
from tests.rules.dots.positions import lay_out, place, refusal, turn

DIAMOND = [(2, 0), (0, 2), (2, 4), (4, 2)]


def far(diagram: str, symmetry: Symmetry = AS_DRAWN) -> DotsPosition:
    return lay_out(diagram, symmetry, closing=Closing.DRAWN, links=Links.FAR)


FAR = {
    "a knight's step": (
        "..A... ...... A.bA.. .A.... ...... ......",
        "..R... .-1... R1bR.. .R.... ...... .....R",
    ),
    "knight's steps alone": (
        ".A.... ...... AbA... ...... .A.... ......",
        ".R.... .1.... RbR... .1.... .R.... .....R",
    ),
    "three dots": (
        "...... AAA... AbA... AA.... ...... ......",
        "...... RRR... RbR... RR.... ...... .....R",
    ),
    "double diagonal steps over empty crossings": (
        "..A... ...... A.b.A. ...... ..A... ......",
        "..R... .-1-.. R1b1R. .-1-.. ..R... .....R",
    ),
}
"""Red's dots round one of Blue, and the field after the smallest chain round it, drawn with a dot in the corner."""


@pytest.mark.parametrize("which", FAR)
def test_far_links_capture_dots_strictly_inside(which: str, symmetry: Symmetry) -> None:
    before, after = FAR[which]
    position = far(before, symmetry)
    prey = before.split()[2].index("b"), 2
    position = position.play(turn(position, (5, 5), chains=[[prey]], symmetry=symmetry))
    assert position.rows() == symmetry.rows(after.split())
    assert position.score == (1, 0)


def test_an_empty_crossing_under_a_double_step_is_out_of_play() -> None:
    position = far(FAR["double diagonal steps over empty crossings"][0])
    position = position.play(turn(position, (5, 5), chains=[[(2, 2)]]))
    assert refusal(position, turn(position, (1, 1))) == "in_base"


def test_an_empty_crossing_under_a_double_step_does_not_count_as_inside() -> None:
    position = lay_out(
        FAR["double diagonal steps over empty crossings"][0],
        closing=Closing.DRAWN,
        links=Links.FAR,
        scoring=Scoring.EVERYTHING,
    )
    assert position.play(turn(position, (5, 5), chains=[[(2, 2)]])).score == (5, 0)


def test_a_section_longer_than_two_squares_is_refused() -> None:
    position = far("..A... ...... A.b... ...... ..A..A ......")
    assert refusal(position, turn(position, (5, 5), chains=[[(2, 0), (0, 2), (2, 4), (5, 4)]])) == "section_too_long"


def test_a_double_step_does_not_lead_over_an_enemy_dot() -> None:
    position = far("..A... .b.... A.b.A. ...... ..A... ......")
    assert refusal(position, turn(position, (5, 5), chains=[DIAMOND])) == "section_blocked"
    assert refusal(position, turn(position, (5, 5), chains=[[(2, 2)]])) == "not_enclosed"


def test_a_double_step_over_an_own_dot_is_two_steps() -> None:
    position = far("..A.. .A.A. A.b.A .A.A. .....")
    after = position.play(turn(position, (2, 4), chains=[DIAMOND]))
    (area,) = after.picture().areas
    ring = [(2, 0), (1, 1), (0, 2), (1, 3), (2, 4), (3, 3), (4, 2), (3, 1)]
    assert set(area.ring) == {place(after, at) for at in ring}


def test_far_sections_that_cross_are_refused_in_one_chain() -> None:
    position = far("A.A... ...... A.A... ...... .....b ......")
    hourglass = [(0, 0), (2, 2), (2, 0), (0, 2)]
    assert refusal(position, turn(position, (5, 5), chains=[hourglass])) == "chain_crosses_itself"


CROSSED = "...... .Aa... .aA... A.Aa.. ...... ......"
BLUE_TRIANGLE, RED_TRIANGLE = [(2, 1), (1, 2), (3, 3)], [(1, 1), (2, 3), (0, 3)]


def test_a_far_link_may_lead_between_two_dots_that_touch() -> None:
    position = far(CROSSED)
    assert position.play(turn(position, (5, 5), chains=[RED_TRIANGLE])).score == (1, 0)


def test_a_far_link_crosses_no_drawn_boundary() -> None:
    position = far(CROSSED)
    position = position.with_to_act(BLUE).play(turn(position, (5, 4), chains=[BLUE_TRIANGLE]))
    assert refusal(position, turn(position, (5, 5), chains=[RED_TRIANGLE])) == "section_blocked"


def test_the_picture_shows_a_far_chain_from_dot_to_dot() -> None:
    position = far(FAR["knight's steps alone"][0])
    after = position.play(turn(position, (5, 5), chains=[[(1, 2)]]))
    (area,) = after.picture().areas
    assert (area.seat, set(area.ring)) == (RED, {place(after, at) for at in ((1, 0), (0, 2), (1, 4), (2, 2))})


def test_a_section_does_not_run_inside_a_base() -> None:
    position = far("...AA... ..A..A.. .AA.bA.. .AbAA... ..A..... ........")
    ring = [(3, 0), (4, 0), (5, 1), (5, 2), (4, 3), (3, 3), (2, 2), (2, 1)]
    across = [(2, 1), (3, 3), (2, 4), (1, 3), (1, 2)]
    assert position.play(turn(position, (7, 5), chains=[across])).score == (1, 0)
    position = position.play(turn(position, (7, 5), chains=[ring])).with_to_act(RED)
    assert refusal(position, turn(position, (7, 4), chains=[across])) == "section_blocked"


def test_the_chain_with_the_smallest_area_is_offered(symmetry: Symmetry) -> None:
    position = far("AAAAA. A...A. A.b.A. A...A. AAAAA. ......", symmetry)
    (offer,) = position.consequences_of(place(position, (5, 5), symmetry)).offers
    assert set(offer.chain) == {place(position, at, symmetry) for at in DIAMOND}


def test_of_chains_with_the_same_area_the_one_with_the_fewest_sections_is_offered() -> None:
    position = far("..A.. ..... A.b.A ..A.. .....")
    (offer,) = position.consequences_of(place(position, (0, 4))).offers
    assert set(offer.chain) == {place(position, at) for at in ((2, 0), (0, 2), (2, 3), (4, 2))}


def test_chains_that_are_found_in_a_bounded_search_may_be_drawn() -> None:
    chance = random.Random(1)
    for _ in range(20):
        crossings = [Point(x, y) for x in range(9) for y in range(9)]
        chance.shuffle(crossings)
        stones = tuple((RED if number % 2 else BLUE, point) for number, point in enumerate(crossings[:50]))
        game = Dots("thicket", 9, 9, Setup.STONES, stones=stones, closing=Closing.DRAWN, links=Links.FAR)
        position = game.start(0)
        field = position.play(Turn(crossings[50])).field
        for _, closed in Canvas(field, RED + 1, Links.FAR, Reuse.ONE).drawable(max_steps=0):
            after = position.play(Turn(crossings[50], chains=(field.points(closed.chain),)))
            assert after.score == (sum(field.placed[cell] == BLUE + 1 for cell in closed.inside), 0)


def test_in_an_agreed_end_areas_count_only_if_they_are_drawn() -> None:
    position = far(FAR["knight's steps alone"][0])
    assert position.agreed_end().scores == (0, 0)
