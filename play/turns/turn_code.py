"""Turns of Dots as short codes.

A code is `K12`, or `K12+5` with a bit for each offer that the player takes, in hexadecimal. `K12+5/A1ab.` adds a chain
that the player draws (`play.turns.chains`); the last one is open until its full stop. Offers follow
from the position, so their numbers mean the same to all players at one version of a match.

`K12?` is a dot that its player has just chosen: it closes what it can close for the first time, unless they decide
otherwise. What they left open before stays open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from play.turns.chains import read_chain, write_chain
from rules.dots import Closing, Offer, Turn
from rules.game import BadNotation, Point, parse_point, point_name

CHOSEN = "?"
"""Ends the code of a dot whose player has not said what it closes."""

_CODE = re.compile(r"([A-Z]+\d+)(?:\+([0-9a-f]{1,8}))?((?:/[A-Za-z0-9]*\.?)*)")


class TurnCode(NamedTuple):
    """A parsed code: the dot, a bit for each offer taken, the chains drawn, and the open one, if any."""

    dot: Point
    taken: int = 0
    drawn: tuple[tuple[Point, ...], ...] = ()
    open: tuple[Point, ...] | None = None

    def __str__(self) -> str:
        closed = "".join(f"/{write_chain(chain)}." for chain in self.drawn)
        last = "" if self.open is None else f"/{write_chain(self.open) if self.open else ''}"
        return point_name(self.dot) + (f"+{self.taken:x}" if self.taken else "") + closed + last

    @classmethod
    def parse(cls, text: str) -> TurnCode:
        """Returns the code that `text` is. Raises BadNotation."""
        match = _CODE.fullmatch(text)
        if match is None:
            raise BadNotation("no_point")
        drawn = match[3].split("/")[1:]
        closed = [chain for chain in drawn if chain.endswith(".")]
        opened = drawn[-1] if drawn and not drawn[-1].endswith(".") else None
        if len(closed) + (opened is not None) < len(drawn):
            raise BadNotation("no_point")
        return cls(
            parse_point(match[1]),
            int(match[2] or "0", 16),
            tuple(read_chain(chain[:-1]) for chain in closed),
            None if opened is None else read_chain(opened) if opened else (),
        )

    def turn(self, closing: Closing, offers: Sequence[Offer]) -> Turn:
        """Returns the turn without the chain that is still open."""
        taken = tuple(offer.point for number, offer in enumerate(offers) if self.taken >> number & 1)
        if closing is Closing.PAINTED:
            return Turn(self.dot, paints=taken)
        return Turn(self.dot, chains=(*((point,) for point in taken), *self.drawn))
