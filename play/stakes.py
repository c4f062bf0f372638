"""What is at stake around a dot: the largest captures that a single dot would make there, for either side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from play.survey import Survey
from rules.dots import DotsPosition, Links
from rules.game import Point, Seat
from rules.picture import Zone

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
    survey = Survey(position)
    seats = [Seat((position.to_act + turn) % position.game.seats) for turn in range(position.game.seats)]
    best = [max(_captures(position.with_to_act(seat), survey, middle), default=None) for seat in seats]
    return [
        Stake(seat, point, dots) for seat, found in zip(seats, best, strict=True) if found for dots, point in [found]
    ]


def _captures(position: DotsPosition, survey: Survey, middle: Point) -> Iterator[tuple[int, Point]]:
    """The captures that the seat to act could make near `middle`."""
    for move in position.moves(Zone.square(middle, REACH)):
        point = move.dot
        if _may_close(position, survey, point):
            would = position.would(point)
            offered = max((offer.dots for offer in would.offers if point in offer.chain), default=0)
            if dots := would.captures or offered:
                yield dots, point


def _may_close(position: DotsPosition, survey: Survey, point: Point) -> bool:
    """Whether a dot there can be part of a new chain: it is seen in a tenth of the time that `would` takes."""
    mover = position.to_act
    walls = survey.walls(point).get(mover, 0)
    if walls.bit_count() < 2:  # a dot that joins nothing closes nothing
        return False
    met = survey.met(point, walls)
    return len(set(met)) < len(met) or survey.encloses(mover, point) or position.game.links is Links.FAR
