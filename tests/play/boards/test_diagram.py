"""Positions in letters."""

from __future__ import annotations

import pytest

from play.boards import diagram
from play.boards.own_board import first_position, play_steps
from play.refusal import Refused
from presentation.match.crops import text_board
from tests.play.boards.test_own_board import a_board, laid

RING = ["..........", ".R...BBB..", "RbR..B1B..", ".R...BBB..", *[".........."] * 6]


@pytest.mark.parametrize("preset", ["zagram-territory", "sport-territory"])
def test_a_diagram_with_areas_becomes_a_set_up(preset: str) -> None:
    rows = [*RING]
    rows[2] = "RbR..B2B.."
    assert first_position(diagram.read("\n".join(rows).replace("2", "r"), preset).game).rows()[2] == "RbR..BrB.."


def test_captured_dots_are_captured_where_areas_close_by_themselves() -> None:
    text = "\n".join([".R...", "RbR..", ".R...", ".....", "....."])
    assert first_position(diagram.read(text, "zagram").game).score == (1, 0)


def test_what_kropka_prints_is_read() -> None:
    board = laid(a_board(), "A1", "B2", "C3")
    position = play_steps(board.game, board.turns)
    printed = text_board(position)[0]
    assert first_position(diagram.read(printed, "zagram").game).rows() == position.rows()


def test_a_row_that_is_none_is_named() -> None:
    with pytest.raises(Refused) as refused:
        diagram.read(".....\n.....\n..x..\n.....\n.....", "zagram")
    assert (refused.value.key, refused.value.details["line"]) == ("bad_diagram", 3)


def test_a_position_that_no_dots_give_names_a_crossing() -> None:
    with pytest.raises(Refused) as refused:
        diagram.read("\n".join([".....", ".b...", ".....", ".....", "....."]), "zagram")
    assert (refused.value.key, refused.value.details["point"]) == ("diagram_differs", "B4")
