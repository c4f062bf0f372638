"""The visible part of a position, as shapes on the crossings: no pixels, no colours, no words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from rules.point import Point, Seat


@dataclass(frozen=True, slots=True)
class Stone:
    """A dot on a crossing. It is `captured` while it lies inside another player's base. It is `credited` while it is
    part of a five of Dot Dash (drawn as a diamond)."""

    point: Point
    seat: Seat
    captured: bool = False
    credited: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A base. `ring` is its chain, each dot once, in order, closed from the last to the first. Older bases come
    first in a picture, so that a later area covers the ones that it contains."""

    seat: Seat
    ring: tuple[Point, ...]

    @property
    def steps(self) -> Iterator[tuple[Point, Point]]:
        """The steps of the chain, the one from the last dot to the first included."""
        return zip(self.ring, self.ring[1:] + self.ring[:1], strict=True)


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle of crossings, both corners included."""

    low: Point
    high: Point

    @classmethod
    def square(cls, middle: Point, reach: int) -> Self:
        """Returns all crossings at most `reach` columns and rows from `middle`, also beyond the edge of a field."""
        x, y = middle
        return cls(Point(x - reach, y - reach), Point(x + reach, y + reach))

    @classmethod
    def around(cls, point: Point, reach: int, width: int, height: int) -> Self:
        """Returns the square of `2 * reach + 1` crossings a side with `point` in its middle. It is moved and cut so
        that it lies in a field of `width` x `height`."""
        side = 2 * reach + 1
        left, bottom = max(0, min(point.x - reach, width - side)), max(0, min(point.y - reach, height - side))
        right, top = min(left + side, width) - 1, min(bottom + side, height) - 1
        return cls(Point(left, bottom), Point(right, top))

    def grown(self, reach: int) -> Self:
        """Returns the rectangle with so many more crossings on each side, also beyond the edge of a field."""
        (left, bottom), (right, top) = self.low, self.high
        return type(self)(Point(left - reach, bottom - reach), Point(right + reach, top + reach))

    def contains(self, point: Point) -> bool:
        return self.low.x <= point.x <= self.high.x and self.low.y <= point.y <= self.high.y


@dataclass(frozen=True, slots=True)
class Number:
    """A number on a free crossing, for players who choose it by a button."""

    point: Point
    value: int


@dataclass(frozen=True, slots=True)
class Line:
    """A chain as far as a player has drawn it: its dots in order, from the first to the newest."""

    seat: Seat
    points: tuple[Point, ...]

    @property
    def steps(self) -> Iterator[tuple[Point, Point]]:
        return pairwise(self.points)


@dataclass(frozen=True, slots=True)
class Bar:
    """A line through a credited five of Dot Dash, from its first stone to its last."""

    seat: Seat
    first: Point
    last: Point


@dataclass(frozen=True, slots=True)
class Trail:
    """The way of the last dash of Dot Dash: the crossings where the stone left and where it arrived."""

    seat: Seat
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Picture:
    """A field of `width` x `height` crossings and the shapes on it. `last` are the points of the last move.

    `zone` is the part in which the next dot must lie. `blocks` says that stones move, as in Dot Dash, and are no dots.
    `open` are areas that their seats may still paint.

    The rest is shown on request:

    - `houses` are closed areas without prisoners.
    - `ghost` is a stone that is not placed yet, `plans` the areas that it would close.
    - `falling` are the stones that would be captured or lost.
    - `offers` are areas that may be closed now; players know them as 1, 2 and on in this order. `taken` are the numbers
      of those that the player has chosen.
    - `line` is a chain that the player draws, `choices` the crossings that may be chosen next.
    - `focus` is the part that matters; everything outside it fades.
    """

    width: int
    height: int
    stones: tuple[Stone, ...] = ()
    areas: tuple[Area, ...] = ()
    last: tuple[Point, ...] = ()
    zone: Zone | None = None
    open: tuple[Area, ...] = ()
    bars: tuple[Bar, ...] = ()
    trail: Trail | None = None
    houses: tuple[Area, ...] = ()
    ghost: Stone | None = None
    plans: tuple[Area, ...] = ()
    falling: tuple[Point, ...] = ()
    offers: tuple[Area, ...] = ()
    taken: frozenset[int] = frozenset()
    line: Line | None = None
    choices: frozenset[Point] = frozenset()
    numbers: tuple[Number, ...] = ()
    focus: Zone | None = None
    blocks: bool = False
