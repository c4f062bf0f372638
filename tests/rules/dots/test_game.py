"""The beginning of a game of Dots, its legal moves, and its end."""

from __future__ import annotations

import pytest

from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.game import IllegalMove, Outcome, Point, Seat, Zone
from tests.rules.dots.diagram import BLUE, RED, play_diagram

BASE = ["..A..", ".A.A.", "A.b.A", ".A.A.", "..C.."]


def start(width: int, height: int, setup: Setup, seats: int = 2) -> DotsPosition:
    return Dots(key="test", width=width, height=height, setup=setup, seats=seats).start(seed=0)


def refusal(position: DotsPosition, x: int, y: int) -> str:
    with pytest.raises(IllegalMove) as refused:
        position.play(Turn(Point(x, y)))
    return refused.value.key


def points(position: DotsPosition) -> set[tuple[int, int]]:
    return {(turn.dot.x, turn.dot.y) for turn in position.moves() if isinstance(turn, Turn)}


# The beginning


@pytest.mark.parametrize(
    ("width", "height", "left", "top"),
    [(6, 6, 2, 2), (7, 7, 2, 2), (7, 5, 2, 1), (8, 5, 3, 1), (39, 32, 18, 15), (2, 2, 0, 0), (3, 2, 0, 0)],
)
def test_a_cross_lies_in_the_middle_or_left_and_above_it(width: int, height: int, left: int, top: int) -> None:
    rows = [list("." * width) for _ in range(height)]
    rows[top][left : left + 2] = "RB"
    rows[top + 1][left : left + 2] = "BR"
    assert start(width, height, Setup.CROSS).rows() == ["".join(row) for row in rows]


def test_seat_0_begins_after_a_cross() -> None:
    assert start(6, 6, Setup.CROSS).to_act == RED


def test_after_a_cross_every_free_crossing_may_be_played() -> None:
    assert len(points(start(6, 6, Setup.CROSS))) == 32


@pytest.mark.parametrize(
    ("width", "height", "columns", "rows"),
    [(9, 9, range(3, 6), range(3, 6)), (39, 32, range(13, 26), range(10, 22)), (5, 8, range(1, 4), range(2, 6))],
)
def test_on_an_empty_field_the_first_dot_lies_in_the_central_third(
    width: int, height: int, columns: range, rows: range
) -> None:
    assert points(start(width, height, Setup.EMPTY)) == {(x, y) for x in columns for y in rows}


def test_the_first_dot_of_the_second_player_lies_in_the_central_third_as_well() -> None:
    position = start(9, 9, Setup.EMPTY).play(Turn(Point(4, 4)))
    assert points(position) == {(x, y) for x in range(3, 6) for y in range(3, 6)} - {(4, 4)}


def test_every_later_dot_may_lie_anywhere() -> None:
    position = start(9, 9, Setup.EMPTY).play(Turn(Point(4, 4))).play(Turn(Point(3, 3)))
    assert len(points(position)) == 79


@pytest.mark.parametrize(("low", "high"), [((2, 1), (5, 3)), ((-2, 6), (3, 12)), ((9, 9), (12, 12))])
def test_the_dots_within_a_part_of_the_field_are_those_of_the_whole_that_lie_there(
    low: tuple[int, int], high: tuple[int, int]
) -> None:
    position, part = start(9, 9, Setup.CROSS), Zone(Point(*low), Point(*high))
    assert [*position.moves(part)] == [move for move in position.moves() if part.contains(move.dot)]


def test_the_first_dot_may_not_lie_outside_the_central_third() -> None:
    assert refusal(start(9, 9, Setup.EMPTY), 2, 4) == "opening_zone"


def test_dots_of_a_set_up_close_bases() -> None:
    stones = ((BLUE, Point(1, 1)), *((RED, Point(x, y)) for x, y in ((1, 0), (0, 1), (2, 1), (1, 2))))
    game = Dots(key="test", width=3, height=3, setup=Setup.STONES, stones=stones)
    assert game.start(seed=0).rows() == [".R.", "RbR", ".R."]


def test_a_dot_of_a_set_up_that_falls_into_a_base_lies_there() -> None:
    ring = [(RED, Point(x, y)) for x, y in ((2, 0), (1, 1), (3, 1), (0, 2), (4, 2), (1, 3), (3, 3), (2, 4))]
    stones = ((BLUE, Point(2, 2)), *ring, (BLUE, Point(1, 2)), (RED, Point(3, 2)))
    position = Dots(key="test", width=5, height=5, setup=Setup.STONES, stones=stones).start(seed=0)
    assert position.rows() == ["..R..", ".R1R.", "RbbRR", ".R1R.", "..R.."]
    assert position.score == (2, 0)


