"""Constants of a crossing: the bits of its state, and how walls part its eight neighbours.

Two players, 0 and 1. Directions are those of rules/dots/grid.py: 0 right, 1 up and right, and so on counterclockwise.
Even ones lead to the four neighbours that connect a face.
"""

from __future__ import annotations

import numpy as np

PLACED, OWNER, ENCLOSED, ALIVE = 1, 4, 16, 64
"""Bits of a crossing's state, for player 0; those of player 1 are twice as large. In this order: a dot that they
placed; their base; one of their closed faces; an alive dot of theirs."""

TAKEN = 3 * PLACED | 3 * OWNER
"""None of these bits is set on a free crossing."""

RIM = 3 * OWNER
"""The state of a cell off the field: never free, never alive."""

GAPS = np.zeros(256, np.int64)
"""The number of stretches of neighbours, each with one of the four, that the walls part: index a bit for each
direction. 0 where there are fewer than two separate walls, since a dot joins nothing there."""

GAP_WALL = np.zeros((256, 4), np.int64)
"""For each gap the direction of the wall on its clockwise side."""

GAP_SIDE = np.zeros((256, 4), np.int64)
"""For each gap the direction of one of the four neighbours in it."""

GAP_END = np.zeros((256, 4), np.int64)
"""For each gap the direction of the wall on its counterclockwise side."""

GAP_AT = np.full((256, 8), -1, np.int64)
"""The gap in which a direction lies, or -1."""

RUN = np.full((256, 8), -1, np.int64)
"""For each wall the direction of the last one, counterclockwise, that it is connected with; -1 where there are no
gaps."""

LOWEST = np.zeros(256, np.int64)
"""The lowest direction in which there is a wall."""

NEXT = np.zeros((256, 8), np.int64)
"""Walking along a wall, after a step in a direction: the sharpest turn to the left that meets a dot, from -4 (back) to
3."""

for _walls in range(1, 256):
    LOWEST[_walls] = (_walls & -_walls).bit_length() - 1
    _found = []
    for _wall in range(8):
        if not _walls >> _wall & 1:
            continue
        _step, _side = _wall + 1, -1
        while not _walls >> (_step & 7) & 1:
            if _step % 2 == 0:
                _side = _step & 7
            _step += 1
        if _side >= 0:
            _found.append((_wall, _side))
    if len(_found) > 1:
        GAPS[_walls] = len(_found)
        for _index, (_wall, _side) in enumerate(_found):
            _step = _wall + 1
            while not _walls >> (_step & 7) & 1:
                GAP_AT[_walls, _step & 7] = _index
                _step += 1
            GAP_END[_walls, _index] = _step & 7
            GAP_WALL[_walls, _index] = _wall
            GAP_SIDE[_walls, _index] = _side
        for _wall in range(8):
            if _walls >> _wall & 1:
                _begins = [wall for wall, _ in _found]
                RUN[_walls, _wall] = next(way & 7 for way in range(_wall, _wall + 8) if way & 7 in _begins)
    for _way in range(8):
        NEXT[_walls, _way] = next(turn for turn in range(3, -5, -1) if _walls >> (_way + turn & 7) & 1)
