"""Closing where nothing closes by itself: the automatic field of the search, and the areas painted and drawn."""

from __future__ import annotations

import pytest

from opponent.automatic import as_automatic, first_dot, is_first_dot
from opponent.captures import add_closings
from opponent.choice import Budget
from opponent.choose import choose
from rules.dots import Closing, Dots, Links, Scoring, Setup, Turn, Win
from rules.game import Point, point_name
from tests.rules.dots.positions import lay_out, place, turn

SURROUNDED = """
    .....
    ..A..
    .AbA.
    .....
    .....
"""
CLOSING = (2, 3)
"""The dot that closes the area round the prisoner."""

GARDEN = """
    .......
    ..AAA..
    .A...A.
    .A.b.A.
    .A...A.
    ..A.A..
    .......
"""
"""With a dot at GATE red encloses one dot and eight empty crossings."""
GATE = (3, 5)

BESIEGED = """
    ...bbb....
    ..bAAAb...
    .bA...Ab..
    .bA.b.Ab..
    .bA...Ab..
    ..bA.Ab...
    ...b.b....
    ..........
"""
"""After Red has closed their area, Blue can close a larger one round it with one dot."""

LARGE_OR_MANNED = """
    .............
    ..AAA........
    .A...A.......
    .A...A...A...
    .A...A..AbA..
    ..AbA...AbA..
    .............
"""
"""On the lowest row Red closes ten crossings with one dot, or captures two dots on two crossings. Blue saves the dots
that Red leaves."""


def test_an_automatic_position_is_returned_as_it_is() -> None:
    position = lay_out(SURROUNDED)
    assert as_automatic(position) is position


@pytest.mark.parametrize("closing", [Closing.PAINTED, Closing.DRAWN])
def test_the_twin_has_the_same_dots_and_the_same_player_to_act(closing: Closing) -> None:
    position = lay_out(SURROUNDED, closing=closing).play(Turn(Point(0, 0)))
    assert as_automatic(position).rows() == position.rows()
    assert as_automatic(position).to_act == position.to_act


def test_on_the_automatic_field_a_dot_captures() -> None:
    thought = as_automatic(lay_out(SURROUNDED, closing=Closing.DRAWN))
    assert thought.play(Turn(place(thought, CLOSING))).score == (1, 0)


def test_bases_of_the_field_are_bases_of_the_twin() -> None:
    position = lay_out(SURROUNDED, closing=Closing.DRAWN)
    drawn = position.play(turn(position, CLOSING, chains=[[(2, 2)]]))
    assert as_automatic(drawn).rows() == drawn.rows()
    assert as_automatic(drawn).score == drawn.score


def test_a_twin_is_never_over_before_the_field_is() -> None:
    position = lay_out(SURROUNDED, closing=Closing.PAINTED, win=Win(1))
    opened = position.play(Turn(place(position, CLOSING)))
    assert opened.outcome is None
    assert as_automatic(opened).outcome is None


@pytest.mark.parametrize("closing", [Closing.PAINTED, Closing.DRAWN])
def test_an_area_that_a_dot_encloses_is_closed_at_once(closing: Closing) -> None:
    position = lay_out(SURROUNDED, closing=closing)
    chosen = add_closings(position, Turn(place(position, CLOSING)))
    assert position.play(chosen).score == (1, 0)


def test_an_area_enclosed_by_far_links_is_drawn() -> None:
    position = lay_out(SURROUNDED, closing=Closing.DRAWN, links=Links.FAR)
    chosen = add_closings(position, Turn(place(position, CLOSING)))
    assert chosen.chains
    assert position.play(chosen).score == (1, 0)


def test_an_area_left_open_is_closed_with_any_dot() -> None:
    position = lay_out(SURROUNDED, closing=Closing.PAINTED)
    left_open = position.play(Turn(place(position, CLOSING))).play(Turn(Point(0, 0)))
    assert left_open.play(add_closings(left_open, Turn(Point(4, 4)))).score == (1, 0)


def test_where_territory_counts_an_area_in_no_danger_stays_open() -> None:
    position = lay_out(GARDEN, closing=Closing.PAINTED, scoring=Scoring.TERRITORY)
    dot = Turn(place(position, GATE))
    assert add_closings(position, dot) == dot


def test_where_territory_counts_an_area_that_could_be_captured_is_painted() -> None:
    position = lay_out(BESIEGED, closing=Closing.PAINTED, scoring=Scoring.TERRITORY)
    assert add_closings(position, Turn(place(position, (4, 5)))).paints


def test_where_dots_alone_count_everything_is_painted() -> None:
    position = lay_out(GARDEN, closing=Closing.PAINTED)
    assert add_closings(position, Turn(place(position, GATE))).paints


@pytest.mark.parametrize(
    ("scoring", "closing_dot", "komi"),
    [(Scoring.EVERYTHING, (3, 6), -8), (Scoring.DOTS, (9, 6), -4)],
    ids=["everything", "dots"],
)
def test_the_computer_closes_what_counts_most(scoring: Scoring, closing_dot: tuple[int, int], komi: float) -> None:
    position = lay_out(LARGE_OR_MANNED, closing=Closing.DRAWN, scoring=scoring, komi=komi)
    choice = choose(position, Budget(nodes=500), seed=0)
    assert choice.move.startswith(point_name(place(position, closing_dot)))


@pytest.mark.parametrize("closing", [Closing.PAINTED, Closing.DRAWN])
def test_where_all_that_is_free_is_closed_on_the_twin_a_dot_is_found(closing: Closing) -> None:
    position = lay_out("bA.b\nAb.A\nbAAb", closing=closing)
    left_open = position.play(Turn(place(position, (2, 0))))
    assert as_automatic(left_open).outcome
    choice = choose(left_open, Budget(nodes=10), seed=0)
    assert left_open.play(left_open.rules.parse(choice.move)).outcome


def test_a_first_dot_lies_near_the_middle_and_beside_no_other() -> None:
    position = Dots("three", 15, 15, Setup.EMPTY, seats=3).start(0)
    dots = []
    while is_first_dot(position):
        dots.append(first_dot(position))
        position = position.play(Turn(dots[-1]))
    assert dots[0] == Point(7, 7)
    assert len(dots) == 3
    assert all(max(abs(a.x - b.x), abs(a.y - b.y)) >= 2 for a in dots for b in dots if a != b)
