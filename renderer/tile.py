"""The square round one crossing: all that decides its look, as a small key."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from renderer.coverage import BARE, Cover

FAINT, GRID, FRAME = range(3)
"""The style of an arm of the squared paper: margin, field, or the field's edge."""
NOWHERE = bytes(4)


class Form(IntEnum):
    """The form of a stone."""

    DOT = 0
    CAPTURED = 1
    GHOST = 2
    BLOCK = 3
    CREDITED = 4


class Label(NamedTuple):
    """The name of a column or row, or the part of it that reaches into a square.

    `strong` is true for every fifth. On a large board only those are named, in larger letters: `squares` is how wide a
    name may be there, and 0 elsewhere. `across` and `up` lead from the middle of the square to that of the name, in
    half cells. `seat` is that of the player who has just moved in the column or row, + 1.
    """

    text: str
    strong: bool
    squares: int = 0
    across: int = 0
    up: int = 0
    seat: int = 0


NO_LABEL = Label("", strong=False)
"""Takes the place of a name that makes room for another."""


class Ground(NamedTuple):
    """The part of a square that never changes in a game. Arms go right, up, left, down."""

    arms: bytes = bytes([FAINT] * 4)
    label: Label | None = None


class Stroke(IntEnum):
    """How a chain is drawn: that of a base, of an area that a turn would close, of one that may be closed, or as far as
    a player has drawn it."""

    BASE = 0
    PLAN = 1
    OUTLINE = 2
    LINE = 3


class Slice(NamedTuple):
    """A chain with longer steps, on each square that it may touch: its dots, relative to that square. `mark` is the
    seat + 1."""

    mark: int
    dots: tuple[tuple[int, int], ...]
    stroke: Stroke


class Extras(NamedTuple):
    """Shapes that are drawn on request, or seldom. `house` are octants as in a `Cover`. `frame` are the sides of the
    focus that run here (right, up, left, down). `start` is the beginning of a trail. The numbers are 0 for none.

    `outline` surrounds areas that may be closed; an offer that is chosen is `taken`. `line` is a chain that a player
    draws, `choice` a crossing where it may go on.
    """

    house: bytes = bytes(8)
    plan: Cover = BARE
    outline: Cover = BARE
    line: Cover = BARE
    bars: Cover = BARE
    trail: Cover = BARE
    start: bool = False
    falling: bool = False
    number: int = 0
    offer: int = 0
    taken: bool = False
    choice: bool = False
    slices: tuple[Slice, ...] = ()
    distant: bool = False
    frame: bytes = NOWHERE


class Content(NamedTuple):
    """The part of a square that a position decides. Bytes and numbers are seats + 1, 0 for none, as in
    `renderer.coverage.Crossing`.

    `glow` tells from which neighbours (right, up, left, down) the disc of the last move reaches over the edge. `label`
    takes the place of the ground's.
    """

    cover: Cover = BARE
    stone: int = 0
    form: Form = Form.DOT
    last: bool = False
    glow: bytes = NOWHERE
    zone: bool = False
    label: Label | None = None
    extras: Extras | None = None


EMPTY = Content()


class Tile(NamedTuple):
    """The whole key."""

    ground: Ground = Ground()
    content: Content = EMPTY


BLANK = Tile()
"""A square of the margin."""
