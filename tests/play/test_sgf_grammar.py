"""The grammar of SGF, whatever its properties mean."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.records.record import MAX_RECORD_BYTES, BadRecord
from play.records.sgf.grammar import MAX_NODES, MAX_ODD, MAX_VALUES, Node, escape, header, main_line, text
from tests.calls import count_calls


def reason(data: str) -> str:
    with pytest.raises(BadRecord) as refused:
        main_line(data)
    return refused.value.key


names = st.text("ABCWKP", min_size=1, max_size=3)
values = st.text(max_size=12).map(lambda raw: raw.replace("\\", "\\\\").replace("]", "\\]"))
sequences = st.lists(st.lists(st.tuples(names, st.lists(values, min_size=1, max_size=3)), max_size=3), min_size=1)
blanks = st.sampled_from(["", " ", "\r\n", "\t\n "])


def written(nodes: list[Node], blank: str = "") -> str:
    """Returns the nodes as a record writes them, with blanks wherever they may be."""
    properties = (
        [name + "".join(blank + "[" + value + "]" for value in values) for name, values in node] for node in nodes
    )
    return "".join(blank + ";" + "".join(blank + each for each in node) for node in properties)


@given(sequences, sequences, sequences, blanks)
def test_the_main_line_is_read_as_it_was_written_and_variations_are_skipped(
    before: list[Node], after: list[Node], other: list[Node], blank: str
) -> None:
    variation = "(" + written(other) + ")" + blank
    record = "(" + written(before, blank) + "(" + written(after, blank) + blank + ")" + variation * 2 + ")"
    assert main_line("junk" + record + "junk (;A[").nodes == before + after


@given(sequences)
def test_a_record_without_its_last_bracket_is_read_and_told(nodes: list[Node]) -> None:
    line = main_line("(" + written(nodes) + "\n")
    assert (line.nodes, line.cut_off) == (nodes, True)
    assert not main_line("(" + written(nodes) + ")").cut_off


@given(sequences, values)
def test_a_record_that_is_cut_off_in_a_value_is_refused(nodes: list[Node], value: str) -> None:
    assert reason(f"({written(nodes)};A[{value}") == "no_sgf"


@pytest.mark.parametrize(
    "record",
    [
        "(A[b])",  # no node
        "(;[b])",  # a value of nothing
        "(;A[b](C[d]))",
        "(;A[b](()))",
        "(;A[b](;C[d]);E[f])",  # a node behind a variation
        "(;A[b](;C[d])E[f])",
        "(;A[b](;C[d])[e])",
        "(;A[b",
        "(;A[b](;C[d]",  # two brackets are missing
        "(;A[b]]",
        "(",
        "(;A[b\\])",  # the bracket is escaped
    ],
)
def test_what_breaks_the_grammar_is_refused(record: str) -> None:
    assert reason(record) == "no_sgf"


def test_the_grammar_is_checked_in_variations_as_well() -> None:
    assert reason("(;A[b](;C[d])(;[e]))") == "no_sgf"


@pytest.mark.parametrize(
    ("record", "odd"),
    [
        ("(;KTV1[x]A[b])", ("KTV1",)),
        ("(;c[d]A[b]7[e])", ("c", "7")),  # names without a capital
        ("(;PB A[b];PB)", ("PB",)),  # names without a value
        ("(;A[b]C(;D[e]))", ("C",)),
        ("(;A[b]LongNameOfMine2[x])", ("LongNameOfMi",)),
        (
            "(;A[b]" + "".join(f"a{number}[]" for number in range(20)) + ")",
            tuple(f"a{n}" for n in range(MAX_ODD)),
        ),
        ("(;A[b](;C[d])(;e[f]))", ()),  # in a variation that is skipped
        ("(;A[b]()( );X[y](;C[d]))", ()),  # empty variations
    ],
)
def test_odd_properties_are_left_out_and_named(record: str, odd: tuple[str, ...]) -> None:
    line = main_line(record)
    assert line.odd == odd
    assert ("A", ["b"]) in line.nodes[0]


@pytest.mark.parametrize(
    ("sign", "told"),
    [
        ("---", "-"),
        ("—", "—"),
        ("\ufeff", "U+FEFF"),
        ("\u200b", "U+200B"),
        ("\0", "U+0000"),
        ("\n> ", ">"),
        ("<br>", "<br>"),
        ("</span>", "</span>"),
        ("`", "U+0060"),
        ("\x1b", "U+001B"),
    ],
)
def test_what_mail_web_pages_and_editors_leave_between_tokens_is_left_out_and_told(sign: str, told: str) -> None:
    record = "(;{0}A[b]{0}[c]{0}D{0}[e]{0};{0}F[g]{0}(;{0}H[i]{0}){0}(;J[k]{0}))"
    line = main_line(record.format(sign))
    assert (line.nodes, line.odd) == (main_line(record.format("")).nodes, (told,))


@pytest.mark.parametrize("blank", ["\xa0", "\u3000", "\u2028"], ids=ascii)
def test_other_blanks_are_blanks(blank: str) -> None:
    assert main_line(f"(;{blank}A[b]{blank}[c]{blank};D[e]{blank})") == main_line("(;A[b][c];D[e])")


def test_a_name_in_letters_that_sgf_has_not_is_odd_with_its_values() -> None:
    line = main_line("(;A[b]Б[d])")
    assert (line.nodes, line.odd) == ([[("A", ["b"])]], ("Б",))


def test_a_property_of_the_game_is_found_in_a_later_node_and_counts_where_it_first_occurs() -> None:
    assert header(main_line("(;A[b];A[c]D[e][f])").nodes) == {"A": ["b"], "D": ["e", "f"]}


@pytest.mark.parametrize(("rest", "more"), [("", False), (" \n", False), ("(x", False), ("\n( ;GM[40])", True)])
def test_another_game_in_the_file_is_noticed(rest: str, *, more: bool) -> None:
    assert main_line("(;A[b]C[(;])" + rest).more_games is more


def test_of_a_long_name_the_capitals_count() -> None:
    assert main_line("(;GaMe[40]AddBlack[aa][bb]addWhite[cc])").nodes == [
        [("GM", ["40"]), ("AB", ["aa", "bb"]), ("W", ["cc"])]
    ]


def test_a_repeated_property_keeps_its_place() -> None:
    assert main_line("(;B[aa]W[bb]B[cc])").nodes == [[("B", ["aa"]), ("W", ["bb"]), ("B", ["cc"])]]


def test_an_empty_node_is_a_node() -> None:
    assert main_line("(;;A[b];)").nodes == [[], [("A", ["b"])], []]


@pytest.mark.parametrize("nodes", [MAX_NODES, MAX_NODES + 1])
def test_nodes_are_counted_in_variations_as_well(nodes: int) -> None:
    record = "(;(;)(" + ";" * (nodes - 2) + "))"
    if nodes > MAX_NODES:
        assert reason(record) == "too_many"
    else:
        assert main_line(record).nodes == [[], []]


@pytest.mark.parametrize("values", [MAX_VALUES, MAX_VALUES + 1])
def test_values_are_counted_in_variations_as_well(values: int) -> None:
    record = "(;(;)(;A" + "[]" * values + "))"
    if values > MAX_VALUES:
        assert reason(record) == "too_many"
    else:
        assert main_line(record).nodes == [[], []]


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "()",
        "( )",
        "(  ",
        "(;",
        "(;A[",
        "\\",
        "[",
        "]",
        " ",
        "( ",
        "a",
        "A",
        "(;a",
        "(;A[\\",
        "\r\n",
        "(;A[b](;)",
        "-",
        "<",
        "<a",
        "> ",
    ],
    ids=repr,
)
@pytest.mark.parametrize("start", ["", "(;", "(;A[", "(;A"], ids=repr)
def test_no_repetition_takes_more_steps_than_its_length_allows(start: str, piece: str) -> None:
    half, whole = ((start + piece * length)[:length] for length in (MAX_RECORD_BYTES // 2, MAX_RECORD_BYTES))
    assert calls(whole) <= 2 * calls(half)


def calls(record: str) -> int:
    """Returns how many calls of functions it takes to read a record or to refuse it."""
    with count_calls() as calls, suppress(BadRecord):
        main_line(record)
    return calls.number


@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=30))
def test_a_text_is_read_as_it_was_escaped(line: str) -> None:
    ((_, (value,)),) = main_line(f"(;C[{escape(line)}])").nodes[0]
    assert text(value) == line.strip()


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n", "\n\r"], ids=repr)
def test_a_line_break_is_a_blank_unless_it_is_escaped(line_break: str) -> None:
    assert text(f"a{line_break}b\\{line_break}c") == "a bc"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(r"a\]b\\c\:d\e", r"a]b\c:de"), ("a\tb\\\tc\vd", "a b c d"), ("a\0b\x1bc", "abc")],
)
def test_a_text_has_neither_escapes_nor_control_characters(value: str, expected: str) -> None:
    assert text(value) == expected
