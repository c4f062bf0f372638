"""The parts of SGF: nodes, properties, texts and points. Source: https://www.red-bean.com/sgf/sgf4.html."""

from __future__ import annotations

import re
from collections import Counter
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

from play.records.record import BadRecord
from rules.game import Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_NODES = 10_000
MAX_VALUES = 20_000
"""A full game on the largest board has 2,704 moves. Few nodes have as many as five values."""

MAX_ODD, MAX_ODD_NAME = 5, 12
"""Odd properties and signs that are told of one record, and the characters of each."""

MAX_LINE = 500
"""Characters of a name, a result or another line that a record says of its game."""

LETTERS = ascii_letters
"""a to z, then A to Z: columns from the left, rows from the top. They limit the size of a board to 52."""

Node = list[tuple[str, list[str]]]
"""Properties in the order of the file, with their raw values."""


class MainLine(NamedTuple):
    """The `nodes` of a game's main line. `odd` are the properties and signs in them that SGF does not allow and that
    were left out. `more_games` is whether the file goes on with another game, `cut_off` whether the last bracket is
    missing."""

    nodes: list[Node]
    odd: tuple[str, ...]
    more_games: bool
    cut_off: bool


_BEGINNING = re.compile(r"\(\s*+;")

_TOKEN = re.compile(
    r"(?>(?:\s++|\(\s*+\))*)(?:\[(?P<value>(?>(?:[^\\\]]|\\.)*))\]|(?P<name>\w++)|(?P<sign>[;()])"
    r"|(?P<stray><[A-Za-z/!][^<>\[\]();`]*+>|[^\s\w\[\]();]))",
    re.DOTALL,
)
"""A token, after blanks and empty variations. A `stray` is a tag of HTML, or a sign that means nothing, such as the `>`
of a mail. Nothing is tried twice: a record that does not end takes no longer than one that does. Repeated groups are in
atomic ones, since Python 3.11.2, that of Debian 12, leaves possessive ones (`*+`) at a wrong place (gh-100061)."""

_NAME = re.compile(r"[a-z]*+[A-Z][A-Za-z]*+")
"""A name of SGF. Older records write names in full (AddBlack), of which only the capitals count."""

_LINE_BREAK = r"\r\n|\n\r|\r|\n"
_ESCAPED = re.compile(rf"\\(?:{_LINE_BREAK}|(.))|{_LINE_BREAK}", re.DOTALL)
_SOFT_BREAK = re.compile(rf"\\(?:({_LINE_BREAK})|.)", re.DOTALL)
_BLANKS = str.maketrans("\t\f\v", "   ")

_FOLLOWERS = {
    "": {"("},
    "(": {";"},
    ";": {";", "name", "(", ")"},
    "name": {"value", "name", ";", "(", ")"},
    "value": {"value", "name", ";", "(", ")"},
    ")": {"(", ")"},
}
"""What may come after each kind of token but a stray: the grammar of SGF, but for the number of brackets, and for names
without a value, which are odd."""


def main_line(record: str) -> MainLine:
    """Returns the nodes up to the first closing bracket: they are the first variation at each branch.

    What comes before the first game and after it is skipped. Variations are checked and counted as well. Raises
    BadRecord: `too_many`, `no_sgf`.
    """
    nodes: list[Node] = []
    strays: list[str] = []
    counts, before, at = Counter[str](), "", 0
    for kind, token, at in _tokens(record):
        counts[kind] += 1
        if counts[";"] > MAX_NODES:
            raise BadRecord("too_many", most=MAX_NODES)
        if max(counts["value"], counts["name"], counts["stray"]) > MAX_VALUES:
            raise BadRecord("too_many", most=MAX_VALUES)
        if kind == "stray":
            if not counts[")"]:
                strays.append(token)
            continue
        if kind not in _FOLLOWERS[before]:
            raise BadRecord("no_sgf", **place_of(record, at))
        before = kind
        if not counts[")"]:
            if kind == ";":
                nodes.append([])
            elif kind == "name":
                nodes[-1].append((token, []))
            elif kind == "value":
                nodes[-1][-1][1].append(token)
        elif counts["("] == counts[")"]:
            return _checked(nodes, strays, more_games=bool(_BEGINNING.search(record, at)), cut_off=False)
    if nodes and counts["("] - counts[")"] == 1 and not record[at:].strip():
        return _checked(nodes, strays, more_games=False, cut_off=True)
    raise BadRecord("no_sgf", **place_of(record, at))  # it is cut off, or goes on with something else


