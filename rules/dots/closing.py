"""Automatic closing (RULES section 1): a dot captures, or is captured, as soon as it is placed."""

from __future__ import annotations

from rules.dots.enclosure import Enclosure, area, enclosure, face
from rules.dots.field import Field


def place(field: Field, player: int, cell: int) -> None:
    """Puts a dot on a free crossing and makes the bases that follow from it."""
    was_house = field.enclosed[cell] >> player & 1
    faces = field.put(player, cell)
    if was_house and field.intruded >> player & 1:
        faces = field.faces_beside(player, cell)
    captured = False
    for closed in _smallest_first(field, [enclosure(field.grid, field.alive, player, cells) for cells in faces]):
        if field.holds_enemy(player, closed.inside):
            field.take(player, closed)
            captured = True
    entered = field.enclosed[cell] & ~(1 << player)
    if captured:
        field.intruded |= entered
    elif entered:
        houses = {
            owner: enclosure(field.grid, field.alive, owner, face(field.grid, field.alive, owner, cell))
            for owner in range(1, len(field.scores) + 1)
            if entered >> owner & 1
        }
        owner = min(houses, key=lambda owner: area(field.grid, houses[owner].chain))
        field.take(owner, houses[owner])


def _smallest_first(field: Field, enclosures: list[Enclosure]) -> list[Enclosure]:
    if len(enclosures) < 2:
        return enclosures
    return sorted(enclosures, key=lambda closed: area(field.grid, closed.chain))
