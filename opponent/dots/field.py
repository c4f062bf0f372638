"""A field of two players with automatic closing: made, placed on, and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opponent.dots.arrays import CELLS, FACE, FREE, HEIGHT, INTRUDED, LINKS, SCORES, SIZE, STEPS, STRIDE, WIDTH, Field
from opponent.dots.compiled import compiled
from opponent.dots.enclosing import enclose, enter
from opponent.dots.tables import ALIVE, ENCLOSED, OWNER, PLACED, RIM, TAKEN
from opponent.dots.union_find import point_at, unite, unite_all

if TYPE_CHECKING:
    from rules.dots import DotsPosition


def empty(width: int, height: int) -> Field:
    """Returns a field without a dot."""
    field = np.zeros(SIZE, np.int16)
    stride = width + 1
    field[CELLS] = cells = stride * (height + 2) + 1
    field[:cells] = RIM
    for y in range(height):
        first = (y + 1) * stride + 1
        field[first : first + width] = 0
    field[LINKS : LINKS + cells] = np.arange(cells)
    field[FREE] = width * height
    field[STRIDE], field[WIDTH], field[HEIGHT] = stride, width, height
    field[STEPS : STEPS + 8] = 1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1
    return field


def from_position(position: DotsPosition) -> Field:
    """Returns the field of a position, with dots in their own bases, which rows do not tell from others."""
    field = from_rows(position.rows(), (position.field.scores[0], position.field.scores[1]))
    for cell, owner in enumerate(position.field.owner):
        if owner:
            field[cell] |= OWNER << owner - 1
    return field


def from_rows(rows: list[str], scores: tuple[int, int]) -> Field:
    """Returns the field of `DotsPosition.rows()`: letters, from the top row."""
    field = empty(len(rows[0]), len(rows))
    stride = int(field[STRIDE])
    for up, row in enumerate(reversed(rows)):
        for x, letter in enumerate(row):
            if letter != ".":
                field[(up + 1) * stride + 1 + x] = _bits(letter)
                field[FREE] -= 1
    field[SCORES : SCORES + 2] = scores
    survey(field)
    return field


def without(field: Field, cell: int) -> Field:
    """Returns the field without the dot on `cell`; what it captured stays captured."""
    before, cells = empty(int(field[WIDTH]), int(field[HEIGHT])), int(field[CELLS])
    before[:cells] = field[:cells] & (TAKEN | 3 * ALIVE)
    before[cell] = 0
    before[FREE] = field[FREE] + 1
    before[SCORES : SCORES + 2] = field[SCORES : SCORES + 2]
    survey(before)
    return before


def rows(field: Field) -> list[str]:
    """Returns the field in letters, as `DotsPosition.rows()`."""
    stride, width, height = int(field[STRIDE]), int(field[WIDTH]), int(field[HEIGHT])
    firsts = [(y + 1) * stride + 1 for y in reversed(range(height))]
    return ["".join(map(_letter, field[first : first + width].tolist())) for first in firsts]


def _bits(letter: str) -> int:
    if letter in "RB":
        return (PLACED | ALIVE) << "RB".index(letter)
    if letter in "rb":
        return PLACED << "rb".index(letter) | OWNER << "br".index(letter)
    return OWNER << "12".index(letter)


def _letter(state: int) -> str:
    for player in range(2):
        if state & PLACED << player:
            return "RB"[player] if state & ALIVE << player else "rb"[player]
    return ".12"[state // OWNER & 3]


@compiled("void(int16[::1])")
def survey(field: Field) -> None:
    """Computes the derived state of dots and bases: the directions of the dots, the forest, and the closed faces."""
    cells, stride, width, height = field[CELLS], np.int64(field[STRIDE]), field[WIDTH], field[HEIGHT]
    for player in range(2):
        for cell in range(cells):
            if field[cell] & ALIVE << player:
                point_at(field, player, cell)
    for player in range(2):
        alive, inside = ALIVE << player, ENCLOSED << player
        for cell in range(cells):
            if field[cell] & alive:
                unite_all(field, player, cell)
            elif field[cell] & RIM != RIM:
                field[cell] |= inside
        # Crossings connected with the edge lie in the open, all others in closed faces.
        count = 0
        for y in range(height):
            for x in range(width):
                border = (y + 1) * stride + 1 + x
                if (x == 0 or y == 0 or x == width - 1 or y == height - 1) and field[border] & inside:
                    field[border] &= 255 - inside
                    field[FACE + count] = border
                    count += 1
        while count:
            count -= 1
            here = field[FACE + count]
            for step in (1, stride, -1, -stride):
                if field[here + step] & inside:
                    field[here + step] &= 255 - inside
                    field[FACE + count] = here + step
                    count += 1
        for cell in range(cells):
            if field[cell] & inside and field[cell] & ALIVE << 1 - player:
                field[INTRUDED] |= 1 << player


@compiled("boolean(int16[::1], int64, int64)")
def place(field: Field, player: int, cell: int) -> bool:
    """Puts a dot of `player` on a free crossing and makes bases (docs/rules-reference.md, Automatic closing).

    Returns whether any followed.
    """
    state = field[cell]
    mine = ENCLOSED << player
    field[FREE] -= 1
    field[cell] = (state | (PLACED | ALIVE) << player) & (255 - mine)
    field[LINKS + cell] = cell
    point_at(field, player, cell)
    joined = unite(field, player, cell)
    captured = False
    if state & mine:
        if field[INTRUDED] >> player & 1:
            captured = enclose(field, player, cell, True)
    elif joined:
        captured = enclose(field, player, cell, False)
    if state & ENCLOSED << 1 - player:
        if captured:
            field[INTRUDED] |= 1 << 1 - player
        else:
            enter(field, 1 - player, cell)
            captured = True
    return captured
