"""From SGF to Record."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING

from play.records.record import GROUNDING, MAX_RECORD_BYTES, BadRecord, Chain, Close, Dot, Record
from play.records.sgf import private
from play.records.sgf.encoding import decode
from play.records.sgf.grammar import LETTERS, MAX_LINE, Node, each, header, main_line, point_of, text
from rules.game import Point, Seat, point_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DOTS = "40"

CLOSING_WORDS = (*GROUNDING, "resign", "time", "draw", "interrupt")
"""The words that dots-game and KataGo for Dots write as a last move without a dot."""

_SIZE = re.compile(r"([0-9]{1,2})(?::([0-9]{1,2}))?")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def read(data: bytes) -> Record:
    """Returns the main line of the first game in `data`. It skips comments, variations and unknown properties.

    The first mover is seat 0, whatever their colour. Without moves PL decides, and without PL it is Black. Raises
    BadRecord: `too_long`, `too_many`, `no_sgf`, `no_dots` (another game), `no_size`, `no_point` (a pass, or not two
    letters), `bad_chain` (an enclosure that is not written in points), `erases` (AE), `bad_history`, and for a dot of
    the set-up `off_field`, `occupied`, or `late_set_up` if it comes after the first move.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord("too_long", most=MAX_RECORD_BYTES)
    nodes, odd, more_games, cut_off = main_line(decode(data))
    lines = header(nodes)
    if lines.get("GM", [""])[0].strip() != DOTS:
        raise BadRecord("no_dots")
    record = _read_whole(nodes, lines) or _record(nodes, lines, _colours(nodes))[0]
    return replace(record, odd=odd, more_games=more_games, cut_off=cut_off)


def _read_whole(nodes: list[Node], lines: Mapping[str, list[str]]) -> Record | None:
    """Returns the record of a match of this program, with its history. None for any other.

    The heading tells the colour of seat 0: its first turn may be a stop, so that the other's dot comes first.
    """
    colours = private.colours(nodes[0])
    return private.read(*_record(nodes, lines, colours), nodes) if colours else None


def _record(nodes: list[Node], lines: Mapping[str, list[str]], colours: str) -> tuple[Record, list[list[Dot]]]:
    """Returns the record by the public properties, and the dots of each node."""
    width, height = _size(lines)
    reading = _Reading(width, height, colours)
    for node in nodes:
        reading.read(node)

    def line(name: str) -> str:
        return text(lines.get(name, [""])[0])[:MAX_LINE]

    record = Record(
        width,
        height,
        stones=tuple(reading.stones),
        moves=tuple(dot for dots in reading.dots for dot in dots),
        players=(line(f"P{colours[0]}"), line(f"P{colours[1]}")),
        result=line("RE"),
        colours=colours,
        rules=line("RU"),
        event=line("EV"),
        round=line("RO"),
        date=line("DT"),
        time=line("TM"),
        overtime=line("OT"),
        application=line("AP"),
        handicap=line("HA"),
        komi=line("KM"),
        remaining=_left(nodes[0], colours),
        pools=reading.pools(),
        close=reading.close,
    )
    return record, reading.dots


def _size(lines: Mapping[str, list[str]]) -> tuple[int, int]:
    match = _SIZE.fullmatch(lines.get("SZ", [""])[0].strip())
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (1 <= width <= len(LETTERS) and 1 <= height <= len(LETTERS)):
        raise BadRecord("no_size", largest=len(LETTERS))
    return width, height


def _colours(nodes: list[Node]) -> str:
    first = next((name for node in nodes for name, _ in each(node, "B", "W")), "")
    if not first:
        first = next((value.strip().upper()[:1] for node in nodes for _, value in each(node, "PL")), "")
    return "WB" if first == "W" else "BW"


def _left(node: Node, colours: str) -> tuple[float | None, float | None]:
    """Returns the times on the clocks in this node, by seat."""
    shown = {name[0]: text(value) for name, value in each(node, "BL", "WL")}
    first, second = (float(shown[colour]) if _SECONDS.fullmatch(shown.get(colour, "")) else None for colour in colours)
    return first, second


