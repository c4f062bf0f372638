"""What is read from an SGF record of Dots."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from play.record import BadRecord, Record
from play.sgf import MOST_BYTES, read
from rules.game import Point, Seat

RED, BLUE = Seat(0), Seat(1)


def record(body: str, size: str = "9") -> Record:
    return read(f"(;FF[4]GM[40]SZ[{size}]{body})".encode())


def moves(body: str, size: str = "9") -> list[tuple[int, Point]]:
    return [(dot.seat, dot.point) for dot in record(body, size).moves]


def stones(body: str) -> list[tuple[int, Point]]:
    return [(dot.seat, dot.point) for dot in record(body).stones]


def refusal(data: str | bytes) -> BadRecord:
    with pytest.raises(BadRecord) as refused:
        read(data if isinstance(data, bytes) else data.encode())
    return refused.value


def test_rows_are_counted_from_the_top_and_columns_from_the_left() -> None:
    assert moves(";B[ba]", size="3:2") == [(RED, Point(1, 1))]


def test_capital_letters_follow_the_small_ones() -> None:
    assert moves(";B[ZA]", size="52") == [(RED, Point(51, 25))]


@pytest.mark.parametrize(("text", "size"), [("39:32", (39, 32)), ("30", (30, 30)), ("1", (1, 1)), ("52:1", (52, 1))])
def test_the_field_may_be_square_or_not(text: str, size: tuple[int, int]) -> None:
    read_back = record("", size=text)
    assert (read_back.width, read_back.height) == size


@pytest.mark.parametrize("text", ["", "0", "53", "5:53", "5:", ":5", "-5", "5x5", "999999999", "5:5:5"])
def test_a_field_without_a_size_that_letters_can_name_is_refused(text: str) -> None:
    assert refusal(f"(;GM[40]SZ[{text}])").key == "no_size"


def test_a_record_without_size_is_refused() -> None:
    assert refusal("(;GM[40];B[aa])").key == "no_size"


@pytest.mark.parametrize("game", ["", "GM[1]", "GM[4]", "GM[40x]"])
def test_records_of_other_games_are_refused(game: str) -> None:
    assert refusal(f"(;FF[4]{game}SZ[9];B[aa])").key == "no_dots"


@pytest.mark.parametrize("data", ["", "(", "()", "hello", "(;GM[40]SZ[9];B[aa]", "(;GM[40]SZ[9];B)", "(;GM[40]SZ[9"])
def test_what_is_not_sgf_is_refused(data: str) -> None:
    assert refusal(data).key == "no_sgf"


def test_a_record_of_more_than_64_kib_is_refused() -> None:
    assert refusal(b"(;GM[40]SZ[9]C[" + b"x" * MOST_BYTES + b"])").key == "too_long"


def test_the_first_mover_is_seat_0_whatever_the_colour() -> None:
    assert moves(";W[aa];B[ba]") == [(RED, Point(0, 8)), (BLUE, Point(1, 8))]


def test_the_first_mover_is_seat_0_whatever_pl_says() -> None:
    assert moves("PL[W];B[aa]") == [(RED, Point(0, 8))]


def test_without_moves_pl_tells_who_is_seat_0() -> None:
    assert stones("PL[W]AB[aa]") == [(BLUE, Point(0, 8))]


def test_without_moves_and_pl_black_is_seat_0() -> None:
    assert stones("AW[aa]AB[ba]") == [(BLUE, Point(0, 8)), (RED, Point(1, 8))]


def test_several_dots_of_one_colour_may_follow_each_other() -> None:
    assert [seat for seat, _ in moves(";B[aa];B[ba];W[ca];W[da]")] == [RED, RED, BLUE, BLUE]


def test_several_moves_in_one_node_are_read_in_their_order() -> None:
    assert moves(";B[aa]W[ba]B[ca]") == [(RED, Point(0, 8)), (BLUE, Point(1, 8)), (RED, Point(2, 8))]


def test_the_chain_behind_a_move_is_passed_over() -> None:
    assert moves(";B[bb.abbacbbcab]") == [(RED, Point(1, 7))]


def test_variations_are_passed_over() -> None:
    assert moves(";B[aa](;W[ba](;B[ca])(;B[da]))(;W[ea])") == moves(";B[aa];W[ba];B[ca]")


def test_comments_and_unknown_properties_are_passed_over() -> None:
    assert moves(r"C[B[aa\];W[ba\])]XX[1][2];B[ca]BL[9]N[x];C[end]") == [(RED, Point(2, 8))]


def test_only_the_first_game_of_a_collection_is_read() -> None:
    assert read(b"(;GM[40]SZ[9];B[aa])(;GM[40]SZ[5];B[bb])") == record(";B[aa]")


def test_a_byte_order_mark_does_not_matter() -> None:
    assert read("\ufeff(;GM[40]SZ[9];B[aa])".encode()) == record(";B[aa]")


def test_a_rectangle_of_set_up_is_read_row_by_row() -> None:
    assert [tuple(point) for _, point in stones("AB[bb:cc]")] == [(1, 7), (2, 7), (1, 6), (2, 6)]


def test_the_set_up_keeps_the_order_of_the_record() -> None:
    assert [seat for seat, _ in stones("AB[aa]AW[ba]AB[ca];PL[B]")] == [RED, BLUE, RED]


def test_the_set_up_of_a_node_comes_before_its_moves() -> None:
    assert (stones("B[aa]AB[bb]"), moves("B[aa]AB[bb]")) == ([(RED, Point(1, 7))], [(RED, Point(0, 8))])


def test_a_second_dot_of_the_set_up_on_one_crossing_is_refused() -> None:
    error = refusal("(;GM[40]SZ[9]AB[aa]AW[ab:ba][aa])")
    assert (error.key, error.details) == ("occupied", {"dot": "AW[ab:ba]", "point": "A9"})


def test_set_up_outside_the_field_is_refused() -> None:
    error = refusal("(;GM[40]SZ[9]AB[ii:jj])")
    assert (error.key, error.details) == ("off_field", {"dot": "AB[ii:jj]"})


@pytest.mark.parametrize("value", ["", "a", "aaa", "a1", "aa:", "aa:bb:cc"])
def test_set_up_that_names_no_crossing_is_refused(value: str) -> None:
    assert refusal(f"(;GM[40]SZ[9]AB[{value}])").key == "no_point"


def test_set_up_after_the_first_move_is_refused() -> None:
    assert refusal("(;GM[40]SZ[9];B[aa];AW[bb])").key == "late_set_up"


def test_taking_dots_off_the_field_is_refused() -> None:
    assert refusal("(;GM[40]SZ[9]AB[aa];AE[aa])").key == "erases"


@pytest.mark.parametrize("value", ["", "a", "abc", "a1", "é", ".aabbcc"])
def test_a_pass_or_anything_else_that_is_no_crossing_is_refused_with_its_number(value: str) -> None:
    error = refusal(f"(;GM[40]SZ[9];B[aa];W[{value}])")
    assert (error.key, error.details["number"]) == ("no_point", 2)


def test_names_and_result_are_read_by_seat() -> None:
    read_back = record("PB[Ann]PW[Bob]RE[W+R];W[aa]")
    assert (read_back.players, read_back.result) == (("Bob", "Ann"), "W+R")


def test_names_are_read_in_the_character_set_of_the_record() -> None:
    assert read("(;GM[40]SZ[9]CA[koi8-r]PB[Аня])".encode("koi8-r")).players == ("Аня", "")


def test_names_without_a_known_character_set_are_latin_1() -> None:
    assert read("(;GM[40]SZ[9]CA[hex]PB[Zoë])".encode("latin-1")).players == ("Zoë", "")


def test_a_damaged_record_is_read_or_refused_but_never_fails_otherwise() -> None:
    chance = random.Random(1)
    whole = b"(;FF[4]GM[40]CA[UTF-8]SZ[9:7]AB[aa][bb:cc]AW[dd]PB[x]PL[W];B[ee.eeff]BL[1];W[fg](;B[ab]C[\\]])(;B[ac]))"
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 3)] = chance.choice(
                (b"", b"]", b"[", b"(", b")", b";", b":", b"\\", b"\xff")
            )
        with suppress(BadRecord):
            read(bytes(data))
