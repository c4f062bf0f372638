"""The input of the policy network: planes of numbers, one number for each crossing of the field.

A plane is a row of `room` numbers. It holds the field row by row, with MARGIN empty places behind each row and as many
empty rows before the first and after the last. So a place beside a crossing always exists, and is 0 off the field.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import HEIGHT, MAX_SIDE, STRIDE, WIDTH, Field
from opponent.dots.compiled import compiled
from opponent.dots.move_prior import move_prior
from opponent.dots.tables import ALIVE, ENCLOSED, OWNER, TAKEN
from opponent.dots.threats import gain
from opponent.dots.union_find import may_close

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

(
    MINE,
    THEIRS,
    MY_BASE,
    THEIR_BASE,
    MY_HOUSE,
    THEIR_HOUSE,
    LAST,
    PREVIOUS,
    CROSSING,
    CAPTURED,
    LOST,
    PRIOR,
    MAY_CLOSE,
    THEY_MAY_CLOSE,
) = range(14)
"""The planes, from the view of the player to act: alive dots; the rest of a base; free crossings in a closed face; the
newest two dots; all crossings; the dots that a dot here captures, and those that the opponent's would, five at most, in
fifths; the linear model's prior of a dot here, in quarters; whether a dot here may close a face."""

PLANES = 14

MARGIN = 4
"""The reach of a convolution."""

MOST_CAPTURED = 5

PRIOR_UNIT = 4
"""Of the plane PRIOR."""


class Layout(NamedTuple):
    """The places of a plane: where the first crossing lies, the step to the next row, and the length of a plane."""

    head: int
    stride: int
    room: int


@compiled("UniTuple(int64, 3)(int64, int64)")
def layout(width: int, height: int) -> tuple[int, int, int]:
    """Returns the Layout of a field's planes."""
    stride = width + MARGIN
    head = MARGIN * stride + 2 * MARGIN
    return head, stride, 2 * head + stride * height


LARGEST = Layout(*layout(MAX_SIDE, MAX_SIDE))


@compiled("void(int16[::1], int64, int64, int64, float32[::1], int64[::1])")
def draw_planes(field: Field, player: int, last: int, previous: int, planes: Floats, scratch: Numbers) -> None:
    """Writes the planes of a position one after another, where `player` is to act after the dots `previous` and `last`
    (0: none). The margins of `planes` must be 0."""
    other = 1 - player
    width, height, across = int(field[WIDTH]), int(field[HEIGHT]), int(field[STRIDE])
    head, stride, room = layout(width, height)
    for y in range(height):
        for x in range(width):
            cell, at = (y + 1) * across + x + 1, head + y * stride + x
            state = field[cell]
            for plane in range(PLANES):
                planes[plane * room + at] = 0
            planes[CROSSING * room + at] = 1
            if cell == last:
                planes[LAST * room + at] = 1
            if cell == previous:
                planes[PREVIOUS * room + at] = 1
            if state & ALIVE << player:
                planes[MINE * room + at] = 1
            elif state & ALIVE << other:
                planes[THEIRS * room + at] = 1
            elif state & OWNER << player:
                planes[MY_BASE * room + at] = 1
            elif state & OWNER << other:
                planes[THEIR_BASE * room + at] = 1
            if state & TAKEN:
                continue
            if state & ENCLOSED << player:
                planes[MY_HOUSE * room + at] = 1
            if state & ENCLOSED << other:
                planes[THEIR_HOUSE * room + at] = 1
            captured, lost = gain(field, player, cell), gain(field, other, cell)
            planes[CAPTURED * room + at] = np.float32(min(captured, MOST_CAPTURED)) / np.float32(MOST_CAPTURED)
            planes[LOST * room + at] = np.float32(min(lost, MOST_CAPTURED)) / np.float32(MOST_CAPTURED)
            prior = move_prior(field, player, cell, last, previous, 1, scratch)
            planes[PRIOR * room + at] = np.float32(prior) / np.float32(PRIOR_UNIT)
            if may_close(field, player, cell):
                planes[MAY_CLOSE * room + at] = 1
            if may_close(field, other, cell):
                planes[THEY_MAY_CLOSE * room + at] = 1
