"""Constants of a crossing: the bits of its state, and how walls part its eight neighbours.

Two players, 0 and 1. Directions are those of rules/dots/grid.py: 0 right, 1 up and right, and so on counterclockwise.
Even ones lead to the four neighbours that connect a face.
"""

import numpy as np

from rules.dots import grid

PLACED, OWNER, ENCLOSED, ALIVE = 1, 4, 16, 64
"""Bits of a crossing's state, for player 0; those of player 1 are twice as large. In this order: a dot that they
placed; their base; one of their closed faces; an alive dot of theirs."""

TAKEN = 3 * PLACED | 3 * OWNER
"""None of these bits is set on a free crossing."""

RIM = 3 * OWNER
"""The state of a cell off the field: never free, never alive."""

STRAIGHT = 1 | 4 | 16 | 64
"""The directions of the four neighbours that connect a face, a bit each."""

GAPS = np.zeros(256, np.int8)
"""The number of stretches of neighbours, each with one of the four, that the walls part: index a bit for each
direction. 0 where there are fewer than two separate walls, since a dot joins nothing there."""

GAP_WALL = np.zeros((256, 4), np.int8)
"""For each gap the direction of the wall on its clockwise side."""

GAP_SIDE = np.zeros((256, 4), np.int8)
"""For each gap the direction of one of the four neighbours in it."""

GAP_END = np.zeros((256, 4), np.int8)
"""For each gap the direction of the wall on its counterclockwise side."""

GAP_AT = np.full((256, 8), -1, np.int8)
"""The gap in which a direction lies, or -1."""

RUN = np.full((256, 8), -1, np.int8)
"""For each wall the direction of the last one, counterclockwise, that it is connected with; -1 where there are no
gaps."""

LOWEST = np.zeros(256, np.int8)
"""The lowest direction in which there is a wall."""

NEXT = np.zeros((256, 8), np.int8)
"""Walking along a wall, after a step in a direction: the sharpest turn to the left that meets a dot, from -4 (back) to
3."""

for _walls, _gaps in enumerate(grid.GAPS[1:], start=1):
    LOWEST[_walls] = (_walls & -_walls).bit_length() - 1
    GAPS[_walls] = len(_gaps)
    for _index, _gap in enumerate(_gaps):
        GAP_WALL[_walls, _index], GAP_SIDE[_walls, _index] = _gap.wall, _gap.side
        GAP_END[_walls, _index] = _gap.wall + 1 + _gap.cells.bit_count() & 7
        for _way in range(8):
            if _gap.cells >> _way & 1:
                GAP_AT[_walls, _way] = _index
    for _way in range(8):
        if _gaps and _walls >> _way & 1:
            _ends = [gap.wall for gap in _gaps]
            RUN[_walls, _way] = next(way & 7 for way in range(_way, _way + 8) if way & 7 in _ends)
        NEXT[_walls, _way] = next(turn for turn in range(3, -5, -1) if _walls >> (_way + turn & 7) & 1)
