"""Drawn closing (RULES section 4): after his dot a player draws chains, or names what one should enclose."""

from __future__ import annotations

from collections.abc import Iterator

from rules.dots.enclosure import Enclosure, area, enclosure, face
from rules.dots.field import Field
from rules.dots.grid import Grid
from rules.game import IllegalMove, Point

MOST_SHARED = 1
"""Dots that a new boundary may share with the older ones inside it."""


def drawable(field: Field, player: int) -> list[tuple[int, Enclosure]]:
    """The smallest chains that `player` may draw, the smallest first, each with a dot that it encloses."""
    walls = _walls(field, player)
    found: dict[frozenset[int], tuple[int, Enclosure]] = {}
    unseen = set(_prey(field, player, field.grid.crossings))
    while unseen:
        cell = min(unseen)
        cells = _face(field, walls, player, cell)
        unseen -= cells or {cell}
        if cells:
            closed = enclosure(field.grid, walls, player, cells)
            if _shared(field, closed) <= MOST_SHARED:
                found.setdefault(frozenset(closed.chain), (cell, closed))
    return sorted(found.values(), key=lambda one: (area(field.grid, one[1].chain), one[0]))


def draw_round(field: Field, player: int, cell: int, name: str) -> None:
    """Draws the smallest chain of `player` round `cell`. Raises IllegalMove."""
    walls = _walls(field, player)
    cells = _face(field, walls, player, cell)
    if not cells:
        raise IllegalMove("not_enclosed", point=name)
    _take(field, player, enclosure(field.grid, walls, player, cells))


def draw(field: Field, player: int, chain: tuple[int, ...]) -> None:
    """Draws a chain of `player`, dot by dot. Raises IllegalMove."""
    walls, steps = _walls(field, player), field.grid.steps
    if len(set(chain)) < len(chain) or len(chain) < 4:
        raise IllegalMove("chain_repeats")
    if any(walls[cell] != player for cell in chain):
        raise IllegalMove("chain_not_of_own_dots")
    if any(after - cell not in steps for cell, after in _sections(chain)):
        raise IllegalMove("chain_has_gaps")
    if _crosses_itself(chain, field.grid):
        raise IllegalMove("chain_crosses_itself")
    _take(field, player, Enclosure(chain, _strictly_inside(field.grid, chain)))


def enclose_last(field: Field, cell: int) -> None:
    """The last dot of the game, put into a closed area of an opponent, is enclosed though nobody draws any more."""
    dot = field.alive[cell]
    houses = []
    for player in range(1, len(field.scores) + 1):
        if dot not in (0, player):
            walls = _walls(field, player)
            cells = _face(field, walls, player, cell)
            if cells:
                houses.append((player, enclosure(field.grid, walls, player, cells)))
    if houses:
        field.take(*min(houses, key=lambda house: area(field.grid, house[1].chain)))


def _take(field: Field, player: int, closed: Enclosure) -> None:
    if not any(_prey(field, player, closed.inside)):
        raise IllegalMove("chain_catches_nothing")
    if _shared(field, closed) > MOST_SHARED:
        raise IllegalMove("chain_shares_too_much", most=MOST_SHARED)
    field.take(player, closed)


def _walls(field: Field, player: int) -> bytearray:
    """The dots that `player` may draw through: alive, and in no base."""
    return bytearray(
        player if dot == player and not owner else 0 for dot, owner in zip(field.alive, field.owner, strict=True)
    )


def _prey(field: Field, player: int, cells: list[int] | tuple[int, ...]) -> Iterator[int]:
    """Those of `cells` with a dot of somebody else that is not the player's already."""
    return (cell for cell in cells if field.placed[cell] not in (0, player) and field.owner[cell] != player)


def _face(field: Field, walls: bytearray, player: int, cell: int) -> set[int]:
    """The closed face between the walls of `player` that holds `cell`; empty if it is open, or `cell` a wall.

    Whatever his alive dots close is marked. Those of them that are no walls stand in his bases, whose chains are.
    """
    if walls[cell] == player or not field.enclosed[cell] >> player & 1:
        return set()
    return face(field.grid, walls, player, cell)


def _shared(field: Field, closed: Enclosure) -> int:
    """How many dots the new chain shares with the boundaries of the bases inside it."""
    inside, chain = set(closed.inside), set(closed.chain)
    older = [chain.intersection(base.chain) for base in field.bases]
    return len(
        {
            cell
            for shared, base in zip(older, field.bases, strict=True)
            if shared and not inside.isdisjoint(_strictly_inside(field.grid, base.chain))
            for cell in shared
        }
    )


def _sections(chain: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    return zip(chain, (*chain[1:], chain[0]), strict=True)


def _crosses_itself(chain: tuple[int, ...], grid: Grid) -> bool:
    """Whether two diagonal steps cross in the middle of a square."""
    squares = set()
    for cell, after in _sections(chain):
        if after - cell in grid.steps[1::2]:
            square = cell + after
            if square in squares:
                return True
            squares.add(square)
    return False


def _strictly_inside(grid: Grid, chain: tuple[int, ...]) -> list[int]:
    """The crossings strictly inside a closed chain, row by row: a ray to the right meets it an odd number of times."""
    crossed: dict[int, list[int]] = {}
    for cell, after in _sections(chain):
        low, high = sorted((grid.point(cell), grid.point(after)), key=lambda point: point.y)
        if low.y < high.y:
            crossed.setdefault(low.y, []).append(low.x)
    on_chain = set(chain)
    inside = []
    for y, columns in crossed.items():
        columns.sort()
        for left, right in zip(columns[::2], columns[1::2], strict=True):
            row = grid.index(Point(left, y))
            inside += [cell for cell in range(row, row + right - left) if cell not in on_chain]
    return inside
