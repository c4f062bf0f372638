"""What there is to see in a position, as shapes on the crossings: no pixels, no colours, no words.

Points are `rules.game.Point`: x to the right, y up from the bottom left, both from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.game import Point, Seat


@dataclass(frozen=True, slots=True)
class Stone:
    """A dot on a crossing; `captured` while it lies inside another player's base."""

    point: Point
    seat: Seat
    captured: bool = False


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


@dataclass(frozen=True, slots=True)
class Picture:
    """A field of `width` x `height` crossings and what lies on it. `last` are the points of the last move."""

    width: int
    height: int
    stones: tuple[Stone, ...] = ()
    areas: tuple[Area, ...] = ()
    last: tuple[Point, ...] = ()
    zone: Zone | None = None
