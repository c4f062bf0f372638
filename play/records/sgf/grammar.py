"""The parts of SGF: nodes, properties, texts and points. Source: https://www.red-bean.com/sgf/sgf4.html."""

from __future__ import annotations

from string import ascii_letters
from typing import TYPE_CHECKING

from sgfmill import sgf_grammar

from play.records.record import MAX_RECORD_BYTES, BadRecord
from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_NODES = 10_000
MAX_VALUES = 20_000
"""A full game on the largest board has 2,704 moves. Few nodes have as many as five values."""

LETTERS = ascii_letters
"""a to z, then A to Z: columns from the left, rows from the top. They limit the size of a board to 52."""

Node = list[tuple[str, list[bytes]]]
"""Properties in the order of the file, with their raw values."""


def main_line(data: bytes) -> list[Node]:
    """Returns the nodes up to the first closing bracket: they are the first variation at each branch.

    Raises BadRecord: `too_long`, `too_many`, `no_sgf`.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord("too_long", most=MAX_RECORD_BYTES)
    tokens = sgf_grammar.tokenise(data)[0]
    if sum(token == b";" and kind == "D" for kind, token in tokens) > MAX_NODES:
        raise BadRecord("too_many", most=MAX_NODES)
    if sum(kind == "V" for kind, _ in tokens) > MAX_VALUES:
        raise BadRecord("too_many", most=MAX_VALUES)
    try:
        sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise BadRecord("no_sgf") from error
    # The tokens, not the parsed tree, which no longer tells B[aa]W[bb]B[cc] from B[aa][cc]W[bb].
    nodes: list[Node] = []
    for kind, token in tokens:
        if kind == "I":
            nodes[-1].append((token.decode("ascii"), []))
        elif kind == "V":
            nodes[-1][-1][1].append(token)
        elif token == b";":
            nodes.append([])
        elif token == b")":
            break
    return nodes


def each(node: Node, *names: str) -> Iterator[tuple[str, bytes]]:
    """Yields the values of these properties in the order of the file, each with its property's name."""
    return ((name, value) for name, values in node if name in names for value in values)


def text(value: bytes, charset: str) -> str:
    """Returns a line of text without control characters. An unknown character set is read as Latin 1."""
    plain: bytes = sgf_grammar.simpletext_value(value)
    try:
        line = plain.decode(charset, "replace")
    except (LookupError, ValueError):  # no such character set, or not one for text
        line = plain.decode("latin-1")
    return "".join(filter(str.isprintable, line)).strip()


def charset(header: Mapping[str, list[bytes]]) -> str:
    """Returns the character set that a record names. SGF's default is Latin 1."""
    return header.get("CA", [b"latin-1"])[0].decode("ascii", "replace").strip()


def escape(line: str) -> str:
    """Returns a line of text as SGF writes it. Colons are escaped as well, since programs split values by them."""
    flat = " ".join(line.splitlines())
    return flat.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


def point_of(value: bytes, height: int) -> Point | None:
    """Returns the crossing that two letters name on a board of `height` rows. None for anything else."""
    letters = value.strip().decode("ascii", "replace")
    if len(letters) != 2 or not set(letters) <= set(LETTERS):
        return None
    column, row = (LETTERS.index(letter) for letter in letters)
    return Point(column, height - 1 - row)


def letters_of(point: Point, height: int) -> str:
    """Returns the two letters that name a crossing on a board of `height` rows."""
    return LETTERS[point.x] + LETTERS[height - 1 - point.y]
