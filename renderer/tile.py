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
    """The name of a column or row; `strong` for every fifth."""

    text: str
    strong: bool


class Ground(NamedTuple):
    """The part of a square that never changes in a game. Arms go right, up, left, down."""

    arms: bytes = bytes([FAINT] * 4)
    label: Label | None = None


class Slice(NamedTuple):
    """An area whose chain has longer steps, on each square that it may touch: the dots of its chain, relative to
    that square. `mark` is the seat + 1, and `plan` is true for an area that is not closed yet."""

    mark: int
    ring: tuple[tuple[int, int], ...]
    plan: bool


class Extras(NamedTuple):
    """Shapes that are drawn on request, or seldom. `house` are octants as in a `Cover`. `frame` are the sides of the
    focus that run here (right, up, left, down). `start` is the beginning of a trail. The numbers are 0 for none."""

    house: bytes = bytes(8)
    plan: Cover = BARE
    bars: Cover = BARE
    trail: Cover = BARE
    start: bool = False
    falling: bool = False
    number: int = 0
    offer: int = 0
    slices: tuple[Slice, ...] = ()
    distant: bool = False
    frame: bytes = NOWHERE


class Content(NamedTuple):
    """The part of a square that a position decides. Bytes and numbers are seats + 1, 0 for none, as in
    `renderer.coverage.Crossing`.

    `glow` tells from which neighbours (right, up, left, down) the disc of the last move reaches over the edge. `chip`
    is the player who has just moved in a label's column or row.
    """

    cover: Cover = BARE
    stone: int = 0
    form: Form = Form.DOT
    last: bool = False
    glow: bytes = NOWHERE
    zone: bool = False
    chip: int = 0
    extras: Extras | None = None


EMPTY = Content()


class Tile(NamedTuple):
    """The whole key."""

    ground: Ground = Ground()
    content: Content = EMPTY


BLANK = Tile()
"""A square of the margin."""
