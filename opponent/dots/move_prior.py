"""The prior of a dot: features of it and of its surroundings, each with a weight."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import HEIGHT, RINGS, ROOM, STRIDE, WIDTH, Field
from opponent.dots.compiled import compiled
from opponent.dots.tables import ALIVE, ENCLOSED, GAPS
from opponent.dots.threats import gain
from opponent.dots.union_find import may_close

Numbers = npt.NDArray[np.int64]

AROUND = 0
"""Own and opposing dots at each of five distances, one, two, or three and more. The distances: beside, diagonal, two
steps straight, a knight's move, two steps diagonal."""
FROM_LAST, FROM_PREVIOUS = 30, 46
"""The distance of the last dot, and of the one before, as dx + dy + max(dx, dy): 2 to 17."""
EDGE = 62
"""In the first to fourth row from the edge."""
CAPTURES, SAVES = 66, 71
"""One to five or more dots that it captures, and that it saves from being captured."""
JOINS, CUTS = 76, 79
"""Two to four own walls, and opposing ones, that meet here."""
CLOSES, STOPS, BOTH = 82, 83, 84
"""It closes an empty house; it keeps the opponent from closing one; it joins and cuts at once."""
RING_MINE, RING_THEIRS = 85, 136
"""The own and the opposing dots among the eight neighbours: 51 patterns that no turning or mirroring makes the same."""


# fmt: off
WEIGHTS = np.array([
    39, -15, -48, 31, -55, -114, 33, 18, 7, -3, -43, -110, 13, 28, -7, -14, -22,  # AROUND
    -49, 23, 9, 6, 0, -20, -35, 2, -3, -10, -5, -10, -6,
    374, 369, 297, 286, 242, 204, 192, 157, 151, 122, 108, 76, 68, 84, 46, 71,  # FROM_LAST
    228, 203, 165, 135, 131, 110, 98, 80, 94, 79, 85, 78, 46, 59, 79, 27,  # FROM_PREVIOUS
    -133, -6, -16, 2,  # EDGE
    207, 178, 154, 141, 282,  # CAPTURES
    226, 156, 206, 198, 222,  # SAVES
    99, 154, 96,  # JOINS
    64, 47, -10,  # CUTS
    -75, 7, -35,  # CLOSES, STOPS, BOTH
    -59, 62, 49, -38, 24, -68, 37, 97, -7, 9, -99, -61, 87, 41, 108, -20, -13,  # RING_MINE
    -57, 100, 14, -13, 1, 22, 22, 43, -5, -32, 49, 17, 52, -17, 31, 3, -56,
    -29, -73, -94, 0, 0, 47, 0, 69, -59, 0, 0, 96, 67, -43, 22, -9, 0,
    -40, 72, 20, -33, 98, -89, 37, 85, -25, 39, -117, -116, 92, 15, -20, -24, -123,  # RING_THEIRS
    -37, 103, -9, 32, -4, -6, 107, 13, 10, 42, 50, 50, 26, 15, 12, -14, 23,
    61, -63, -42, 0, 0, -56, 0, -69, -24, 0, 0, -10, -66, -36, -34, -2, 0,
], np.float64) / 100
# fmt: on
"""Fitted to the moves of 14 recorded games of real players (conditional logit, 4,245 positions).

Of 100 positions the players chose the dot with the highest prior in 33, one of the best five in 62. They drew their
bases, and so could delay a capture: here a capture weighs one more.
"""


def _shapes() -> npt.NDArray[np.int64]:
    """Returns for each set of neighbours the number of its pattern: turned or mirrored it has the same one."""

    def turned(walls: int) -> list[int]:
        bits = [walls >> way & 1 for way in range(8)]
        return [
            sum(bits[(sign * way + 2 * quarter) & 7] << way for way in range(8))
            for quarter in range(4)
            for sign in (1, -1)
        ]

    smallest = [min(turned(walls)) for walls in range(256)]
    return np.array([sorted(set(smallest)).index(each) for each in smallest])


