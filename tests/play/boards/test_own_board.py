"""Boards of one's own: their set-up, their tree, and what is refused."""

from __future__ import annotations

import pytest

from play.boards.own_board import MAX_MARKS, OwnBoard, first_position, play_steps, set_up
from play.refusal import Refused
from rules.dots import Dots
from rules.game import Point, Seat
from rules.registry import make_game

RED, BLUE = Seat(0), Seat(1)


def a_board(preset: str = "zagram", size: str = "10x10") -> OwnBoard:
    game = make_game(preset, {"size": size})
    assert isinstance(game, Dots)
    return OwnBoard(game, "Cut")


def laid(board: OwnBoard, *texts: str, seat: Seat | None = None) -> OwnBoard:
    """Returns the board with one more branch, from its set-up."""
    parent = None
    for text in texts:
        board, turn = board.lay(text, parent, play_steps(board.game, board.steps(parent)), seat)
        parent = turn.id
    return board


def test_turns_alternate() -> None:
    assert [turn.seat for turn in laid(a_board(), "A1", "A2", "A3").turns] == [0, 1, 0]


def test_a_seat_may_play_out_of_turn() -> None:
    board = laid(a_board(), "A1", "A2", seat=RED)
    assert [turn.seat for turn in board.turns] == [0, 0]
    assert play_steps(board.game, board.turns).to_act == BLUE


def test_an_illegal_turn_is_refused() -> None:
    with pytest.raises(Refused, match="occupied"):
        laid(a_board(), "A1", "A1")


def test_a_set_up_says_which_dot_is_impossible() -> None:
    with pytest.raises(Refused, match="occupied"):
        set_up("zagram", "10x10", ((RED, Point(0, 0)), (BLUE, Point(0, 0))), (), RED)


def test_the_other_seat_moves_first_from_a_set_up() -> None:
    assert first_position(set_up("zagram", "10x10", (), (), BLUE)).to_act == BLUE


def test_a_note_and_marks_may_be_at_the_set_up() -> None:
    board = a_board().annotate_place(None, " why ").mark_place(None, ["circle A1", "label B2 x", "circle A1"])
    assert (board.note, board.marks) == ("why", ("circle A1", "label B2 x"))


@pytest.mark.parametrize(
    "mark", ["star A1", "label A1", "circle A1 x", "circle Z9", "circle", "label A1 \u200bx", "label A1 <script>"]
)
def test_a_made_up_mark_is_refused(mark: str) -> None:
    with pytest.raises(Refused, match="bad_mark"):
        a_board().mark_place(None, [mark])


def test_a_position_has_a_bounded_number_of_marks() -> None:
    marks = [f"circle {'ABCDEFGHJ'[k % 8]}{k // 8 + 1}" for k in range(MAX_MARKS + 1)]
    with pytest.raises(Refused, match="bad_mark"):
        a_board().mark_place(None, marks)


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
def test_a_board_has_a_name_of_some_length(name: str) -> None:
    with pytest.raises(Refused, match="bad_board_name"):
        a_board().rename(name)
