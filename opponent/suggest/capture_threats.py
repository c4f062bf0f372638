"""What is at stake around a dot: the largest captures that a single dot would make there, for either side."""

from __future__ import annotations

from typing import NamedTuple

from opponent.suggest.adjacency import Survey
from rules.dots import DotsPosition, Links
from rules.picture import Zone
from rules.point import Point, Seat

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
    captures: dict[Seat, list[tuple[int, Point]]] = {
        Seat((position.to_act + turn) % position.rules.seats): [] for turn in range(position.rules.seats)
    }
    for move in position.moves(Zone.square(middle, REACH)):
        for seat, walls in survey.walls(move.dot).items():
            if dots := _captured(position, survey, seat, move.dot, walls):
                captures[seat].append((dots, move.dot))
    return [Stake(seat, point, dots) for seat, found in captures.items() if found for dots, point in [max(found)]]


def _captured(position: DotsPosition, survey: Survey, seat: Seat, point: Point, walls: int) -> int:
    """What a dot of `seat` captures there, where his `walls` stand beside it."""
    if walls.bit_count() < 2 or not _may_close(position, survey, seat, point, walls):
        return 0
    would = position.with_to_act(seat).would(point)
    return would.captures or max((offer.dots for offer in would.offers if point in offer.chain), default=0)


def _may_close(position: DotsPosition, survey: Survey, seat: Seat, point: Point, walls: int) -> bool:
    """Whether the dot may be part of a new chain, which is seen in a tenth of the time that `would` takes. Only far
    links need no neighbours for that, and with the last dot of all everything enclosed is closed."""
    if position.rules.links is Links.FAR or position.free == 1:
        return True
    met = survey.met(point, walls)
    return len(set(met)) < len(met) or survey.encloses(seat, point)
