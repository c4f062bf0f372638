"""Dots that capture, or are captured, as soon as they are placed, and areas that players paint, with dots that
capture nothing by themselves (docs/rules-reference.md, Automatic closing and Painted closing)."""

from heapq import heapify, heappop, heappush

from rules.dots.enclosure import Enclosure, area, enclosure, face, measured, shortened
from rules.dots.field import Field
from rules.dots.options import Measure
from rules.game import IllegalMove


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
