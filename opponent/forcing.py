"""Proofs of what a player can force in a few dots of their own, by looking at every answer: those of an exercise.

A goal is a lead, in captured dots. It is forced *within* so many dots if one of them leads to it whatever the other
player does in between, passing included. Where it takes more than `quiet` dots, those before the last `quiet` must
threaten to reach it at once. A dot that begins no chain within its number is not tried: one that has none of its
player's dots near.
"""

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import CELLS, FREE, INTRUDED, RINGS, ROOM, SCORES, SIZE, STEPS, STRIDE, Field, copy
from opponent.dots.compiled import compiled
from opponent.dots.field import place
from opponent.dots.tables import ENCLOSED, TAKEN
from opponent.dots.threats import gain

TRIES, QUIET = 0, 1
"""Places of the bounds of a proof: the dots that may still be tried, and those within which no threat is needed."""

MAX_DOTS = 8
"""Dots of a player that are looked ahead."""

MAX_FREE = 14
"""Free crossings up to which an ending is played out."""

ROOMS = 2 * max(MAX_DOTS, MAX_FREE) + 2

PASS = 1
"""The answer that passes: a cell of the rim."""

Rooms = npt.NDArray[np.int16]
Numbers = npt.NDArray[np.int64]


class TooLong(Exception):
    """A proof would take more dots than it may."""


@compiled("int64(int16[::1], int64)")
def lead(field: Field, player: int) -> int:
    """Returns the lead of a player in captured dots."""
    return int(field[SCORES + player] - field[SCORES + 1 - player])


@compiled("boolean(int16[::1], int16[::1], int64, int64, int64)")
def reaches(field: Field, scratch: Field, player: int, goal: int, cell: int) -> bool:
    """Returns whether a dot of `player` on a free crossing reaches the goal at once."""
    intruder = field[cell] & ENCLOSED << player and field[INTRUDED] >> player & 1
    if not intruder and not gain(field, player, cell):
        return False
    copy(field, scratch)
    place(scratch, player, cell)
    return lead(scratch, player) >= goal


@compiled("boolean(int16[::1], int64, int64, int64)")
def near(field: Field, player: int, cell: int, dots: int) -> bool:
    """Returns whether a free crossing can be part of a chain of `player` that `dots` new dots complete."""
    if field[RINGS + ROOM * player + cell]:
        return True
    if dots > 2:
        for way in range(8):
            beside = cell + field[STEPS + way]
            if beside > 0 and beside < field[CELLS] and field[RINGS + ROOM * player + beside]:
                return True
    return False


@compiled("int64(int16[:, ::1], int64[::1], int64, int64, int64, int64)")
def forced(rooms: Rooms, bounds: Numbers, depth: int, player: int, goal: int, dots: int) -> int:
    """Returns the crossing of a dot by which `player`, to move on the field `rooms[depth]`, forces the goal within
    `dots`; 0 if there is none. If the tries are
    below 0, the result is worthless."""
    if dots < 1:
        return 0
    field, after, reply = rooms[depth], rooms[depth + 1], rooms[depth + 2]
    stride = np.int64(field[STRIDE])
    first, end = stride + 1, field[CELLS] - stride - 1
    for cell in range(first, end):
        if not field[cell] & TAKEN and reaches(field, after, player, goal, cell):
            return cell
    if dots == 1:
        return 0
    if dots > bounds[QUIET]:
        cell = forced(rooms, bounds, depth, player, goal, bounds[QUIET])
        if cell:
            return cell
    for cell in range(first, end):
        if field[cell] & (TAKEN | ENCLOSED << player) or not near(field, player, cell, dots):
            continue
        if field[cell] & ENCLOSED << 1 - player and not gain(field, player, cell):
            continue
        bounds[TRIES] -= 1
        if bounds[TRIES] < 0:
            return 0
        copy(field, after)
        place(after, player, cell)
        copy(after, reply)
        threat = forced(rooms, bounds, depth + 2, player, goal, 1 if dots > bounds[QUIET] else dots - 1)
        if not threat:
            continue
        wins = True
        # The answer at the threat itself is the likeliest to refute, then come all others.
        for turn in range(first - 1, end):
            answer = threat if turn < first else turn
            if after[answer] & TAKEN or (turn >= first and answer == threat):
                continue
            copy(after, reply)
            place(reply, 1 - player, answer)
            open_still = turn >= first and not reply[threat] & TAKEN
            if open_still and reaches(reply, rooms[depth + 3], player, goal, threat):
                continue
            if not forced(rooms, bounds, depth + 2, player, goal, dots - 1):
                wins = False
                break
        if wins:
            return cell
    return 0