class GameTree(NamedTuple):
    """All nodes of a game with their variations: the parent of each, by its place, comes before it."""

    nodes: list[Node]
    parents: list[int | None]


def game_tree(record: str) -> GameTree:
    """Returns the nodes of the first game, of which `main_line` has checked the grammar and the size."""
    nodes: list[Node] = []
    parents: list[int | None] = []
    forks: list[int | None] = []
    here: int | None = None
    for kind, token, _ in _tokens(record):
        if kind == "(":
            forks.append(here)
        elif kind == ")":
            here = forks.pop()
            if not forks:
                break
        elif kind == ";":
            nodes.append([])
            parents.append(here)
            here = len(nodes) - 1
        elif kind == "name":
            nodes[-1].append((token, []))
        elif kind == "value":
            nodes[-1][-1][1].append(token)
    return GameTree(_checked(nodes, [], more_games=False, cut_off=False).nodes, parents)


def place_of(record: str, at: int) -> dict[str, int]:
    """Returns the line and the column of a character, both from 1; nothing in a text that has no game at all."""
    if not at:
        return {}
    return {"line": record.count("\n", 0, at) + 1, "column": at - record.rfind("\n", 0, at)}


def _tokens(record: str) -> Iterator[tuple[str, str, int]]:
    """Yields the tokens from the first game on, each with its kind and its end, up to something that is none."""
    beginning = _BEGINNING.search(record)
    at = beginning.start() if beginning else len(record)
    while match := _TOKEN.match(record, at):
        assert match.lastgroup is not None, "each kind is a group"
        token, at = match[match.lastgroup], match.end()
        yield token if match.lastgroup == "sign" else match.lastgroup, token, at


def _checked(nodes: list[Node], strays: list[str], *, more_games: bool, cut_off: bool) -> MainLine:
    """Returns the nodes with the names of SGF, without properties that have no such name, or no value."""
    kept: list[Node] = []
    odd: dict[str, None] = {}
    for node in nodes:
        kept.append([])
        for name, values in node:
            if values and _NAME.fullmatch(name):
                kept[-1].append(("".join(filter(str.isupper, name)), values))
            else:
                odd[name[:MAX_ODD_NAME]] = None
    odd |= dict.fromkeys(map(_shown, strays))
    return MainLine(kept, tuple(odd)[:MAX_ODD], more_games, cut_off)


def _shown(stray: str) -> str:
    """Returns a sign as it can be told between backquotes: U+200B if it is not seen there."""
    return stray[:MAX_ODD_NAME] if stray.isprintable() and stray != "`" else f"U+{ord(stray[0]):04X}"


def header(nodes: Iterable[Node]) -> dict[str, list[str]]:
    """Returns the values of each property where it first occurs: programs write those of a game in later nodes, too."""
    values: dict[str, list[str]] = {}
    for node in nodes:
        for name, those in node:
            values.setdefault(name, those)
    return values


def each(node: Node, *names: str) -> Iterator[tuple[str, str]]:
    """Yields the values of these properties in the order of the file, each with its property's name."""
    return ((name, value) for name, values in node if name in names for value in values)


def text(value: str) -> str:
    """Returns a line of text without invisible characters but those that join emoji."""
    plain = _ESCAPED.sub(_unescape, value.translate(_BLANKS))
    return "".join(each for each in plain if each.isprintable() or each == "\N{ZERO WIDTH JOINER}").strip()


def paragraphs(value: str) -> str:
    """Returns a text with its line breaks, without other control characters."""
    lines = re.split(_LINE_BREAK, _SOFT_BREAK.sub(lambda match: "" if match[1] else match[0], value))
    return "\n".join(map(text, lines)).strip()


def _unescape(match: re.Match[str]) -> str:
    """Returns the escaped character, nothing for an escaped line break, and a blank for any other."""
    return match[1] or ("" if match[0].startswith("\\") else " ")


def escape(line: str) -> str:
    """Returns a line of text as SGF writes it. Colons are escaped as well, since programs split values by them."""
    flat = " ".join(line.splitlines())
    return flat.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


def point_of(value: str, height: int) -> Point | None:
    """Returns the crossing that two letters name on a board of `height` rows. None for anything else."""
    letters = value.strip()
    if len(letters) != 2 or not set(letters) <= set(LETTERS):
        return None
    column, row = (LETTERS.index(letter) for letter in letters)
    return Point(column, height - 1 - row)


def letters_of(point: Point, height: int) -> str:
    """Returns the two letters that name a crossing on a board of `height` rows."""
    return LETTERS[point.x] + LETTERS[height - 1 - point.y]
