"""A field as players see it: as shapes, and in letters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules.dots.consequences import offers
from rules.dots.field import Field
from rules.dots.options import Closing
from rules.dots.rules import DotsRules
from rules.game import Area, Picture, Point, Seat, Stone, Zone


@lru_cache(maxsize=64)
def picture(rules: DotsRules, field: Field, last: Point | None, zone: Zone | None) -> Picture:
    """Returns the field with its dots and bases, the last dot, the zone in which the next one must lie, and what may
    still be painted. Cached for the latest fields, by identity: a board and its text ask for the same picture several
    times."""
    grid, placed, alive = field.grid, field.placed, field.alive
    return Picture(
        grid.width,
        grid.height,
        stones=tuple(
            _stone(grid.point(cell), Seat(placed[cell] - 1), not alive[cell]) for cell in grid.crossings if placed[cell]
        ),
        areas=tuple(Area(Seat(base.player - 1), field.points(base.chain)) for base in field.bases),
        last=() if last is None else (last,),
        zone=zone,
        open=tuple(_paintable(rules, field)) if rules.closing is Closing.PAINTED else (),
    )


def _paintable(rules: DotsRules, field: Field) -> Iterator[Area]:
    """Yields the areas that each player may still paint."""
    for seat in map(Seat, range(rules.seats)):
        yield from (Area(seat, offer.chain) for offer in offers(rules, field, seat))


_stone = lru_cache(maxsize=4096)(Stone)
"""One value for all pictures of a dot."""


def rows(field: Field) -> list[str]:
    """Returns the field in letters, rows from the top.

    `.` is free. `R` `B` (`G` `V`) are alive dots of the seats in order; small letters are captured dots. `1` `2` (`3`
    `4`) are captured empty crossings by the owner's number. `-` is an empty crossing under a far link.
    """
    grid = field.grid
    letters = [
        ("RBGV" if field.alive[cell] else "rbgv")[field.placed[cell] - 1]
        if field.placed[cell]
        else ".1234-"[field.owner[cell]]
        for cell in grid.crossings
    ]
    width = grid.width
    return ["".join(letters[row * width : (row + 1) * width]) for row in reversed(range(grid.height))]
