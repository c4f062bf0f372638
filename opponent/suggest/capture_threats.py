"""Capture threats around a dot: the largest captures that a single dot would make there, for either side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.dots import DotsPosition, Links
from rules.dots.adjacency import Adjacency
from rules.picture import Zone
from rules.point import Point, Seat

REACH = 4
"""Crossings on each side of the dot that are searched."""


class CaptureThreat(NamedTuple):
    """A threat: with a dot on `point` the player of `seat` captures `dots`, or may close an area that holds them."""

    seat: Seat
    point: Point
    dots: int


def capture_threats(position: DotsPosition, middle: Point) -> list[CaptureThreat]:
    """Returns the best capture of each seat near `middle`, that of the seat to act first; none once the game is
    over."""
    if position.outcome:
        return []
    adjacency = Adjacency(position)
    captures: dict[Seat, list[tuple[int, Point]]] = {
        Seat((position.to_act + turn) % position.rules.seats): [] for turn in range(position.rules.seats)
    }
    for move in position.moves(Zone.square(middle, REACH)):
        for seat, walls in adjacency.dots_around(move.dot).items():
            if dots := _captured(position, adjacency, seat, move.dot, walls):
                captures[seat].append((dots, move.dot))
    return [
        CaptureThreat(seat, point, dots) for seat, found in captures.items() if found for dots, point in [max(found)]
    ]


def capture_points(position: DotsPosition) -> Iterator[Point]:
    """Yields the points where a dot of the seat to act may be the last of a new chain."""
    adjacency, seat = Adjacency(position), position.to_act
    for move in position.moves():
        walls = adjacency.dots_around(move.dot).get(seat, 0)
        if walls.bit_count() > 1 and _may_close(position, adjacency, seat, move.dot, walls):
            yield move.dot


def _captured(position: DotsPosition, adjacency: Adjacency, seat: Seat, point: Point, walls: int) -> int:
    """Returns how many dots a dot of `seat` captures there; their `walls` are beside it."""
    if walls.bit_count() < 2 or not _may_close(position, adjacency, seat, point, walls):
        return 0
    effects = position.with_to_act(seat).consequences_of(point)
    return effects.captures or max((offer.dots for offer in effects.offers if point in offer.chain), default=0)


def _may_close(position: DotsPosition, adjacency: Adjacency, seat: Seat, point: Point, walls: int) -> bool:
    """Returns whether the dot may be part of a new chain; this takes a tenth of the time of `consequences_of`. Only
    far links need no neighbours for that. The last dot of all closes everything enclosed."""
    if position.rules.links is Links.FAR or position.free == 1:
        return True
    met = adjacency.joined_groups(point, walls)
    return len(set(met)) < len(met) or adjacency.encloses(seat, point)
