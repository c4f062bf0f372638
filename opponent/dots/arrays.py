"""The array that a field is, for two players and automatic closing by area.

One array of int16 holds all of it, since compiled code is quickest with one. It is parted into rooms of `ROOM` places,
in which the cells are those of rules.dots.grid.Grid, a rim of one cell around the field:

- `BOARD`: the bits of each cell (see tables).
- `RINGS`: for each player and cell, a bit for each direction in which an alive dot of his stands beside it.
- `LINKS`: a forest in which the dots of one connected wall have one root. Captures leave it as it is: dots with one
  root *may* be connected, dots with two are not.
- `TALLY`: single numbers, see below.
- The rest is room to work in, and no part of the state.

A state is undone by keeping a copy of it, which costs less than placing a few dots.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opponent.dots.compiled import compiled

Field = npt.NDArray[np.int16]

LARGEST = 60
"""Crossings a side."""

ROOM = (LARGEST + 1) * (LARGEST + 2) + 1
BOARD, RINGS, LINKS, TALLY = 0, ROOM, 3 * ROOM, 4 * ROOM

SCORES, FREE, INTRUDED, CELLS, STRIDE, WIDTH, HEIGHT, STEPS = (TALLY + place for place in (0, 2, 3, 4, 5, 6, 7, 8))
"""Two scores, the number of free crossings, the players (a bit each) in whose closed faces alive dots of the other may
stand, the number of cells with the rim, from row to row, the sides of the field, and the eight steps."""

STATE = TALLY + 16
"""Here the state ends, and the room to work in begins."""

STAMP, WALKS = STATE, STATE + 1
"""The number of the last search, and four walks of four places."""

MARKS = STATE + 20
ORDER, FACE, CHAIN, INSIDE = MARKS + ROOM, MARKS + 2 * ROOM, MARKS + 3 * ROOM, MARKS + 4 * ROOM
"""Which cells were seen in which search, where a dot stands in a chain, cells of a face, the dots of a chain, and what
up to four chains enclose."""

SIZE = INSIDE + 4 * ROOM


@compiled("void(int16[::1], int16[::1])")
def copy(field: Field, to: Field) -> None:
    """Makes `to` the same state."""
    cells = field[CELLS]
    for cell in range(cells):
        to[BOARD + cell] = field[BOARD + cell]
        to[LINKS + cell] = field[LINKS + cell]
        to[RINGS + cell] = field[RINGS + cell]
        to[RINGS + ROOM + cell] = field[RINGS + ROOM + cell]
    for place in range(TALLY, STATE):
        to[place] = field[place]


@compiled("int64(int16[::1])")
def stamp(field: Field) -> int:
    """A number for a new search, with which nothing is marked."""
    if field[STAMP] == 32767:
        field[STAMP] = 0
        field[MARKS : MARKS + ROOM] = 0
    field[STAMP] += 1
    return int(field[STAMP])
