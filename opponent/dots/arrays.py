"""The array of a field, for two players and automatic closing by area.

One array of int16 holds everything, since compiled code is fastest with one. It is divided into rooms of `ROOM` places.
Their cells are those of rules.dots.grid.Grid, with a rim of one cell around the field:

- `BOARD`: the bits of each cell (see tables).
- `RINGS`: for each player and cell the directions, a bit each, in which an alive dot of theirs lies beside it.
- `LINKS`: a forest in which the dots of one connected wall have one root. Captures leave it as it is: dots with one
  root *may* be connected, dots with two are not.
- `TALLY`: single numbers, see below.
- The rest is scratch space, and no part of the state.

A state is undone by keeping a copy of it, which costs less than placing a few dots.
"""

import numpy as np
import numpy.typing as npt

from opponent.dots.compiled import compiled

Field = npt.NDArray[np.int16]

MAX_SIDE = 60
"""Crossings a side."""

ROOM = (MAX_SIDE + 1) * (MAX_SIDE + 2) + 1
BOARD, RINGS, LINKS, TALLY = 0, ROOM, 3 * ROOM, 4 * ROOM

SCORES, FREE, INTRUDED, CELLS, STRIDE, WIDTH, HEIGHT, STEPS = (TALLY + place for place in (0, 2, 3, 4, 5, 6, 7, 8))
"""In this order: two scores; the number of free crossings; the players (a bit each) in whose closed faces alive dots
of the other may lie; the number of cells with the rim; the number of cells a row; the sides of the field; the eight
steps."""

STATE = TALLY + 16
"""Here the state ends, and the scratch space begins."""

STAMP, WALKS = STATE, STATE + 1
"""The number of the last search, and four walks of three places."""

MARKS = STATE + 20
ORDER, FACE, CHAIN, INSIDE = MARKS + ROOM, MARKS + 2 * ROOM, MARKS + 3 * ROOM, MARKS + 4 * ROOM
"""In this order: the place of each dot in a chain; cells of a face; the dots of a chain; the insides of up to four
chains. MARKS holds the search in which each cell was last seen."""

SIZE = INSIDE + 4 * ROOM


@compiled("void(int16[::1], int16[::1])")
def copy(field: Field, to: Field) -> None:
    """Copies the state of `field` to `to`."""
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
    """Returns a number for a new search, with which nothing is marked."""
    if field[STAMP] == 32767:
        field[STAMP] = 0
        field[MARKS : MARKS + ROOM] = 0
    field[STAMP] += 1
    return int(field[STAMP])
