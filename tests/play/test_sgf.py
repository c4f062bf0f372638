"""Reading an SGF record of Dots."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.records.record import GROUNDING, MAX_RECORD_BYTES, BadRecord, Close, Moment, Record
from play.records.sgf import read
from play.records.sgf.grammar import MAX_LINE
from play.records.sgf.reader import CLOSING_WORDS
from rules.dots import Dots
from rules.game import Outcome, Point, Seat
from rules.registry import GAMES
from tests.examples import examples

RED, BLUE = Seat(0), Seat(1)


def record(body: str, size: str = "9") -> Record:
    return read(f"(;FF[4]GM[40]SZ[{size}]{body})".encode())


def moves(body: str, size: str = "9") -> list[tuple[int, Point]]:
    return [(dot.seat, dot.point) for dot in record(body, size).moves]


def stones(body: str) -> list[tuple[int, Point]]:
    return [(dot.seat, dot.point) for dot in record(body).stones]


def moments(body: str, preset: str) -> list[Moment]:
    game = GAMES[preset]
    assert isinstance(game, Dots)
    return list(record(body).moments(game))


def scores(body: str, preset: str) -> list[tuple[float, ...]]:
    return [moment.position.score for moment in moments(body, preset)]


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


@pytest.mark.parametrize("data", ["", "(", "()", "hello", "(;GM[40]SZ[9];B[aa", "(;GM[40]SZ[9](;B[aa]"])
def test_what_is_not_sgf_is_refused(data: str) -> None:
    assert refusal(data).key == "no_sgf"


def test_a_record_of_more_than_64_kib_is_refused() -> None:
    assert refusal(b"(;GM[40]SZ[9]C[" + b"x" * MAX_RECORD_BYTES + b"])").key == "too_long"


@pytest.mark.parametrize("data", [b"(" + b";" * 10_001 + b")", b"(;GM[40]SZ[9]XX" + b"[]" * 20_001 + b")"])
def test_a_record_of_too_many_nodes_or_values_is_refused(data: bytes) -> None:
    assert refusal(data).key == "too_many"


def test_a_semicolon_in_a_comment_is_no_node() -> None:
    assert moves(f";B[aa]C[{';' * 20_000}]") == moves(";B[aa]")


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


def test_a_chain_behind_a_move_is_read_without_the_repeated_first_dot() -> None:
    (dot,) = record(";B[bb.abbacbbcab]").moves
    assert (dot.point, dot.chains) == (Point(1, 7), ((Point(0, 7), Point(1, 8), Point(2, 7), Point(1, 6)),))


def test_several_chains_may_stand_behind_a_move() -> None:
    (dot,) = record(";B[bb.abbacbbcab.bbcccd.ff]").moves
    assert [len(chain) for chain in dot.chains] == [4, 3, 1]


def test_the_source_of_a_move_does_not_show_its_chains() -> None:
    assert record(";B[bb.abbacbbcab]").moves[0].source == "B[bb]"


@pytest.mark.parametrize("value", ["bb.a", "bb.aab", "bb.a1", "bb.aa:bb"])
def test_a_chain_that_is_not_written_in_points_is_refused_with_the_number_of_its_move(value: str) -> None:
    error = refusal(f"(;GM[40]SZ[9];B[aa];W[{value}])")
    assert (error.key, error.details) == ("bad_chain", {"number": 2, "dot": "W[bb]"})


def test_clock_times_are_read_by_move_and_at_the_start_by_seat() -> None:
    read_back = record("BL[615]WL[612];W[aa]WL[600.5];B[ba];W[ca]BL[3]")
    assert read_back.remaining == (612, 615)
    assert [dot.remaining for dot in read_back.moves] == [600.5, None, None]


def test_a_clock_time_that_is_no_number_is_passed_over() -> None:
    assert record(";B[aa]BL[soon]").moves[0].remaining is None


def test_of_several_dots_in_a_node_the_last_one_has_the_time() -> None:
    assert [dot.remaining for dot in record(";B[aa][ba]BL[7]").moves] == [None, 7]


def test_what_the_header_says_is_read_as_it_is_written() -> None:
    read_back = record(r"AP[kropki\:1]RU[Stop=1]TM[600]OT[0+30]DT[2021-01-18]EV[Cup]RO[liga 1]RE[B+5]")
    texts = (read_back.application, read_back.rules, read_back.time, read_back.overtime, read_back.date)
    assert texts == ("kropki:1", "Stop=1", "600", "0+30", "2021-01-18")
    assert (read_back.event, read_back.round, read_back.result) == ("Cup", "liga 1", "B+5")


@pytest.mark.parametrize(
    ("result", "winners", "reason"),
    [
        ("0", (0, 1), "score"),
        ("Draw", (0, 1), "score"),
        ("B+12", (1,), "score"),
        ("W+", (0,), "score"),
        ("W+2.5", (0,), "score"),
        ("B+R", (1,), "resign"),
        ("W+Resign", (0,), "resign"),
        ("B+T", (1,), "time"),
        ("B+F", (1,), "forfeit"),
        ("W+G", (0,), "ground"),
        ("B", (1,), "score"),
        ("b+", (1,), "score"),
        ("B+ 3", (1,), "score"),
        ("W + 2,5", (0,), "score"),
        ("W+3 points", (0,), "score"),
        ("B+0", (0, 1), "score"),
        ("Jigo", (0, 1), "score"),
        ("B+Resignation", (1,), "resign"),
        ("W+Resign.", (0,), "resign"),
        ("W+Timeout", (0,), "time"),
        ("Black wins", (1,), "score"),
        ("White wins by resignation", (0,), "resign"),
        ("B wins on time", (1,), "time"),
        ("Black+R", (1,), "resign"),
    ],
)
def test_a_result_is_understood_by_seat(result: str, winners: tuple[int, ...], reason: str) -> None:
    outcome = record(f"RE[{result}];W[aa]").outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == (winners, reason)


@pytest.mark.parametrize("result", ["", "?", "Void", "B5", "Bob", "B+x", "B+R5", "1-0", "B+" + "9" * 5000])
def test_a_result_that_says_nothing_is_none(result: str) -> None:
    assert record(f"RE[{result}]").outcome is None


@pytest.mark.parametrize(
    ("result", "margin"),
    [
        ("B+12", 12),
        ("B+ 3", 3),
        ("W + 2,5", 2.5),
        ("W+.5", 0.5),
        ("B+0", 0),
        ("B+", None),
        ("B+.", None),
        ("B", None),
        ("B+R", None),
        ("B+٣", None),
        ("B+" + "9" * 5000, None),
    ],
)
def test_a_margin_is_a_number_of_a_few_digits(result: str, margin: float | None) -> None:
    assert record(f"RE[{result}]").margin == margin


def test_what_the_header_says_is_read_up_to_some_length() -> None:
    read_back = record(f"PB[{'x' * 5000}]RE[B+{'9' * 5000}]")
    assert (len(read_back.players[0]), len(read_back.result)) == (MAX_LINE, MAX_LINE)


def test_what_a_game_is_called_is_read_from_later_nodes_too() -> None:
    later = read(b"(;GM[40];SZ[9]PB[Ann];B[aa]PW[Bob]RE[B+R]BL[5];W[bb]PB[Eve])")
    assert (later.width, later.players, later.result) == (9, ("Ann", "Bob"), "B+R")


def test_pools_are_read_by_seat() -> None:
    pools = record(";W[aa];B[ba];TB[.abbacbbcab]TW[]").pools
    assert pools == ((), ((Point(0, 7), Point(1, 8), Point(2, 7), Point(1, 6)),))


@pytest.mark.parametrize("body", ["", "TB[aa][bb]", "TB[aa:cc]TW[dd]", "TB[.a]"])
def test_what_others_write_as_territory_is_no_pool(body: str) -> None:
    assert record(f";B[aa];{body}C[x]").pools is None


def test_the_stop_of_playdots_is_several_moves_in_one_node() -> None:
    assert [seat for seat, _ in moves(";B[aa];W[qh][qi]", size="39:32")] == [RED, BLUE, BLUE]


@pytest.mark.parametrize("result", ["", "RE[B+1]"])
@pytest.mark.parametrize("word", CLOSING_WORDS)
def test_a_game_may_end_with_a_turn_without_a_dot(word: str, result: str) -> None:
    read_back = record(f"{result};B[aa];W[{word}]")
    assert (read_back.close, len(read_back.moves)) == (Close(BLUE, word), 1)


@pytest.mark.parametrize("word", GROUNDING)
@pytest.mark.parametrize("result", ["", "RE[W+1]"])
@pytest.mark.parametrize("preset", ["zagram", "zagram-territory", "sport-territory", "zagram-no-territory", "paper"])
def test_a_grounding_at_the_end_is_played(preset: str, result: str, word: str) -> None:
    body = f"{result};B[bb];W[hh];B[{word}]"
    assert scores(body, preset) == [(0, 0), (0, 0), (0, 0), (0, 1)]
    last = moments(body, preset)[-1].position
    assert last.outcome == Outcome((BLUE,), "ground")
    assert not record(body).contradicts(last)


def test_a_grounding_frees_what_the_lost_group_has_captured() -> None:
    ring = ";B[cb];W[cc];B[bc];W[gg];B[dc];W[gh];B[cd]"
    assert scores(f"{ring};W[]", "zagram")[-2:] == [(1, 0), (3, 0)]
    assert scores(f"{ring};B[]", "zagram")[-2:] == [(1, 0), (0, 4)]


@pytest.mark.parametrize(("preset", "body"), [("two-squares", ";B[bb];W[]"), ("zagram", ";B[aa];B[ba];B[]")])
def test_a_grounding_that_changes_nothing_or_that_the_rules_do_not_know_is_left_out(preset: str, body: str) -> None:
    game = GAMES[preset]
    assert isinstance(game, Dots)
    data = f"(;GM[40]SZ[2:1]{body})" if preset == "zagram" else f"(;GM[40]SZ[9]{body})"
    *_, last = read(data.encode()).replay(game)
    assert last.score == (0, 0)


@pytest.mark.parametrize(
    ("word", "winners", "reason"),
    [
        ("resign", (0,), "resign"),
        ("time", (0,), "time"),
        ("draw", (0, 1), "score"),
        ("interrupt", None, ""),
        ("", None, ""),
    ],
)
def test_a_last_word_is_the_result_of_a_record_without_one(
    word: str, winners: tuple[int, ...] | None, reason: str
) -> None:
    outcome = record(f";B[aa];W[{word}]").outcome
    assert outcome == (None if winners is None else Outcome(tuple(map(Seat, winners)), reason))


@pytest.mark.parametrize(
    ("result", "contradicts"),
    [
        ("B+1", False),
        ("B+1.0", False),
        ("B+2", True),
        ("W+1", True),
        ("0", True),
        ("Draw", True),
        ("W+R", False),
        ("W+T", False),
        ("W+G", False),
        ("W+", False),
        ("?", False),
        ("", False),
    ],
)
def test_a_margin_that_the_board_does_not_have_is_a_contradiction(result: str, *, contradicts: bool) -> None:
    body = f"RE[{result}];B[cb];W[cc];B[bc];W[gg];B[dc];W[gh];B[cd]"
    assert record(body).contradicts(moments(body, "zagram")[-1].position) is contradicts


def test_komi_leaves_room_for_another_margin() -> None:
    body = "RE[B+3]KM[-2];B[aa]"
    assert not record(body).contradicts(moments(body, "zagram")[-1].position)


@pytest.mark.parametrize(
    ("body", "black"),
    [
        (";B[aa];W[bb]", RED),
        (";W[aa];B[bb]", BLUE),
        ("AP[zagram.org];B[aa]", RED),
        ("AP[Kropka:2];W[aa];B[bb]", BLUE),
        ("AP[Kropka];B[aa];W[bb]", BLUE),  # formerly the first player, who is Red, was Black
        ("", RED),
    ],
)
def test_black_is_blue_but_in_old_records_of_this_program(body: str, black: Seat) -> None:
    assert record(body).black == black


def test_a_turn_without_a_dot_is_refused_where_the_game_goes_on() -> None:
    error = refusal("(;GM[40]SZ[9]RE[B+1];B[aa];W[];B[bb])")
    assert (error.key, error.details) == ("no_point", {"number": 2, "dot": "W[]"})


def test_chains_are_drawn_where_the_rules_leave_it_to_the_player() -> None:
    body = "AW[bb]AB[ba][ab][cb];B[bc.baabbccb]"
    assert scores(body, "zagram-territory") == [(0, 0), (1, 0)]
    assert scores(body.replace(".baabbccb", ""), "zagram-territory") == [(0, 0), (0, 0)]


def test_recorded_chains_are_painted_where_the_rules_leave_it_to_the_player() -> None:
    assert scores("AW[bb]AB[ba][ab][cb];B[bc.baabbccb]", "sport-territory") == [(0, 0), (1, 0)]


def test_a_chain_of_a_single_point_is_the_smallest_one_round_it() -> None:
    assert scores("AW[bb]AB[ba][ab][cb];B[bc.bb]", "zagram-territory") == [(0, 0), (1, 0)]


@pytest.mark.parametrize("preset", ["zagram", "zagram-territory", "sport-territory"])
@pytest.mark.parametrize(
    ("chain", "made"),
    [("baabbccb", True), ("bccbbaab", True), ("bb", True), ("baabbcdb", False), ("dd", False), ("zzyy", False)],
)
def test_a_recorded_chain_that_the_rules_do_not_make_is_told(preset: str, chain: str, *, made: bool) -> None:
    if (preset, chain) == ("sport-territory", "bb"):
        made = False  # what should be painted is named by its chain
    *_, last = moments(f"AW[bb]AB[ba][ab][cb];B[bc.{chain}]", preset)
    assert len(last.not_made) == (not made)


def test_a_chain_may_be_recorded_later_than_it_closes() -> None:
    body = "AB[cb][bc][dc];B[cd];W[cc];B[aa.cbbccddc];W[bb]"
    assert [moment.not_made for moment in moments(body, "zagram")] == [()] * 5


def test_a_refused_chain_does_not_stop_the_others() -> None:
    *_, last = moments("AW[bb]AB[ba][ab][cb];B[bc.dddedf.baabbccb]", "zagram-territory")
    assert (len(last.not_made), last.position.score) == (1, (1, 0))


def test_variations_are_passed_over() -> None:
    assert moves(";B[aa](;W[ba](;B[ca])(;B[da]))(;W[ea])") == moves(";B[aa];W[ba];B[ca]")


def test_comments_and_unknown_properties_are_passed_over() -> None:
    assert moves(r"C[B[aa\];W[ba\])]XX[1][2];B[ca]BL[9]N[x];C[end]") == [(RED, Point(2, 8))]


def test_of_several_games_in_a_file_the_first_is_read_and_told_to_be_one_of_more() -> None:
    assert not record(";B[aa]").more_games
    several = read(b"(;GM[40]SZ[9];B[aa])(;GM[40]SZ[5];B[bb])")
    assert several == replace(record(";B[aa]"), more_games=True)


def test_odd_properties_are_left_out_and_told() -> None:
    several = record("KTV1[x]PB;B[aa]")
    assert several == replace(record(";B[aa]"), odd=("KTV1", "PB"))


def test_a_record_without_its_last_bracket_is_read_and_told() -> None:
    assert read(b"(;FF[4]GM[40]SZ[9];B[aa]\n") == replace(record(";B[aa]"), cut_off=True)


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


@pytest.mark.parametrize("value", ["a", "abc", "a1", "é", ".aabbcc", "pass"])
def test_a_pass_or_anything_else_that_is_no_crossing_is_refused_with_its_number(value: str) -> None:
    error = refusal(f"(;GM[40]SZ[9];B[aa];W[{value}])")
    assert (error.key, error.details["number"]) == ("no_point", 2)


def test_names_and_result_are_read_by_seat() -> None:
    read_back = record("PB[Ann]PW[Bob]RE[W+R];W[aa]")
    assert (read_back.players, read_back.result) == (("Bob", "Ann"), "W+R")


@pytest.mark.parametrize(
    "lines",
    [
        "[seed 5]",
        "[rules none][size 9x9][seed 5][clock 1h][started 0]",
        "[rules zagram][size 9x9][seed five][clock 1h][started 0]",
        "[rules zagram][size 9x9][seed 5][clock 1x][started 0]",
        "[rules zagram][size 9x9][seed 5][clock 1h][started 0][depth 3]",
        "[rules zagram][size 9x8][seed 5][clock 1h][started 0]",
        "[rules zagram][size 9x9][stones 0:K99 x][seed 5][clock 1h][started 0]",
        "[rules dot-dash][seed 5][clock 1h][started 0]",
    ],
)
def test_a_history_that_cannot_be_read_is_refused(lines: str) -> None:
    assert refusal(f"(;GM[40]SZ[9]KP[kropka 1]{lines})").key == "bad_history"


@pytest.mark.parametrize("turns", ["D4|D4", "hello", "Z99"])
@pytest.mark.parametrize("preset", ["zagram", "three", "four"])
def test_a_history_whose_opening_cannot_be_played_is_refused(preset: str, turns: str) -> None:
    lines = f"[rules {preset}][size 9x9][opening 12@2 {turns}][seed 5][clock 1h][started 0]"
    assert refusal(f"(;GM[40]SZ[9]KP[kropka 2]{lines})").key == "bad_history"


@pytest.mark.parametrize("line", ["", "x", "5 0", "5 0 fly", "5 9 resign", "5 0 move", "5 0 move x", "1" * 16, "5"])
def test_an_event_that_cannot_be_read_is_refused(line: str) -> None:
    heading = "[rules zagram][size 9x9][seed 5][clock 1h][started 0]"
    assert refusal(f"(;GM[40]SZ[9]KP[kropka 1]{heading};KP[{line}])").key == "bad_history"


@pytest.mark.parametrize("node", ["B[aa]KP[5 0 resign]", "B[aa]KP[5 0 move B9]", "B[aa]KP[5 1 move A9]"])
def test_an_event_that_is_not_that_of_its_node_is_refused(node: str) -> None:
    heading = "[rules zagram][size 9x9][seed 5][clock 1h][started 0]"
    assert refusal(f"(;GM[40]SZ[9]KP[kropka 1]{heading};{node})").key == "bad_history"


def test_a_property_of_our_name_with_something_else_in_it_is_passed_over() -> None:
    assert record("KP[hello];B[aa]KP[x]").history is None


def test_blanks_round_a_point_are_no_part_of_it() -> None:
    blank, plain = (read(f"(;GM[40]FF[4]SZ[9];B[{point}])".encode()) for point in (" cc", "cc"))
    assert blank.moves == plain.moves


@given(st.binary(max_size=200) | st.text("()[];BWAKPRESZGM40:.abz \\", max_size=200).map(str.encode))
@examples(2000)
def test_anything_is_read_or_refused(data: bytes) -> None:
    for file in (data, b"(;GM[40]SZ[9]" + data + b")"):
        with suppress(BadRecord):
            read(file)
