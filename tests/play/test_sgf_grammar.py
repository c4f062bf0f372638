"""The grammar of SGF, whatever its properties mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.records.record import MAX_RECORD_BYTES, BadRecord
from play.records.sgf.grammar import MAX_NODES, MAX_ODD, MAX_VALUES, Node, charset, escape, main_line, text
from tests.calls import count_calls


def reason(data: bytes) -> str:
    with pytest.raises(BadRecord) as refused:
        main_line(data)
    return refused.value.key


names = st.text("ABCWKP", min_size=1, max_size=3)
values = st.binary(max_size=12).map(lambda raw: raw.replace(b"\\", b"\\\\").replace(b"]", b"\\]"))
sequences = st.lists(st.lists(st.tuples(names, st.lists(values, min_size=1, max_size=3)), max_size=3), min_size=1)
blanks = st.sampled_from([b"", b" ", b"\r\n", b"\t\n "])


def written(nodes: list[Node], blank: bytes = b"") -> bytes:
    """Returns the nodes as a record writes them, with blanks wherever they may be."""
    properties = (
        [name.encode() + b"".join(blank + b"[" + value + b"]" for value in values) for name, values in node]
        for node in nodes
    )
    return b"".join(blank + b";" + b"".join(blank + each for each in node) for node in properties)


@given(sequences, sequences, sequences, blanks)
def test_the_main_line_is_read_as_it_was_written_and_variations_are_skipped(
    before: list[Node], after: list[Node], other: list[Node], blank: bytes
) -> None:
    variation = b"(" + written(other) + b")" + blank
    record = b"(" + written(before, blank) + b"(" + written(after, blank) + blank + b")" + variation * 2 + b")"
    assert main_line(b"junk" + record + b"junk (;A[").nodes == before + after


@given(sequences, st.data())
def test_a_record_that_is_cut_off_is_refused(nodes: list[Node], data: st.DataObject) -> None:
    record = b"(" + written(nodes) + b")"
    assert reason(record[: data.draw(st.integers(0, len(record) - 1))]) == "no_sgf"


@pytest.mark.parametrize(
    "record",
    [
        b"(A[b])",  # no node
        b"(;[b])",  # a value of nothing
        b"(;A[b](C[d]))",
        b"(;A[b](()))",
        b"(;A[b](;C[d]);E[f])",  # a node behind a variation
        b"(;A[b](;C[d])E[f])",
        b"(;A[b](;C[d])[e])",
        "(;A[b]Б[d])".encode(),
        b"(;A[b]",
        b"(;A[b\\])",  # the bracket is escaped
        b"(;A[b]\0)",
    ],
)
def test_what_breaks_the_grammar_is_refused(record: bytes) -> None:
    assert reason(record) == "no_sgf"


def test_the_grammar_is_checked_in_variations_as_well() -> None:
    assert reason(b"(;A[b](;C[d])(;[e]))") == "no_sgf"


@pytest.mark.parametrize(
    ("record", "odd"),
    [
        (b"(;KTV1[x]A[b])", ("KTV1",)),
        (b"(;c[d]A[b]7[e])", ("c", "7")),  # names without a capital
        (b"(;PB A[b];PB)", ("PB",)),  # names without a value
        (b"(;A[b]C(;D[e]))", ("C",)),
        (b"(;A[b]LongNameOfMine2[x])", ("LongNameOfMi",)),
        (
            b"(;A[b]" + b"".join(b"a%d[]" % number for number in range(20)) + b")",
            tuple(f"a{n}" for n in range(MAX_ODD)),
        ),
        (b"(;A[b](;C[d])(;e[f]))", ()),  # in a variation that is skipped
        (b"(;A[b]()( );X[y](;C[d]))", ()),  # empty variations
    ],
)
def test_odd_properties_are_left_out_and_named(record: bytes, odd: tuple[str, ...]) -> None:
    line = main_line(record)
    assert line.odd == odd
    assert ("A", [b"b"]) in line.nodes[0]


@pytest.mark.parametrize(("rest", "more"), [(b"", False), (b" \n", False), (b"(x", False), (b"\n( ;GM[40])", True)])
def test_another_game_in_the_file_is_noticed(rest: bytes, *, more: bool) -> None:
    assert main_line(b"(;A[b]C[(;])" + rest).more_games is more


def test_of_a_long_name_the_capitals_count() -> None:
    assert main_line(b"(;GaMe[40]AddBlack[aa][bb]addWhite[cc])").nodes == [
        [("GM", [b"40"]), ("AB", [b"aa", b"bb"]), ("W", [b"cc"])]
    ]


def test_a_repeated_property_keeps_its_place() -> None:
    assert main_line(b"(;B[aa]W[bb]B[cc])").nodes == [[("B", [b"aa"]), ("W", [b"bb"]), ("B", [b"cc"])]]


def test_an_empty_node_is_a_node() -> None:
    assert main_line(b"(;;A[b];)").nodes == [[], [("A", [b"b"])], []]


@pytest.mark.parametrize("nodes", [MAX_NODES, MAX_NODES + 1])
def test_nodes_are_counted_in_variations_as_well(nodes: int) -> None:
    record = b"(;(;)(" + b";" * (nodes - 2) + b"))"
    if nodes > MAX_NODES:
        assert reason(record) == "too_many"
    else:
        assert main_line(record).nodes == [[], []]


@pytest.mark.parametrize("values", [MAX_VALUES, MAX_VALUES + 1])
def test_values_are_counted_in_variations_as_well(values: int) -> None:
    record = b"(;(;)(;A" + b"[]" * values + b"))"
    if values > MAX_VALUES:
        assert reason(record) == "too_many"
    else:
        assert main_line(record).nodes == [[], []]


@pytest.mark.parametrize(
    "piece",
    [
        b"(",
        b"()",
        b"( )",
        b"(  ",
        b"(;",
        b"(;A[",
        b"\\",
        b"[",
        b"]",
        b" ",
        b"( ",
        b"a",
        b"A",
        b"(;a",
        b"(;A[\\",
        b"\r\n",
        b"(;A[b](;)",
    ],
    ids=repr,
)
@pytest.mark.parametrize("start", [b"", b"(;", b"(;A[", b"(;A"], ids=repr)
def test_no_repetition_takes_more_steps_than_its_length_allows(start: bytes, piece: bytes) -> None:
    half, whole = ((start + piece * length)[:length] for length in (MAX_RECORD_BYTES // 2, MAX_RECORD_BYTES))
    assert reason(whole) in ("no_sgf", "too_many")
    assert calls(whole) <= 2 * calls(half)


def calls(record: bytes) -> int:
    """Returns how many calls of functions it takes to refuse a record."""
    with count_calls() as calls, pytest.raises(BadRecord):
        main_line(record)
    return calls.number


@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=30))
def test_a_text_is_read_as_it_was_escaped(line: str) -> None:
    data = f"(;C[{escape(line)}])".encode()
    ((_, (value,)),) = main_line(data).nodes[0]
    assert text(value, "utf-8") == line.strip()


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n", "\n\r"], ids=repr)
def test_a_line_break_is_a_blank_unless_it_is_escaped(line_break: str) -> None:
    assert text(f"a{line_break}b\\{line_break}c".encode(), "utf-8") == "a bc"


@pytest.mark.parametrize(
    ("value", "charset", "expected"),
    [
        (rb"a\]b\\c\:d\e", "utf-8", r"a]b\c:de"),
        (b"a\tb\\\tc\vd", "utf-8", "a b c d"),
        ("Аня".encode("koi8-r"), "koi8-r", "Аня"),
        ("Zażółć".encode("cp1250"), "windows-1250", "Zażółć"),
        ("Jiří".encode(), "UTF-8", "Jiří"),
        (b"\xc3(", "utf-8", "\ufffd("),  # what is no UTF-8 does not stop the rest
        ("é".encode("latin-1"), "no such set", "é"),
        ("é".encode("latin-1"), "base64", "é"),
        (b"a\0b\x1bc", "ascii", "abc"),
    ],
)
def test_texts_are_read_in_the_character_set_that_is_named(value: bytes, charset: str, expected: str) -> None:
    assert text(value, charset) == expected


@pytest.mark.parametrize("named", [{}, {"CA": [b" "]}])
@pytest.mark.parametrize(
    ("names", "used", "found"),
    [
        (("Оля", "Paweł"), "utf-8", "utf-8"),
        (("Ann", "Bob"), "ascii", "utf-8"),
        (("Оля", "Vasya_99"), "cp1251", "cp1251"),
        (("Її Ґанок", "Bob"), "cp1251", "cp1251"),
        (("Zoë", "José Ñáñez"), "latin-1", "latin-1"),
        (("Ø", "Bob"), "latin-1", "latin-1"),
    ],
)
def test_without_a_named_character_set_that_of_the_texts_is_found(
    names: tuple[str, str], used: str, found: str, named: dict[str, list[bytes]]
) -> None:
    header = {"PB": [names[0].encode(used)], "PW": [names[1].encode(used)], **named}
    assert charset(header) == found
    assert text(header["PB"][0], found) == names[0]


def test_a_named_character_set_is_believed() -> None:
    assert charset({"CA": [b"koi8-r"], "PB": ["Оля".encode()]}) == "koi8-r"
