"""The recorded games of real players, read just far enough to replay them with what was drawn.

Play has the reader that people's files go through; this one is by hand, so that rules/ is tested without play/.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from string import ascii_letters

from rules.dots import Closing, Dots, Setup
from rules.game import Point, Seat
from tests.facts import recorded_games

Chain = tuple[Point, ...]

_PARTS = re.compile(r"\[[^\]]*\]|[^\[]", re.DOTALL)
"""Values and single characters: the first closing bracket among these ends the main line."""
_NODE = re.compile(r";((?:\s*[A-Z]+(?:\[[^\]]*\]\s*)+)*)")
_PROPERTY = re.compile(r"([A-Z]+)((?:\[[^\]]*\]\s*)+)")


@dataclass(frozen=True, slots=True)
class Ply:
    """A dot and the chains written with it; a house capture is written with its owner's next move."""

    seat: Seat
    dot: Point
    chains: tuple[Chain, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The main line of a record. `pools` are the areas that count for each seat at an agreed end, or None."""

    name: str
    width: int
    height: int
    stones: tuple[tuple[Seat, Point], ...]
    plies: tuple[Ply, ...]
    result: str
    pools: tuple[tuple[Chain, ...], tuple[Chain, ...]] | None

    def game(self, closing: Closing) -> Dots:
        return Dots(self.name, self.width, self.height, Setup.STONES, stones=self.stones, closing=closing)


def records() -> list[Recorded]:
    return [_read(path) for path in recorded_games()]


def _read(path: Path) -> Recorded:
    line = "".join(takewhile(lambda part: part != ")", _PARTS.findall(path.read_text(encoding="utf-8"))))
    nodes = [
        [(name, re.findall(r"\[([^\]]*)\]", values)) for name, values in _PROPERTY.findall(node)]
        for node in _NODE.findall(line)
    ]
    header = dict(nodes[0])
    size = header["SZ"][0].split(":")
    width, height = int(size[0]), int(size[-1])

    def point(letters: str) -> Point:
        column, row = map(ascii_letters.index, letters)
        return Point(column, height - 1 - row)

    def chain(letters: str) -> Chain:
        dots = tuple(point(letters[at : at + 2]) for at in range(0, len(letters), 2))
        return dots[:-1] if dots[0] == dots[-1] else dots

    plies, pools = [], None
    first = next(name for node in nodes[1:] for name, _ in node if name in ("B", "W"))
    seats = {first: Seat(0), "W" if first == "B" else "B": Seat(1)}
    stones = [(seats[name[1]], point(dot)) for name in ("AB", "AW") for dot in header.get(name, [])]
    for node in nodes[1:]:
        for name, values in node:
            if name in seats:
                dot, *chains = values[0].split(".")
                plies.append(Ply(seats[name], point(dot), tuple(map(chain, chains))))
        counted = dict(node)
        if "TB" in counted:
            by_colour = {c: tuple(map(chain, filter(None, counted["T" + c][0].split(".")))) for c in "BW"}
            pools = (by_colour[first], by_colour["W" if first == "B" else "B"])
    return Recorded(path.stem, width, height, tuple(stones), tuple(plies), header["RE"][0], pools)
