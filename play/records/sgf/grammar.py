"""The parts of SGF: nodes, properties, texts and points. Source: https://www.red-bean.com/sgf/sgf4.html."""

from __future__ import annotations

import re
from collections import Counter
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

from play.records.record import MAX_RECORD_BYTES, BadRecord
from rules.point import Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_NODES = 10_000
MAX_VALUES = 20_000
"""A full game on the largest board has 2,704 moves. Few nodes have as many as five values."""

MAX_ODD, MAX_ODD_NAME = 5, 12
"""Odd properties that are told of one record, and the characters of each."""

LETTERS = ascii_letters
"""a to z, then A to Z: columns from the left, rows from the top. They limit the size of a board to 52."""

Node = list[tuple[str, list[bytes]]]
"""Properties in the order of the file, with their raw values."""


class MainLine(NamedTuple):
    """The `nodes` of a game's main line. `odd` are the properties in them that SGF does not allow and that were left
    out. `more_games` is whether the file goes on with another game."""

    nodes: list[Node]
    odd: tuple[str, ...]
    more_games: bool


_BEGINNING = re.compile(rb"\(\s*+;")

_TOKEN = re.compile(
    rb"(?:\s++|\(\s*+\))*+(?:\[(?P<value>(?:[^\\\]]|\\.)*+)\]|(?P<name>[A-Za-z0-9_]++)|(?P<sign>[;()]))", re.DOTALL
)
"""A token, after blanks and empty variations. Its repetitions are possessive (`*+`): a record that does not end takes
no longer than one that does."""

_NAME = re.compile(rb"[a-z]*+[A-Z][A-Za-z]*+")
"""A name of SGF. Older records write names in full (AddBlack), of which only the capitals count."""

_CYRILLIC = re.compile(rb"(?<![A-Za-z])[\xa5\xa8\xaa\xaf\xb2-\xb4\xb8\xba\xbf-\xff]{2,}(?![A-Za-z])")
"""A word of Cyrillic letters in Windows-1251. In Latin 1 hardly a word is without a letter of ASCII."""

_WESTERN = re.compile(rb"[A-Za-z][\xc0-\xff]|[\xc0-\xff][A-Za-z]")
"""A letter with an accent beside a plain one, as in Latin 1."""

_LINE_BREAK = rb"\r\n|\n\r|\r|\n"
_ESCAPED = re.compile(rb"\\(?:%b|(.))|%b" % (_LINE_BREAK, _LINE_BREAK), re.DOTALL)
_BLANKS = bytes.maketrans(b"\t\f\v", b"   ")

_FOLLOWERS = {
    "": {"("},
    "(": {";"},
    ";": {";", "name", "(", ")"},
    "name": {"value", "name", ";", "(", ")"},
    "value": {"value", "name", ";", "(", ")"},
    ")": {"(", ")"},
}
"""What may come after each kind of token: the grammar of SGF, but for the number of brackets, and for names without
a value, which are odd."""


def main_line(data: bytes) -> MainLine:
    """Returns the nodes up to the first closing bracket: they are the first variation at each branch.

    What comes before the first game and after it is skipped. Variations are checked and counted as well. Raises
    BadRecord: `too_long`, `too_many`, `no_sgf`.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord("too_long", most=MAX_RECORD_BYTES)
    nodes: list[list[tuple[bytes, list[bytes]]]] = []
    counts, before = Counter[str](), ""
    for kind, token, end in _tokens(data):
        if kind not in _FOLLOWERS[before]:
            raise BadRecord("no_sgf")
        before = kind
        counts[kind] += 1
        if counts[";"] > MAX_NODES:
            raise BadRecord("too_many", most=MAX_NODES)
        if counts["value"] > MAX_VALUES or counts["name"] > MAX_VALUES:
            raise BadRecord("too_many", most=MAX_VALUES)
        if not counts[")"]:
            if kind == ";":
                nodes.append([])
            elif kind == "name":
                nodes[-1].append((token, []))
            elif kind == "value":
                nodes[-1][-1][1].append(token)
        elif counts["("] == counts[")"]:
            return _checked(nodes, more_games=bool(_BEGINNING.search(data, end)))
    raise BadRecord("no_sgf")  # it is cut off, or goes on with something else


def _tokens(data: bytes) -> Iterator[tuple[str, bytes, int]]:
    """Yields the tokens from the first game on, each with its kind and its end, up to something that is none."""
    beginning = _BEGINNING.search(data)
    at = beginning.start() if beginning else len(data)
    while match := _TOKEN.match(data, at):
        assert match.lastgroup is not None, "each kind is a group"
        token, at = match[match.lastgroup], match.end()
        yield token.decode("ascii") if match.lastgroup == "sign" else match.lastgroup, token, at


def _checked(nodes: list[list[tuple[bytes, list[bytes]]]], *, more_games: bool) -> MainLine:
    """Returns the nodes with the names of SGF, without properties that have no such name, or no value."""
    kept: list[Node] = []
    odd: dict[str, None] = {}
    for node in nodes:
        kept.append([])
        for raw, values in node:
            name = raw.decode("ascii")
            if values and _NAME.fullmatch(raw):
                kept[-1].append(("".join(filter(str.isupper, name)), values))
            else:
                odd[name[:MAX_ODD_NAME]] = None
    return MainLine(kept, tuple(odd)[:MAX_ODD], more_games)


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
    """Returns the character set that a record names, or else the one that its texts are written in.

    SGF's default is Latin 1, but programs that name none write UTF-8 today, and old Russian ones Windows-1251.
    """
    if named := header.get("CA", [b""])[0].decode("ascii", "replace").strip():
        return named
    return _guess(value for values in header.values() for value in values)


def _guess(texts: Iterable[bytes]) -> str:
    joined = b"\n".join(texts)
    try:
        joined.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1251" if _CYRILLIC.search(joined) and not _WESTERN.search(joined) else "latin-1"
    return "utf-8"


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
