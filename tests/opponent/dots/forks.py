"""An exact solver of threats: the dots after which a capture cannot be avoided within two or three own dots.

Each dot before the capture threatens one. A defence lies where a dot would capture, or captures itself; any other
leaves the walls as they are.
"""

from __future__ import annotations

import numpy as np

from opponent.dots.arrays import CELLS, RINGS, ROOM, SCORES, Field
from opponent.dots.field import place
from opponent.dots.tables import ENCLOSED, GAPS, TAKEN
from opponent.dots.threats import gain


def winning_dots(field: Field, player: int, dots: int, least: int) -> list[int]:
    """Returns the cells where a dot of `player` makes a capture of at least so many dots unavoidable, so that it
    happens with one of the next `dots` (this one included). An immediate capture is such a dot too."""
    now = captures(field, player, least)
    if dots == 1:
        return now
    return now + [cell for cell in _free(field) if cell not in now and _forces(field, player, cell, dots, least)]


def captures(field: Field, player: int, least: int) -> list[int]:
    """Returns the cells where a dot of `player` captures at least so many dots at once."""
    return [
        cell
        for cell in _joining(field, player)
        if (field[cell] & ENCLOSED << player or gain(field, player, cell) >= least)
        and _won(field, _after(field, player, cell), player) >= least
    ]


def _forces(field: Field, player: int, cell: int, dots: int, least: int) -> bool:
    """Returns whether each defence against a dot leaves its player a dot that wins."""
    after, rival = _after(field, player, cell), 1 - player
    threats = captures(after, player, least)
    if not threats:
        return False
    for defence in dict.fromkeys([*threats, *captures(after, rival, 1)]):
        defended = _after(after, rival, defence)
        if _won(after, defended, rival) >= least or not _wins(defended, player, dots - 1, least):
            return False
    return True


def _wins(field: Field, player: int, dots: int, least: int) -> bool:
    if captures(field, player, least):
        return True
    return dots > 1 and any(_forces(field, player, cell, dots, least) for cell in _free(field))


def _after(field: Field, player: int, cell: int) -> Field:
    after = field.copy()
    place(after, player, cell)
    return after


def _won(before: Field, after: Field, player: int) -> int:
    return int(after[SCORES + player] - before[SCORES + player])


def _free(field: Field) -> list[int]:
    board = field[: int(field[CELLS])]
    return [int(cell) for cell in np.flatnonzero((board & TAKEN) == 0)]


def _joining(field: Field, player: int) -> list[int]:
    """Returns the free cells in a house of `player`, or between walls of theirs: only there a dot may capture."""
    cells = int(field[CELLS])
    board, walls = field[:cells], field[RINGS + ROOM * player : RINGS + ROOM * player + cells]
    may = (board & TAKEN == 0) & ((GAPS[walls] > 0) | (board & ENCLOSED << player != 0))
    return [int(cell) for cell in np.flatnonzero(may)]
