"""A turn of Dots as one value with one notation."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rules.game import BadNotation, Point, parse_point, point_name
from rules.typed_text import plain_text, without_number

MAX_CHARACTERS = 8000
"""Room for every chain that fits on the largest field. A longer text is no turn, and is not parsed."""

Chain = tuple[Point, ...]

_WORDS = re.compile(r" (paint|draw) ", re.IGNORECASE)
_DASH = re.compile(r"[-‐‑‒–—−]")
"""A hyphen, or what phones make of one."""


class Call(StrEnum):
    """A turn without a dot."""

    STOP = "stop"
    STOP_WAITING = "stop-waiting"
    """STOP by the player who waits, on the opponent's turn."""
    LAND = "land"


@dataclass(frozen=True, slots=True)
class Turn:
    """A dot, and the areas that its player closes with it: `K12`, `K12 paint L13 N15`, `K12 draw L13 A1-B2-A3-A2`.

    `paints` names areas by a crossing inside each. `chains` holds the drawn chains, dot by dot; a chain of a single
    point means the smallest chain round that point.
    """

    dot: Point
    paints: tuple[Point, ...] = ()
    chains: tuple[Chain, ...] = ()

    @property
    def points(self) -> Chain:
        """All crossings that the turn names."""
        return (self.dot, *self.paints, *(point for chain in self.chains for point in chain))

    def __str__(self) -> str:
        text = point_name(self.dot)
        if self.paints:
            text += " paint " + " ".join(map(point_name, self.paints))
        if self.chains:
            text += " draw " + " ".join("-".join(map(point_name, chain)) for chain in self.chains)
        return text


Move = Turn | Call


@lru_cache(maxsize=256)  # a move is read several times on its way
def parse_move(text: str) -> Move:
    """Returns the move that `text` names, on a field of any size. Raises BadNotation (`no_point`)."""
    if len(text) > MAX_CHARACTERS:
        raise BadNotation("no_point")
    plain = without_number(plain_text(text))
    if plain.lower() in set(Call):
        return Call(plain.lower())
    dot, *closings = _WORDS.split(plain)
    paints: list[Point] = []
    chains: list[Chain] = []
    for word, names in zip(closings[::2], closings[1::2], strict=True):
        if word.lower() == "paint":
            paints += map(parse_point, names.split())
        else:
            chains += map(_chain, names.split())
    return Turn(parse_point(dot), tuple(paints), tuple(chains))


def _chain(names: str) -> Chain:
    """Returns the crossings of a chain, each once: people and zagram repeat the first one where it closes."""
    chain = tuple(map(parse_point, _DASH.split(names)))
    return chain[:-1] if len(chain) > 2 and chain[0] == chain[-1] else chain
