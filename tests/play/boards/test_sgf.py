"""Boards of one's own in SGF: out and in again, and trees of other programs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.boards import sgf
from play.boards.own_board import OwnBoard, first_position, play_steps, set_up
from play.records import sgf as records
from play.records.record import MAX_RECORD_BYTES, BadRecord
from rules.dots import Dots
from rules.game import Point, Seat
from rules.registry import GAMES
from tests.play.boards.test_own_board import BLUE, RED, a_board, laid

FOREIGN = (
    b"(;FF[4]GM[40]SZ[10]PB[Ann]PW[Bob]C[first\\]\nline];B[ee]C[a cut]TR[ee]LB[ff:x];W[ef]"
    b"(;B[fe];W[ff])(;B[aa](;W[bb])(;W[cc]MA[dd])))"
)


def zagram() -> Dots:
    game = GAMES["zagram"]
    assert isinstance(game, Dots)
    return game


def grown(data: bytes) -> sgf.Grown:
    return sgf.grow(data, records.read(data), zagram())


def test_a_tree_of_another_program_is_read_with_all_its_branches() -> None:
    board = grown(FOREIGN).board
    assert [(turn.id, turn.parent, turn.text) for turn in board.turns] == [
        *((1, None, "E6"), (2, 1, "E5"), (3, 2, "F6"), (4, 3, "F5")),
        *((5, 2, "A10"), (6, 5, "B9"), (7, 5, "C8")),
    ]


def test_notes_and_marks_are_read_where_they_are() -> None:
    board = grown(FOREIGN).board
    assert board.note == "first]\nline"
    assert (board.turns[0].note, board.turns[0].marks) == ("a cut", ("triangle E6", "label F5 x"))
    assert board.turns[6].marks == ("cross D7",)


def test_a_board_with_as_many_notes_as_fit_is_read_again() -> None:
    board = OwnBoard(zagram())
    for row in "ABCDEFGHIJ":
        for column in range(1, 12):
            board, turn = board.lay(f"{row}{column}", None, first_position(board.game))
            board = board.annotate_place(turn.id, "\N{PARTY POPPER}" * 500)
    data = sgf.write(board)
    assert len(data) > MAX_RECORD_BYTES
    assert sgf.read_own(data) == (replace(board, version=0), 0)


def test_emoji_that_are_joined_stay_joined() -> None:
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}"
    own = sgf.read_own(sgf.write(replace(a_board(), note=family)))
    assert own is not None
    assert own.board.note == family


def test_a_branch_that_breaks_the_rules_is_left_out() -> None:
    found = grown(b"(;GM[40]SZ[10];B[ee](;W[ef])(;W[ee];B[aa]))")
    assert (len(found.board.turns), found.left_out) == (2, 1)


def test_a_main_line_that_breaks_the_rules_says_at_which_move() -> None:
    with pytest.raises(BadRecord) as bad:
        grown(b"(;GM[40]SZ[10];B[ee];W[ef];B[ee])")
    assert (bad.value.key, bad.value.details["number"], bad.value.details["dot"]) == ("occupied", 3, "B[ee]")


def test_a_broken_file_says_in_which_line() -> None:
    with pytest.raises(BadRecord) as bad:
        records.read(b"(;GM[40]SZ[10]\n;B[ee]\n;W[ef\n")
    assert bad.value.details["line"] == 3


@pytest.mark.parametrize("preset", ["zagram", "zagram-territory", "sport-territory", "paper", "classic", "four"])
def test_a_board_that_is_written_is_read_back(preset: str) -> None:
    board = laid(laid(a_board(preset), "D4", "D5", "D6"), "D4", "E7")
    board = board.annotate_place(2, "it\nwas ] here: \\\nand \\").mark_place(2, ["circle B2", "label C3 a:b"])
    board = board.annotate_place(None, "the beginning").mark_place(None, ["cross E5"])
    assert reread(board) == board


def test_a_set_up_with_areas_is_read_back() -> None:
    ring = [Point(3, 4), Point(2, 3), Point(4, 3), Point(3, 2)]
    stones = ((BLUE, Point(3, 3)), *((RED, point) for point in ring))
    board = OwnBoard(set_up("zagram-territory", "10x10", stones, ((RED, Point(3, 3)),), BLUE), "Ring")
    again = reread(laid(board, "A1", "B1"))
    assert first_position(again.game).score == (1, 0)
    assert again.turns[0].seat == BLUE


def test_a_stop_is_read_back() -> None:
    board = reread(laid(a_board("paper"), "D4", "E5", "stop"))
    assert play_steps(board.game, board.turns).outcome is not None


def test_other_programs_read_the_main_line_of_a_board() -> None:
    record = records.read(sgf.write(laid(a_board(), "A1", "A2")))
    assert [(dot.seat, dot.point) for dot in record.moves] == [(0, Point(0, 0)), (1, Point(0, 1))]


def test_a_thousand_branches_are_read_in_time() -> None:
    cells = [f"{column}{row}" for column in "abcdefghij" for row in "abcdefghij"]
    data = "(;GM[40]SZ[30];B[zz]" + "".join(f"(;W[{cell}](;B[kk])(;B[kl]))" for cell in cells * 5) + ")"
    assert len(grown(data.encode()).board.turns) == 1501


def test_a_deep_file_of_brackets_is_refused_or_read() -> None:
    data = b"(;GM[40]SZ[10];B[ee]" + b"(;W[ef]" * 4000 + b")" * 4001
    with pytest.raises(BadRecord):
        grown(data)


def test_seats_of_a_record_stay_where_colours_move_twice() -> None:
    board = grown(b"(;GM[40]SZ[10];B[ee];B[ef];W[aa])").board
    assert [turn.seat for turn in board.turns] == [Seat(0), Seat(0), Seat(1)]


def reread(board: OwnBoard) -> OwnBoard:
    found = sgf.read_own(sgf.write(board))
    assert found is not None
    return found.board