@dataclass
class _Reading:
    """The content of the nodes read so far: the dots by node, and the chains of TB and TW by colour."""

    width: int
    height: int
    colours: str
    stones: list[Dot] = field(default_factory=list)
    dots: list[list[Dot]] = field(default_factory=list)
    close: Close | None = None
    counted: dict[str, tuple[Chain, ...]] = field(default_factory=dict)
    taken: set[Point] = field(default_factory=set)
    moves: int = 0

    def read(self, node: Node) -> None:
        """Reads a node. Its set-up comes before its moves."""
        for name, value in each(node, "AB", "AW", "AE", "TB", "TW"):
            if name in ("TB", "TW"):
                self._count(name[1], value)
            elif name == "AE":
                raise BadRecord("erases", dot=_source(name, value))
            elif self.moves:
                raise BadRecord("late_set_up", dot=_source(name, value))
            else:
                self.stones += self._stones(name, value)
        dots = [dot for name, value in each(node, "B", "W") if (dot := self._move(name, value))]
        left = _left(node, self.colours) if dots else (None, None)
        for at in {dot.seat: at for at, dot in enumerate(dots)}.values():
            dots[at] = dots[at]._replace(remaining=left[dots[at].seat])
        self.dots.append(dots)

    def pools(self) -> tuple[tuple[Chain, ...], tuple[Chain, ...]] | None:
        """Returns the chains of TB and TW by seat. None if there are neither."""
        first, second = (self.counted.get(colour, ()) for colour in self.colours)
        return (first, second) if self.counted else None

    def _stones(self, name: str, value: str) -> Iterator[Dot]:
        """Yields the dots of a set-up value. A compressed rectangle is read row by row."""
        source = _source(name, value)
        corners = [point_of(corner, self.height) for corner in value.split(":")]
        if None in corners or len(corners) > 2:
            raise BadRecord("no_point", dot=source)
        columns, rows = (sorted(ends) for ends in zip(*filter(None, corners), strict=True))
        if columns[-1] >= self.width or rows[0] < 0:
            raise BadRecord("off_field", dot=source)
        for y, x in product(range(rows[-1], rows[0] - 1, -1), range(columns[0], columns[-1] + 1)):
            point = Point(x, y)
            if point in self.taken:
                raise BadRecord("occupied", dot=source, point=point_name(point))
            self.taken.add(point)
            yield Dot(self._seat(name[1]), point, source)

    def _move(self, name: str, value: str) -> Dot | None:
        """Returns the dot of a move. None for a turn without one, which ends the game."""
        if self.close:
            raise BadRecord("no_point", number=self.moves, dot=_source(self.colours[self.close.seat], self.close.word))
        self.moves += 1
        source = _source(name, value)
        first, *rest = value.split(".")
        point = point_of(first, self.height)
        if point is None:
            word = value.strip().lower()
            if word not in CLOSING_WORDS:
                raise BadRecord("no_point", number=self.moves, dot=source)
            self.close = Close(self._seat(name), word)
            return None
        chains = self._chains(rest)
        if chains is None:
            raise BadRecord("bad_chain", number=self.moves, dot=source)
        return Dot(self._seat(name), point, source, chains)

    def _count(self, colour: str, value: str) -> None:
        """Adds a pool as zagram writes it. It skips what other programs write in TB and TW."""
        chains = self._chains(value.split("."))
        if chains is not None and (not value.strip() or value.strip().startswith(".")):
            self.counted[colour] = (*self.counted.get(colour, ()), *chains)

    def _chains(self, values: list[str]) -> tuple[Chain, ...] | None:
        """Returns the chains, each dot once. None if one of them is not written in points."""
        chains = []
        for value in filter(None, map(str.strip, values)):
            points = [point_of(value[at : at + 2], self.height) for at in range(0, len(value), 2)]
            chain = tuple(point for point in points if point)
            if len(chain) < len(points):
                return None
            chains.append(chain[:-1] if len(chain) > 1 and chain[0] == chain[-1] else chain)
        return tuple(chains)

    def _seat(self, colour: str) -> Seat:
        return Seat(self.colours.index(colour))


def _source(name: str, value: str) -> str:
    """Returns how the record writes a dot, without the chain. Other values are cut short."""
    return f"{name}[{value.split('.', 1)[0].strip()[:12].encode('ascii', 'replace').decode()}]"