@compiled("int64(int16[:, ::1], int64[::1], int64, int64, int64)")
def refuting(rooms: Rooms, bounds: Numbers, player: int, goal: int, dots: int) -> int:
    """Returns an answer of the other player, to move on the field `rooms[0]`, after which `player` can't force the goal
    within `dots`: a crossing, or PASS if nothing threatens; 0 if there is none."""
    field = rooms[0]
    if lead(field, player) >= goal:
        return 0
    stride = np.int64(field[STRIDE])
    copy(field, rooms[1])
    threat = forced(rooms, bounds, 1, player, goal, dots)
    if not threat:
        return PASS
    for turn in range(stride, field[CELLS] - stride - 1):
        answer = threat if turn == stride else turn
        if field[answer] & TAKEN:
            continue
        copy(field, rooms[1])
        place(rooms[1], 1 - player, answer)
        if not forced(rooms, bounds, 1, player, goal, dots):
            return answer
    return 0


@compiled("int64(int16[:, ::1], int64[::1], int64, int64, int64, int64)")
def final_lead(rooms: Rooms, bounds: Numbers, depth: int, player: int, low: int, high: int) -> int:
    """Returns the lead of `player`, to move on the field `rooms[depth]`, once it is full and both have played their
    best; only whether it is at most `low`, or at least `high`, if it is not between them."""
    field, after = rooms[depth], rooms[depth + 1]
    if field[FREE] == 0:
        return lead(field, player)
    bounds[TRIES] -= 1
    if bounds[TRIES] < 0:
        return low
    best = -10_000
    stride = np.int64(field[STRIDE])
    for cell in range(stride + 1, field[CELLS] - stride - 1):
        if field[cell] & TAKEN:
            continue
        copy(field, after)
        place(after, player, cell)
        value = -final_lead(rooms, bounds, depth + 1, 1 - player, -high, -max(low, best))
        if value > best:
            best = value
            if best >= high:
                break
    return best


class Forcing:
    """Proves what can be forced; holds the working space for that. Raises TooLong."""

    def __init__(self, tries: int, quiet: int) -> None:
        """`tries` is the number of dots that each proof may place."""
        self._rooms = np.zeros((ROOMS, SIZE), np.int16)
        self._bounds = np.array([tries, quiet], np.int64)
        self._tries = tries

    def forced(self, field: Field, player: int, goal: int, dots: int) -> int:
        """Returns the crossing of a dot by which `player`, to move, forces the goal within `dots`; 0 if none does."""
        self._enter(field)
        return self._known(forced(self._rooms, self._bounds, 0, player, goal, dots))

    def refuting(self, field: Field, player: int, goal: int, dots: int) -> int:
        """Returns an answer to the last dot of `player` after which they can't force the goal within `dots`: PASS if
        they threaten nothing, else a crossing; 0 if there is none."""
        self._enter(field)
        return self._known(refuting(self._rooms, self._bounds, player, goal, dots))

    def final_lead(self, field: Field, player: int, low: int, high: int) -> int:
        """Returns the lead of `player`, to move, once the field is full; exact if it is between `low` and `high`."""
        self._enter(field)
        return self._known(final_lead(self._rooms, self._bounds, 0, player, low, high))

    def _enter(self, field: Field) -> None:
        copy(field, self._rooms[0])
        self._bounds[TRIES] = self._tries

    def _known(self, found: int) -> int:
        if self._bounds[TRIES] < 0:
            raise TooLong
        return int(found)
