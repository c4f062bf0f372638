"""Reading a PointsXT record, built here byte by byte by the description of the layout."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.records.pointsxt import read
from play.records.record import MAX_RECORD_BYTES, BadRecord
from play.records.sgf import read as read_sgf
from play.records.sgf import write
from rules.dots import Dots
from rules.game import Point, Seat
from rules.registry import GAMES
from tests.examples import examples

RED, BLUE = 0xFF, 0x00


def sav(*moves: tuple[int, int, int], red: str = "", blue: str = "") -> bytes:
    """Returns a record. Each move is a column, a row from the top and the player."""
    last = moves[-1][2] if moves else BLUE
    header = bytes([121]) + (len(moves) - 1 & 0xFFFF).to_bytes(2, "little") + bytes([last, last]) + bytes(6)
    names = red.ljust(9).encode("cp1251") + blue.ljust(9).encode("cp1251")
    body = b"".join(bytes([column, row, 1, player, player]) + bytes(8) for column, row, player in moves)
    return header + names + bytes(29) + body


def refusal(data: bytes) -> BadRecord:
    with pytest.raises(BadRecord) as refused:
        read(data)
    return refused.value


CROSS = ((18, 16, RED), (19, 16, BLUE), (19, 15, RED), (18, 15, BLUE))


def test_a_record_has_the_usual_page_and_no_set_up() -> None:
    record = read(sav(*CROSS))
    assert (record.width, record.height, record.stones, record.application) == (39, 32, (), "PointsXT")


def test_moves_are_counted_from_the_left_and_from_the_top() -> None:
    assert [dot.point for dot in read(sav((0, 0, RED), (38, 31, BLUE))).moves] == [Point(0, 31), Point(38, 0)]


def test_the_first_mover_is_seat_0_whatever_his_colour() -> None:
    record = read(sav((1, 1, BLUE), (2, 2, RED), (3, 3, RED), red="Ann", blue="Bob"))
    assert [dot.seat for dot in record.moves] == [Seat(0), Seat(1), Seat(1)]
    assert record.players == ("Bob", "Ann")


def test_names_are_read_in_windows_1251() -> None:
    assert read(sav(*CROSS, red="Аня", blue="Максим П.")).players == ("Аня", "Максим П.")


def test_a_record_without_moves_is_an_empty_field() -> None:
    assert read(sav(red="Ann")).moves == ()


def test_a_last_move_that_is_cut_off_behind_its_player_is_taken() -> None:
    assert len(read(sav(*CROSS)[:-9]).moves) == 4
    assert len(read(sav(*CROSS)[:-10]).moves) == 3


@pytest.mark.parametrize("data", [b"", b"y", bytes(57), b"(;GM[40]SZ[9])"])
def test_a_file_without_a_whole_header_is_refused(data: bytes) -> None:
    assert refusal(data).key == "no_sav"


def test_a_move_of_nobody_is_refused() -> None:
    assert refusal(sav((1, 1, RED), (2, 2, 7))).key == "no_sav"


@pytest.mark.parametrize("move", [(39, 0, BLUE), (0, 32, BLUE)])
def test_a_move_off_the_page_is_refused_with_its_number(move: tuple[int, int, int]) -> None:
    error = refusal(sav((1, 1, RED), move))
    assert (error.key, error.details) == ("off_field", {"number": 2, "dot": f"{move[0]},{move[1]}"})


def test_more_moves_than_crossings_are_refused() -> None:
    assert refusal(sav(*[(1, 1, RED)] * 1249)).key == "too_many"


def test_a_file_of_more_than_64_kib_is_refused() -> None:
    assert refusal(sav() + bytes(MAX_RECORD_BYTES)).key == "too_long"


def test_a_record_can_be_replayed() -> None:
    game = GAMES["zagram"]
    assert isinstance(game, Dots)
    ring = [(x, y, RED) for x, y in ((4, 5), (5, 4), (6, 5), (5, 6))]
    *_, last = read(sav((5, 5, BLUE), *ring)).replay(game)
    assert last.score == (0, 1)


def test_a_record_can_be_written_as_sgf() -> None:
    record = read(sav(*CROSS, red="Аня", blue="B]"))
    again = read_sgf(write(record))
    assert again.players == record.players
    assert [dot[:2] for dot in again.moves] == [dot[:2] for dot in record.moves]


@given(st.binary(max_size=300) | st.binary(max_size=60).map(lambda body: sav(*CROSS) + body))
@examples(2000)
def test_anything_is_read_or_refused(data: bytes) -> None:
    with suppress(BadRecord):
        read(data)
