"""The parts of SGF: nodes, properties, texts and points. Source: https://www.red-bean.com/sgf/sgf4.html."""

from __future__ import annotations

import re
from collections import Counter
from string import ascii_letters
from typing import TYPE_CHECKING

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


_BEGINNING = re.compile(rb"\(\s*;")

_TOKEN = re.compile(
    rb"\s*+(?:\[(?P<value>(?:[^\\\]]|\\.)*+)\]|(?P<name>[a-z]*+[A-Z][A-Za-z]*+)|(?P<sign>[;()]))", re.DOTALL
)
"""A token. Its repetitions are possessive (`*+`): a record that does not end takes no longer than one that does."""

_LINE_BREAK = rb"\r\n|\n\r|\r|\n"
_ESCAPED = re.compile(rb"\\(?:%b|(.))|%b" % (_LINE_BREAK, _LINE_BREAK), re.DOTALL)
_BLANKS = bytes.maketrans(b"\t\f\v", b"   ")

_FOLLOWERS = {
    "": {"("},
    "(": {";"},
    ";": {";", "name", "(", ")"},
    "name": {"value"},
    "value": {"value", "name", ";", "(", ")"},
    ")": {"(", ")"},
}
"""What may come after each kind of token: the grammar of SGF, but for the number of brackets."""


def main_line(data: bytes) -> list[Node]:
    """Returns the nodes up to the first closing bracket: they are the first variation at each branch.

    What comes before the first game and after it is skipped. Variations are checked and counted as well. Raises
    BadRecord: `too_long`, `too_many`, `no_sgf`.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord("too_long", most=MAX_RECORD_BYTES)
    nodes: list[Node] = []
    counts, before = Counter[str](), ""
    for kind, token in _tokens(data):
        if kind not in _FOLLOWERS[before]:
            raise BadRecord("no_sgf")
        before = kind
        counts[kind] += 1
        if counts[";"] > MAX_NODES:
            raise BadRecord("too_many", most=MAX_NODES)
        if counts["value"] > MAX_VALUES:
            raise BadRecord("too_many", most=MAX_VALUES)
        if not counts[")"]:
            _add(nodes, kind, token)
        elif counts["("] == counts[")"]:
            return nodes
    raise BadRecord("no_sgf")  # it is cut off, or goes on with something else


def _tokens(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yields the tokens from the first game on, each with its kind, up to something that is none."""
    beginning = _BEGINNING.search(data)
    at = beginning.start() if beginning else len(data)
    while match := _TOKEN.match(data, at):
        assert match.lastgroup is not None, "each kind is a group"
        token = match[match.lastgroup]
        yield token.decode("ascii") if match.lastgroup == "sign" else match.lastgroup, token
        at = match.end()


def _add(nodes: list[Node], kind: str, token: bytes) -> None:
    """Adds a token to the nodes. Older records write names in full (AddBlack), of which only the capitals count."""
    if kind == ";":
        nodes.append([])
    elif kind == "name":
        nodes[-1].append(("".join(filter(str.isupper, token.decode("ascii"))), []))
    elif kind == "value":
        nodes[-1][-1][1].append(token)


def each(node: Node, *names: str) -> Iterator[tuple[str, bytes]]:
    """Yields the values of these properties in the order of the file, each with its property's name."""
    return ((name, value) for name, values in node if name in names for value in values)


def text(value: bytes, charset: str) -> str:
    """Returns a line of text without control characters. An unknown character set is read as Latin 1."""
    plain = _ESCAPED.sub(_unescape, value.translate(_BLANKS))
    try:
        line = plain.decode(charset, "replace")
    except (LookupError, ValueError):  # no such character set, or not one for text
        line = plain.decode("latin-1")
    return "".join(filter(str.isprintable, line)).strip()


def _unescape(match: re.Match[bytes]) -> bytes:
    """Returns the escaped character, nothing for an escaped line break, and a blank for any other."""
    return match[1] or (b"" if match[0].startswith(b"\\") else b" ")


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