SHAPES = _shapes()

_STEPS_X = np.array([1, -1, 0, 0, 1, -1, 1, -1, 2, -2, 0, 0, 1, 2, 2, 1, -1, -2, -2, -1, 2, -2, 2, -2])
_STEPS_Y = np.array([0, 0, 1, -1, 1, 1, -1, -1, 0, 0, 2, -2, 2, 1, -1, -2, -2, -1, 1, 2, 2, 2, -2, -2])
_FAR = np.array([0] * 4 + [1] * 4 + [2] * 4 + [3] * 8 + [4] * 4)


@compiled("int64(int64[::1], int64, int64, int64, int64)")
def _count(found: Numbers, count: int, first: int, near: int, far: int) -> int:
    """Lists the features of the own and opposing dots at one distance. Returns the number of features."""
    if near:
        found[count] = AROUND + first + min(near, 3) - 1
        count += 1
    if far:
        found[count] = AROUND + first + 3 + min(far, 3) - 1
        count += 1
    return count


@compiled("int64(int16[::1], int64, int64, int64, int64, int64, int64[::1])")
def features(field: Field, player: int, cell: int, last: int, previous: int, sight: int, found: Numbers) -> int:
    """Lists in `found` the features of a dot of `player` on a free crossing. Returns their number. Without `sight`
    captures and saves are not examined."""
    other = 1 - player
    stride = np.int64(field[STRIDE])
    x, y = cell % stride, cell // stride
    width, height = field[WIDTH], field[HEIGHT]
    count = 0
    near = far = 0
    for index in range(24):
        if index in (4, 8, 12, 20):
            count = _count(found, count, 6 * _FAR[index - 1], near, far)
            near = far = 0
        dx, dy = _STEPS_X[index], _STEPS_Y[index]
        if 0 < x + dx <= width and 0 < y + dy <= height:
            state = field[cell + dx + dy * stride]
            if state & ALIVE << player:
                near += 1
            elif state & ALIVE << other:
                far += 1
    count = _count(found, count, 24, near, far)
    for first, at in ((FROM_LAST, last), (FROM_PREVIOUS, previous)):
        if at:
            dx, dy = abs(x - at % stride), abs(y - at // stride)
            away = dx + dy + max(dx, dy)
            if away <= 17:
                found[count] = first + away - 2
                count += 1
    edge = min(min(x, width + 1 - x), min(y, height + 1 - y))
    if edge <= 4:
        found[count] = EDGE + edge - 1
        count += 1
    mine, theirs = field[RINGS + ROOM * player + cell], field[RINGS + ROOM * other + cell]
    found[count], found[count + 1] = RING_MINE + SHAPES[mine], RING_THEIRS + SHAPES[theirs]
    count += 2
    if GAPS[mine]:
        found[count] = JOINS + GAPS[mine] - 2
        count += 1
        if sight and may_close(field, player, cell):
            captured = gain(field, player, cell)
            found[count] = CAPTURES + min(captured, 5) - 1 if captured else CLOSES
            count += 1
    if GAPS[theirs]:
        found[count] = CUTS + GAPS[theirs] - 2
        count += 1
        if sight and may_close(field, other, cell) and not field[cell] & ENCLOSED << player:
            lost = gain(field, other, cell)
            found[count] = SAVES + min(lost, 5) - 1 if lost else STOPS
            count += 1
        if GAPS[mine]:
            found[count] = BOTH
            count += 1
    return count


@compiled("float64(int16[::1], int64, int64, int64, int64, int64, int64[::1])")
def move_prior(field: Field, player: int, cell: int, last: int, previous: int, sight: int, found: Numbers) -> float:
    """Returns the prior of a dot: the logarithm of the chance that a player chooses it, up to a constant (see
    features)."""
    total = 0.0
    for index in range(features(field, player, cell, last, previous, sight, found)):
        total += WEIGHTS[found[index]]
    return total