# Playing


def test_players_move_in_turn() -> None:
    position = start(9, 9, Setup.CROSS, seats=2)
    assert position.play(Turn(Point(0, 0))).to_act == BLUE
    assert position.play(Turn(Point(0, 0))).play(Turn(Point(1, 0))).to_act == RED


def test_three_players_move_in_turn() -> None:
    position = start(9, 9, Setup.STONES, seats=3)
    turns = []
    for x in range(4):
        turns.append(position.to_act)
        position = position.play(Turn(Point(x, 0)))
    assert turns == [0, 1, 2, 0]


def test_a_base_of_one_of_three_players_takes_the_dots_of_both_others() -> None:
    position = start(4, 3, Setup.STONES, seats=3)
    dots = [(1, 1, 1), (2, 2, 1), (0, 1, 0), (0, 2, 0), (0, 0, 1), (0, 3, 1), (0, 1, 2), (0, 2, 2)]
    for seat, x, y in dots:
        position = position.with_to_act(Seat(seat)).play(Turn(Point(x, y)))
    assert position.rows() == [".RR.", "RbgR", ".RR."]
    assert position.score == (2, 0, 0)


def test_scores_go_down_when_dots_are_freed() -> None:
    before = play_diagram(["..c..", ".cBc.", "cBaBc", ".cBc.", "....."])
    assert before.score == (1, 0)
    assert before.with_to_act(BLUE).play(Turn(Point(2, 0))).score == (0, 4)


def test_a_crossing_with_a_dot_is_occupied() -> None:
    assert refusal(play_diagram(["A."]), 0, 0) == "occupied"


def test_a_crossing_with_a_prisoner_is_occupied() -> None:
    assert refusal(play_diagram(BASE), 2, 2) == "occupied"


def test_an_empty_crossing_of_a_base_cannot_be_played() -> None:
    assert refusal(play_diagram(BASE), 2, 1) == "in_base"


def test_even_its_owner_cannot_play_in_a_base() -> None:
    assert refusal(play_diagram(BASE).with_to_act(RED), 2, 1) == "in_base"


@pytest.mark.parametrize(("x", "y"), [(5, 0), (0, 5), (-1, 0), (0, -1), (1000, 1000)])
def test_a_point_outside_the_field_cannot_be_played(x: int, y: int) -> None:
    assert refusal(play_diagram(BASE), x, y) == "off_field"


def test_the_moves_are_the_free_crossings() -> None:
    assert points(play_diagram(BASE)) == {(0, 0), (1, 0), (3, 0), (4, 0), (0, 1), (4, 1)} | {
        (0, 3), (4, 3), (0, 4), (1, 4), (3, 4), (4, 4)
    }  # fmt: skip


def test_free_counts_the_free_crossings() -> None:
    assert play_diagram(BASE).free == 12


# The end


def test_a_game_with_a_free_crossing_goes_on() -> None:
    assert play_diagram(["Ab."]).outcome is None


def test_the_last_free_crossing_ends_the_game() -> None:
    assert play_diagram(["Ab"]).outcome == Outcome((RED, BLUE), "full")


def test_the_player_with_more_captures_has_won_when_the_field_is_full() -> None:
    assert play_diagram(["dAd", "AbC", "dAd"]).outcome == Outcome((RED,), "full")


def test_equal_scores_are_a_draw() -> None:
    full = play_diagram(["dAdDcD", "AbAcAc", "dAdDcD"])
    assert (full.score, full.outcome) == ((1, 1), Outcome((RED, BLUE), "full"))


def test_empty_crossings_of_a_base_do_not_keep_the_game_going() -> None:
    full = play_diagram(["ddAdd", "dA.Ad", "A.b.A", "dA.Ad", "ddCdd"])
    assert full.outcome == Outcome((RED,), "full")


def test_a_full_field_has_no_moves() -> None:
    assert points(play_diagram(["ddAdd", "dA.Ad", "A.b.A", "dA.Ad", "ddCdd"])) == set()


def test_a_game_on_one_crossing_is_drawn_after_one_dot() -> None:
    assert start(1, 1, Setup.EMPTY).play(Turn(Point(0, 0))).outcome == Outcome((RED, BLUE), "full")


def test_a_position_makes_its_picture_once() -> None:
    position = start(9, 9, Setup.CROSS)
    assert position.picture() is position.picture()
