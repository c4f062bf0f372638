"""Records of Dots in SGF: FF[4], GM[40], as zagram writes them. Grammar: https://www.red-bean.com/sgf/sgf4.html."""

from __future__ import annotations

import re
from itertools import product
from string import ascii_letters
from typing import TYPE_CHECKING

from sgfmill import sgf_grammar

from play.record import BadRecord, Dot, Record
from rules.game import Point, Seat
from rules.notation import point_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST_BYTES = 64 * 1024
"""A longer record is not looked at. A full game on 39x32 with clock times and chains has about 30,000."""

LETTERS = ascii_letters
"""a to z, then A to Z: columns from the left, rows from the top. Where the letters end, fields end."""

DOTS = b"40"

_SIZE = re.compile(rb"(\d{1,2})(?::(\d{1,2}))?")
_Node = list[tuple[str, list[bytes]]]
"""Properties in the order of the file, with their raw values."""


def read(data: bytes) -> Record:
    """The main line of the first game in `data`; comments, variations, chains and unknown properties are passed over.

    The first mover is seat 0 whatever the colour; without moves PL tells, else it is Black. Raises BadRecord:
    `too_long`, `no_sgf`, `no_dots` (another game), `no_size`, `no_point` (a pass, or not two letters), `erases` (AE),
    and for a dot of the set-up `off_field`, `occupied`, or `late_set_up` if it comes after the first move.
    """
    nodes = _main_line(data)
    header = dict(reversed(nodes[0]))
    if header.get("GM", [b""])[0].strip() != DOTS:
        raise BadRecord("no_dots")
    width, height = _size(header)
    set_up: list[tuple[str, bytes]] = []
    moves: list[tuple[str, bytes]] = []
    first = b""
    for node in nodes:
        for name, value in _each(node, "AB", "AW", "AE", "PL"):
            if name == "PL":
                first = first or value.strip().upper()[:1]
            elif name == "AE":
                raise BadRecord("erases", dot=_source(name, value))
            elif moves:
                raise BadRecord("late_set_up", dot=_source(name, value))
            else:
                set_up.append((name, value))
        moves += _each(node, "B", "W")
    white_first = moves[0][0] == "W" if moves else first == b"W"
    seats = {"B": Seat(int(white_first)), "W": Seat(int(not white_first))}
    players = _text(header, "PB"), _text(header, "PW")
    return Record(
        width,
        height,
        stones=tuple(_stones(set_up, seats, width, height)),
        moves=tuple(
            Dot(seats[name], _move(number, name, value, height), _source(name, value))
            for number, (name, value) in enumerate(moves, start=1)
        ),
        players=players[::-1] if white_first else players,
        result=_text(header, "RE"),
    )


def _main_line(data: bytes) -> list[_Node]:
    """The nodes up to the first closing bracket, which is where the first variation of each choice leads."""
    if len(data) > MOST_BYTES:
        raise BadRecord("too_long", most=MOST_BYTES)
    try:
        sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise BadRecord("no_sgf") from error
    # The tokens once more: the parsed tree no longer tells B[aa]W[bb]B[cc] from B[aa][cc]W[bb].
    nodes: list[_Node] = []
    for kind, token in sgf_grammar.tokenise(data)[0]:
        if kind == "I":
            nodes[-1].append((token.decode("ascii"), []))
        elif kind == "V":
            nodes[-1][-1][1].append(token)
        elif token == b";":
            nodes.append([])
        elif token == b")":
            break
    return nodes


def _each(node: _Node, *names: str) -> Iterator[tuple[str, bytes]]:
    return ((name, value) for name, values in node if name in names for value in values)


def _size(header: Mapping[str, list[bytes]]) -> tuple[int, int]:
    match = _SIZE.fullmatch(header.get("SZ", [b""])[0].strip())
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (1 <= width <= len(LETTERS) and 1 <= height <= len(LETTERS)):
        raise BadRecord("no_size", largest=len(LETTERS))
    return width, height


def _stones(values: Iterable[tuple[str, bytes]], seats: Mapping[str, Seat], width: int, height: int) -> Iterator[Dot]:
    """The dots of the set-up; a compressed rectangle is read row by row."""
    taken: set[Point] = set()
    for name, value in values:
        source = _source(name, value)
        corners = [_point(corner, height) for corner in value.split(b":")]
        if None in corners or len(corners) > 2:
            raise BadRecord("no_point", dot=source)
        columns, rows = (sorted(ends) for ends in zip(*filter(None, corners), strict=True))
        if columns[-1] >= width or rows[0] < 0:
            raise BadRecord("off_field", dot=source)
        for y, x in product(range(rows[-1], rows[0] - 1, -1), range(columns[0], columns[-1] + 1)):
            point = Point(x, y)
            if point in taken:
                raise BadRecord("occupied", dot=source, point=point_name(point))
            taken.add(point)
            yield Dot(seats[name[1]], point, source)


def _move(number: int, name: str, value: bytes, height: int) -> Point:
    """The crossing before the dot, if there is one: after it the chain is written that the player drew."""
    point = _point(value.split(b".", 1)[0], height)
    if point is None:
        raise BadRecord("no_point", number=number, dot=_source(name, value))
    return point


def _point(value: bytes, height: int) -> Point | None:
    letters = value.strip().decode("ascii", "replace")
    if len(letters) != 2 or not set(letters) <= set(LETTERS):
        return None
    column, row = (LETTERS.index(letter) for letter in letters)
    return Point(column, height - 1 - row)


def _source(name: str, value: bytes) -> str:
    """How the record writes a dot, without the chain, and cut short where it writes something else."""
    return f"{name}[{value.split(b'.', 1)[0][:12].decode('ascii', 'replace')}]"


def _text(header: Mapping[str, list[bytes]], name: str) -> str:
    """A line of text in the record's character set; SGF's own is Latin 1. Control characters are left out."""
    value: bytes = sgf_grammar.simpletext_value(header.get(name, [b""])[0])
    charset = header.get("CA", [b"latin-1"])[0].decode("ascii", "replace").strip()
    try:
        text = value.decode(charset, "replace")
    except (LookupError, ValueError):  # no such character set, or not one for text
        text = value.decode("latin-1")
    return "".join(filter(str.isprintable, text)).strip()
