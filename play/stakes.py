"""What is at stake around a dot: the largest captures that a single dot would make there, for either side."""

from __future__ import annotations

from typing import NamedTuple

from rules.dots import DotsPosition
from rules.game import IllegalMove, Point, Seat

REACH = 4
"""Crossings on each side of the dot that are looked at."""


class Stake(NamedTuple):
    """With a dot on `point` the player of `seat` captures `dots`, or may close an area that holds them."""

    seat: Seat
    point: Point
    dots: int


def stakes(position: DotsPosition, middle: Point) -> list[Stake]:
    """The best capture of each seat near `middle`, that of the seat to act first. Nothing once the game is over."""
    if position.outcome:
        return []
    seats = [Seat((position.to_act + turn) % position.game.seats) for turn in range(position.game.seats)]
    best = [max(_captures(position.with_to_act(seat), middle), default=None) for seat in seats]
    return [
        Stake(seat, point, dots) for seat, found in zip(seats, best, strict=True) if found for dots, point in [found]
    ]


def _captures(position: DotsPosition, middle: Point) -> list[tuple[int, Point]]:
    """The captures that the seat to act could make near `middle`."""
    own = {stone.point for stone in position.picture().stones if stone.seat == position.to_act and not stone.captured}
    found = []
    for x in range(middle.x - REACH, middle.x + REACH + 1):
        for y in range(middle.y - REACH, middle.y + REACH + 1):
            beside = sum((x + dx, y + dy) in own for dx in (-1, 0, 1) for dy in (-1, 0, 1))
            if beside < 2:  # a dot that joins nothing closes nothing
                continue
            try:
                would = position.would(Point(x, y))
            except IllegalMove:
                continue
            offered = max((offer.dots for offer in would.offers if (x, y) in offer.chain), default=0)
            if dots := would.captures or offered:
                found.append((dots, Point(x, y)))
    return found
