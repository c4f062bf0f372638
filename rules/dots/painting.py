"""Areas that players paint, with dots that capture nothing by themselves (docs/rules-reference.md, Painted closing)."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from rules.dots.enclosure import Enclosure, area, face, measured
from rules.dots.field import Field
from rules.dots.options import Measure
from rules.game import IllegalMove


def paintable(field: Field, player: int, measure: Measure) -> list[tuple[int, Enclosure]]:
    """Returns the areas that `player` may paint, the smallest first, each with a crossing in its face. That crossing
    holds an alive dot of an opponent if there is one, since players point at dots."""
    mine = 1 << player
    unseen = {cell for cell in field.grid.crossings if field.enclosed[cell] & mine}
    found = []
    while unseen:
        cells = face(field.grid, field.alive, player, next(iter(unseen)))
        unseen -= cells
        closed = measured(field.grid, field.alive, player, cells, measure)
        if field.holds_enemy(player, closed.inside):
            found.append((min(cells, key=lambda cell: (field.alive[cell] == 0, cell)), closed))
    return sorted(found, key=lambda one: (area(field.grid, one[1].chain), one[0]))


def paint(field: Field, player: int, cell: int, name: str, measure: Measure) -> None:
    """Paints the area of `player` that `cell` lies in. Raises IllegalMove (`nothing_to_paint`)."""
    closed = _round(field, player, cell, measure)
    if closed is None:
        raise IllegalMove("nothing_to_paint", point=name)
    field.capture(player, closed)


def paint_all(field: Field, measure: Measure) -> list[int]:
    """Paints everything enclosed, the smallest area first, as the end of a game does. Returns for each seat the
    number of empty crossings that became theirs."""
    players = range(1, len(field.scores) + 1)
    empty = [cell for cell in field.grid.crossings if field.is_free(cell)]
    waiting = [
        (area(field.grid, closed.chain), player, cell)
        for player in players
        for cell, closed in paintable(field, player, measure)
    ]
    heapify(waiting)
    while waiting:
        size, player, cell = heappop(waiting)
        # An area painted before may have captured its prisoners, or parts of its wall: then it is larger.
        if closed := _round(field, player, cell, measure):
            if area(field.grid, closed.chain) > size:
                heappush(waiting, (area(field.grid, closed.chain), player, cell))
            else:
                field.capture(player, closed)
    return [sum(field.owner[cell] == player for cell in empty) for player in players]


def _round(field: Field, player: int, cell: int, measure: Measure) -> Enclosure | None:
    """Returns the area of `player` that `cell` lies in, if they may paint it."""
    if not field.enclosed[cell] >> player & 1:
        return None
    closed = measured(field.grid, field.alive, player, face(field.grid, field.alive, player, cell), measure)
    return closed if field.holds_enemy(player, closed.inside) else None
