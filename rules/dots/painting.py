"""Painted closing (RULES section 4): a dot captures nothing by itself, its player paints the areas he has closed."""

from __future__ import annotations

from rules.dots.enclosure import Enclosure, area, enclosure, face
from rules.dots.field import Field
from rules.game import IllegalMove


def paintable(field: Field, player: int) -> list[tuple[int, Enclosure]]:
    """The areas that `player` may paint, the smallest first, each with a crossing in the face that it closes: an alive
    dot of somebody else if there is one, since that is what people point at."""
    mine = 1 << player
    unseen = {cell for cell in field.grid.crossings if field.enclosed[cell] & mine}
    found = []
    while unseen:
        cells = face(field.grid, field.alive, player, next(iter(unseen)))
        unseen -= cells
        closed = enclosure(field.grid, field.alive, player, cells)
        if field.holds_enemy(player, closed.inside):
            found.append((min(cells, key=lambda cell: (field.alive[cell] == 0, cell)), closed))
    return sorted(found, key=lambda one: (area(field.grid, one[1].chain), one[0]))


def paint(field: Field, player: int, cell: int, name: str) -> None:
    """Paints the area of `player` that `cell` lies in. Raises IllegalMove (`nothing_to_paint`)."""
    if not field.enclosed[cell] >> player & 1:
        raise IllegalMove("nothing_to_paint", point=name)
    closed = enclosure(field.grid, field.alive, player, face(field.grid, field.alive, player, cell))
    if not field.holds_enemy(player, closed.inside):
        raise IllegalMove("nothing_to_paint", point=name)
    field.take(player, closed)


def paint_all(field: Field) -> list[int]:
    """At the end everything enclosed is painted, the smallest areas first. Returns for each seat the number of empty
    crossings in the areas that became his."""
    empties = [0] * len(field.scores)
    areas = [
        (area(field.grid, closed.chain), player, closed)
        for player in range(1, len(field.scores) + 1)
        for _, closed in paintable(field, player)
    ]
    for _, player, closed in sorted(areas, key=lambda one: one[:2]):
        # A smaller area that was painted first may have taken the chain, or the prisoners.
        if field.holds_enemy(player, closed.inside) and all(field.alive[cell] == player for cell in closed.chain):
            empties[player - 1] += sum(field.is_free(cell) for cell in closed.inside)
            field.take(player, closed)
    return empties
