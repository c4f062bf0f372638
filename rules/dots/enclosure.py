"""Closed faces, their chains and hulls (docs/rules-reference.md, Terms and Which chain), found by walking along walls.

`alive` gives for each cell the number of the player whose alive dot is there (seat + 1), or 0.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.dots.grid import Grid
from rules.dots.options import Measure
from rules.dots.shortest import shortest_chain


class Enclosure(NamedTuple):
    """A chain of alive dots of one player, each once, counterclockwise, and the crossings strictly `inside` it. The
    first of them lies in the face that is closed; some may have alive dots of the same player."""

    chain: tuple[int, ...]
    inside: list[int]


def encloses(grid: Grid, alive: bytearray, player: int, start: int, wall: int) -> tuple[bool, int]:
    """Returns whether the wall that leaves the dot `start` in the direction `wall` encloses the cells on its left.

    Walks once round, close to the cells on the left, and adds up the turns: one full turn to the left means that the
    wall goes round them. Also returns a bit for each direction in which the walk left `start`: gaps behind those walls
    are the same face.
    """
    steps = grid.steps
    here, way = start + steps[wall], wall
    left_by = 1 << wall
    turns = 0
    while True:
        turn = 3  # from the sharpest left to straight back
        way = way + 3 & 7
        while alive[here + steps[way]] != player:
            turn -= 1
            way = way - 1 & 7
        turns += turn
        if here == start:
            if way == wall:
                return turns > 0, left_by
            left_by |= 1 << way
        here += steps[way]


def enclosure(grid: Grid, alive: bytearray, player: int, face: set[int]) -> Enclosure:
    """Returns the chain with the smallest area of `player` round their closed `face`, and its inside."""
    top = max(cell // grid.stride for cell in face)
    first = min(cell for cell in face if cell // grid.stride == top)
    chain = _chain(grid, alive, player, first)
    return Enclosure(chain, _inside(grid, first, chain))


def measured(grid: Grid, alive: bytearray, player: int, face: set[int], measure: Measure) -> Enclosure:
    """Returns the smallest chain of `player` round their closed `face` by the measure of the game, and its inside."""
    closed = enclosure(grid, alive, player, face)
    return closed if measure is Measure.AREA else shortened(grid, alive, player, closed)


def shortened(grid: Grid, alive: bytearray, player: int, closed: Enclosure) -> Enclosure:
    """Returns the chain with the fewest dots round the same face."""
    chain = shortest_chain(grid, alive, player, closed.inside, closed.chain)
    return closed if chain is closed.chain else Enclosure(chain, _inside(grid, closed.inside[0], chain))


def face(grid: Grid, alive: bytearray, player: int, cell: int) -> set[int]:
    """Returns the closed face of `player` that holds `cell`: all cells connected with it without an alive dot of
    theirs."""
    right, _, up, _, left, _, down, _ = grid.steps
    region = {cell}
    waiting = [cell]
    for cell in waiting:
        for neighbour in (cell + right, cell + up, cell + left, cell + down):
            if alive[neighbour] != player and neighbour not in region:
                region.add(neighbour)
                waiting.append(neighbour)
    return region


def area(grid: Grid, chain: tuple[int, ...]) -> int:
    """Returns twice the area of a chain, by the shoelace formula, in squares of the paper."""
    total = 0
    x0, y0 = grid.point(chain[-1])
    for cell in chain:
        x, y = grid.point(cell)
        total += x0 * y - x * y0
        x0, y0 = x, y
    return abs(total)


def _chain(grid: Grid, alive: bytearray, player: int, top: int) -> tuple[int, ...]:
    """Returns the smallest chain around the face whose topmost crossing (of these the leftmost) is `top`.

    Walks from the dot above `top` round the face, with the face on the left, by the leftmost step. A dot that is met
    again has a loop or a tail hanging on it inside the face, which is cut off. The first dot is met again only at the
    end, since no crossing of the face lies beside or above it.
    """
    steps = grid.steps
    start = here = top + steps[2]
    way = 2
    chain = [start]
    place = {start: 0}
    while True:
        way = way + 3 & 7
        while alive[here + steps[way]] != player:
            way = way - 1 & 7
        here += steps[way]
        if here == start:
            return tuple(chain)
        if here in place:
            keep = place[here] + 1
            for cell in chain[keep:]:
                del place[cell]
            del chain[keep:]
        else:
            place[here] = len(chain)
            chain.append(here)


def _inside(grid: Grid, cell: int, chain: tuple[int, ...]) -> list[int]:
    """Returns the crossings strictly inside `chain`, of which `cell` is one. They are connected: two dots of the
    chain that separated them diagonally would be neighbours, and a chain through both would be smaller."""
    right, _, up, _, left, _, down, _ = grid.steps
    seen = set(chain)
    seen.add(cell)
    inside = [cell]
    for cell in inside:
        for neighbour in (cell + right, cell + up, cell + left, cell + down):
            if neighbour not in seen:
                seen.add(neighbour)
                inside.append(neighbour)
    return inside
