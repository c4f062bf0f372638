"""The prior of a dot: features of it and of its surroundings, each with a weight."""

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import HEIGHT, RINGS, ROOM, STRIDE, WIDTH, Field
from opponent.dots.compiled import compiled
from opponent.dots.move_weights import WEIGHTS
from opponent.dots.tables import ENCLOSED, GAPS
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
RING = 85
"""The dots on the eight neighbours: one of PATTERNS."""

PATTERNS = 954
"""Of own and opposing dots on the eight neighbours, no two the same when turned or mirrored."""

THREES = np.array([sum(3**way for way in range(8) if walls >> way & 1) for walls in range(256)])
"""The directions in a set of neighbours as digits of a number to the base three."""


def _shapes() -> npt.NDArray[np.int16]:
    """Returns the number of each pattern: THREES of its own dots and twice THREES of the opposing ones."""

    def turned(walls: int) -> list[int]:
        bits = [walls >> way & 1 for way in range(8)]
        return [
            sum(bits[(sign * way + 2 * quarter) & 7] << way for way in range(8))
            for quarter in range(4)
            for sign in (1, -1)
        ]

    turns = [turned(walls) for walls in range(256)]
    pairs = [(mine, theirs) for mine in range(256) for theirs in range(256) if not mine & theirs]
    smallest = {pair: min(zip(turns[pair[0]], turns[pair[1]], strict=True)) for pair in pairs}
    numbers = {pair: number for number, pair in enumerate(sorted(set(smallest.values())))}
    shapes = np.zeros(3**8, np.int16)
    for mine, theirs in pairs:
        shapes[THREES[mine] + 2 * THREES[theirs]] = numbers[smallest[mine, theirs]]
    return shapes


SHAPES = _shapes()

BITS = np.array([walls.bit_count() for walls in range(256)], np.int8)
"""The number of directions in a set of neighbours."""


@compiled("int64(int16[::1], int64, int64, int64, int64, int64[::1])")
def _around(field: Field, player: int, cell: int, first: int, count: int, found: Numbers) -> int:
    """Lists the features of the dots of `player` at each distance from a crossing. Returns the number of features.

    A dot two steps away is a neighbour of a neighbour. The cells beside the field's left and right edge are the same
    ones, so they know dots of both.
    """
    ring, stride = RINGS + ROOM * player + cell, np.int64(field[STRIDE])
    x = cell % stride
    near, up, down = field[ring], field[ring + stride], field[ring - stride]
    right = left = corners = np.int64(0)
    if x < field[WIDTH]:
        right = np.int64(field[ring + 1])
        corners = (field[ring + stride + 1] & 2) | (field[ring - stride + 1] & 128)
    if x > 1:
        left = np.int64(field[ring - 1])
        corners |= (field[ring + stride - 1] & 8) | (field[ring - stride - 1] & 32)
    straight = (right & 1) + (up >> 2 & 1) + (left >> 4 & 1) + (down >> 6 & 1)
    knights = BITS[right & 130] + BITS[up & 10] + BITS[left & 40] + BITS[down & 160]
    counts = (np.int64(BITS[near & 85]), np.int64(BITS[near & 170]), straight, knights, np.int64(BITS[corners]))
    for distance in range(5):
        if counts[distance]:
            found[count] = AROUND + 6 * distance + first + min(counts[distance], 3) - 1
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
    count = _around(field, player, cell, 0, 0, found)
    count = _around(field, other, cell, 3, count, found)
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
    found[count] = RING + SHAPES[THREES[mine] + 2 * THREES[theirs]]
    count += 1
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
