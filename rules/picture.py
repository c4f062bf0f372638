"""What there is to see in a position, as shapes on the crossings: no pixels, no colours, no words.

Points are `rules.game.Point`: x to the right, y up from the bottom left, both from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rules.point import Point, Seat


@dataclass(frozen=True, slots=True)
class Stone:
    """A dot on a crossing; `captured` while it lies inside another player's base, `credited` while it is part of a five
    of Dot Dash (drawn as a diamond)."""

    point: Point
    seat: Seat
    captured: bool = False
    credited: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A base: `ring` is its chain, each dot once, in order, closed from the last to the first. Older bases come first
    in a picture, so that an area drawn later covers what it swallowed."""

    seat: Seat
    ring: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle of crossings, both corners included, outside which the next dot may not lie."""

    low: Point
    high: Point

    @classmethod
    def square(cls, middle: Point, reach: int) -> Self:
        """Everything that lies so many columns and rows at most from `middle`, on a field or beyond its edge."""
        x, y = middle
        return cls(Point(x - reach, y - reach), Point(x + reach, y + reach))

    @classmethod
    def around(cls, point: Point, reach: int, width: int, height: int) -> Self:
        """The square of `2 * reach + 1` crossings a side with `point` in its middle, moved and cut so that it lies in a
        field of `width` x `height`."""
        side = 2 * reach + 1
        left, bottom = max(0, min(point.x - reach, width - side)), max(0, min(point.y - reach, height - side))
        right, top = min(left + side, width) - 1, min(bottom + side, height) - 1
        return cls(Point(left, bottom), Point(right, top))

    def holds(self, point: Point) -> bool:
        return self.low.x <= point.x <= self.high.x and self.low.y <= point.y <= self.high.y


@dataclass(frozen=True, slots=True)
class Number:
    """A number on a free crossing, for whoever chooses it by a button."""

    point: Point
    value: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A line through a credited five of Dot Dash, from its first stone to its last."""

    seat: Seat
    first: Point
    last: Point


@dataclass(frozen=True, slots=True)
class Trail:
    """The way of the last dash of Dot Dash, from the crossing that the stone left to the one that it reached."""

    seat: Seat
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Picture:
    """A field of `width` x `height` crossings and what lies on it. `last` are the points of the last move.

    The rest is shown on request. `houses` are closed areas without prisoners. `ghost` is a stone that is not placed
    yet, `plans` the areas that it would close, `falling` the stones that would be captured or lost. `offers` are
    areas that may be closed now, known to the player as 1, 2 and on in this order. `focus` is the part that matters;
    what lies outside fades. `blocks` says that the stones move about, as those of Dot Dash do, and are no dots.
    """

    width: int
    height: int
    stones: tuple[Stone, ...] = ()
    areas: tuple[Area, ...] = ()
    last: tuple[Point, ...] = ()
    zone: Zone | None = None
    bars: tuple[Bar, ...] = ()
    trail: Trail | None = None
    houses: tuple[Area, ...] = ()
    ghost: Stone | None = None
    plans: tuple[Area, ...] = ()
    falling: tuple[Point, ...] = ()
    offers: tuple[Area, ...] = ()
    numbers: tuple[Number, ...] = ()
    focus: Zone | None = None
    blocks: bool = False
