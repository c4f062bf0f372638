"""How far a turn is, and how it can go on, with turns of Dots as short codes.

A chain is a code of its own, so that a custom id can hold a long one: the first dot, then a letter a dot, as in
`A1abc`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple

from rules.dots import Closing, Offer, Turn
from rules.game import BadNotation, Picture, Point, parse_point, point_name

NEIGHBOURS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_KNIGHT = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
_DOUBLE = tuple((2 * dx, 2 * dy) for dx, dy in NEIGHBOURS)

LINKS = (*NEIGHBOURS, *_KNIGHT, *_DOUBLE)
"""Columns to the right and rows up from a dot to the next: to a neighbour, then what far links allow besides."""

_LINKS_BY_LETTER = dict(zip(ascii_lowercase, LINKS, strict=False))
_LETTERS_BY_LINK = {link: letter for letter, link in _LINKS_BY_LETTER.items()}
_CHAIN = re.compile(r"([A-Z]+\d+)([a-x]*)")

CHOSEN = "?"
"""Ends the code of a dot whose player has not said what it closes."""

_CODE = re.compile(r"([A-Z]+\d+)(?:\+([0-9a-f]{1,8}))?((?:/[A-Za-z0-9]*\.?)*)")

MAX_CODE = 60
"""Characters of a code that a button of the chat has room for."""

MAX_OPTIONS = 20
"""Options with a button of the chat: seven rows of a panel."""


def write_chain(chain: tuple[Point, ...]) -> str | None:
    """Returns the code of a chain; None if two of its dots are farther apart than any link reaches."""
    letters = [_LETTERS_BY_LINK.get((b.x - a.x, b.y - a.y), "") for a, b in pairwise(chain)]
    return point_name(chain[0]) + "".join(letters) if all(letters) else None


def read_chain(code: str) -> tuple[Point, ...]:
    """Returns the chain of a code. Raises BadNotation (`no_point`)."""
    match = _CHAIN.fullmatch(code)
    if match is None:
        raise BadNotation("no_point")
    chain = [parse_point(match[1])]
    for letter in match[2]:
        dx, dy = _LINKS_BY_LETTER[letter]
        chain.append(Point(chain[-1].x + dx, chain[-1].y + dy))
    return tuple(chain)


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


class Phrase(NamedTuple):
    """A text of the catalogues: its key below `step.`, and its details."""

    key: str
    details: Mapping[str, str | int] = {}

    def text(self, words: Callable[..., str]) -> str:
        """Returns the phrase in the words of a language."""
        return words(f"step.{self.key}", **self.details)


class StepOption(NamedTuple):
    """One way to go on: the label of its button and the code that it leads to. A `chosen` one leads back, and a
    `disabled` one only keeps the others in their places."""

    label: Phrase
    code: str = ""
    chosen: bool = False
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A turn as far as its `code` says; the empty code is the first step.

    Attributes:
        prompt: what the player does now; for a complete turn the label of the button that plays it.
        heading: what a complete turn is, above its effects; None for a turn that its notation names well.
        complete_turn: the turn in its notation, once it can be played.
        asks: whether the player decides what a complete turn closes, or has decided it already.
        closable: how many areas the turn could close.
        plain: the label and the code of the same turn without what it closes.
        effects: what the turn would do.
        points: the codes of the crossings that a player can choose next.
        chances: how likely the points are, in any measure.
        options: the other ways to go on.
        back: the code of the step before.
        focus: the crossing that the turn is about.
    """

    code: str
    prompt: Phrase
    picture: Picture
    heading: Phrase | None = None
    complete_turn: str | None = None
    asks: bool = False
    closable: int = 0
    plain: StepOption | None = None
    effects: tuple[Phrase, ...] = ()
    points: Mapping[Point, str] = field(default_factory=dict)
    chances: Mapping[Point, float] = field(default_factory=dict)
    options: tuple[StepOption, ...] = ()
    back: str | None = None
    focus: Point | None = None

    @property
    def available_points(self) -> dict[Point, str]:
        """The points whose codes fit into a button."""
        return {point: code for point, code in self.points.items() if len(code) <= MAX_CODE}

    @property
    def available_options(self) -> list[StepOption]:
        """The options that fit on a panel and into a button."""
        return [option for option in self.options if len(option.code) <= MAX_CODE][:MAX_OPTIONS]
