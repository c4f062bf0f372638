"""Dots that capture, or are captured, as soon as they are placed (docs/rules-reference.md, Automatic closing)."""

from __future__ import annotations

from rules.dots.enclosure import Enclosure, area, enclosure, face, measured, shortened
from rules.dots.field import Field
from rules.dots.options import Measure


def place(field: Field, player: int, cell: int, measure: Measure = Measure.AREA) -> None:
    """Puts a dot on a free crossing and makes the bases that follow from it."""
    intruded = field.intruded >> player & 1
    in_own_face = field.enclosed[cell] >> player & 1
    faces = field.put(player, cell)
    if in_own_face and intruded:
        faces = field.faces_beside(player, cell)
    captured = False
    # A shorter chain adds only crossings that are closed already; without intruders these hold no opponent's dot.
    candidates = [
        _measured(field, player, closed, measure)
        for closed in (enclosure(field.grid, field.alive, player, cells) for cells in faces)
        if intruded or field.holds_enemy(player, closed.inside)
    ]
    for closed in _smallest_first(field, candidates):
        if field.holds_enemy(player, closed.inside):
            field.capture(player, closed)
            captured = True
    entered = field.enclosed[cell] & ~(1 << player)
    if captured:
        field.intruded |= entered
    elif entered:
        owner, house = min(
            (
                (owner, _house(field, owner, cell, measure))
                for owner in range(1, len(field.scores) + 1)
                if entered >> owner & 1
            ),
            key=lambda one: (_hull_size(field, *one), area(field.grid, one[1].chain)),
        )
        field.capture(owner, house)


def _house(field: Field, owner: int, cell: int, measure: Measure) -> Enclosure:
    return measured(field.grid, field.alive, owner, face(field.grid, field.alive, owner, cell), measure)


def _hull_size(field: Field, owner: int, house: Enclosure) -> int:
    return sum(field.alive[cell] != owner for cell in house.inside)


def _measured(field: Field, player: int, closed: Enclosure, measure: Measure) -> Enclosure:
    return closed if measure is Measure.AREA else shortened(field.grid, field.alive, player, closed)


def _smallest_first(field: Field, enclosures: list[Enclosure]) -> list[Enclosure]:
    if len(enclosures) < 2:
        return enclosures
    return sorted(enclosures, key=lambda closed: area(field.grid, closed.chain))
