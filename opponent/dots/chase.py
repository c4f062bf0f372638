"""Captures that can be forced: every dot of the attacker threatens one, until the defender cannot answer (ladders, and
threats of two captures at once)."""

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import CELLS, RINGS, ROOM, SIZE, STEPS, STRIDE, Field, copy
from opponent.dots.compiled import compiled
from opponent.dots.field import place, without
from opponent.dots.tables import ALIVE, ENCLOSED, GAPS, TAKEN
from opponent.dots.threats import gain

STEPS_AHEAD = 14
"""Dots of the attacker that a chase is followed."""

FIELDS = 2 * STEPS_AHEAD + 3
"""Fields that a chase needs as working space."""

MAX_TARGETS, MAX_COUNTERS = 4, 6
"""Crossings at which a dot may threaten to capture, and captures of the defender, that are looked at. A dot that allows
the defender more captures is no threat."""

TRIES = 400
"""Dots that are placed for each first dot of a chase."""

WORTH = 2
"""Dots that a chase captures at least."""

FOUND = (MAX_TARGETS + MAX_COUNTERS) * FIELDS + 1
"""Places of the list that a chase needs as working space."""

Rooms = npt.NDArray[np.int16]
Numbers = npt.NDArray[np.int64]


@compiled("int64(int16[::1], int64, int64, int64[::1], int64)")
def targets(field: Field, player: int, dot: int, found: Numbers, first: int) -> int:
    """Lists in `found`, from `first`, the crossings where `player` could capture with the help of the new `dot`.
    Returns their number."""
    count = 0
    if GAPS[field[RINGS + ROOM * player + dot]]:  # it joins walls, and may help far away
        for cell in range(field[STRIDE] + 1, field[CELLS] - field[STRIDE] - 1):
            if count < MAX_TARGETS and not field[cell] & TAKEN and gain(field, player, cell):
                found[first + count] = cell
                count += 1
        return count
    for way in range(8):
        cell = dot + field[STEPS + way]
        if count < MAX_TARGETS and not field[cell] & TAKEN and gain(field, player, cell):
            found[first + count] = cell
            count += 1
    return count


@compiled("int64(int16[::1], int64, int64[::1], int64)")
def counters(field: Field, player: int, found: Numbers, first: int) -> int:
    """Lists in `found`, from `first`, the crossings where `player` captures; returns their number."""
    count = 0
    for cell in range(field[STRIDE] + 1, field[CELLS] - field[STRIDE] - 1):
        if not field[cell] & TAKEN and gain(field, player, cell):
            if count < MAX_COUNTERS:
                found[first + count] = cell
            count += 1
    return count


@compiled("int64(int16[:, ::1], int64[::1], int64[::1], int64, int64, int64)")
def threaten(rooms: Rooms, found: Numbers, line: Numbers, depth: int, player: int, dot: int) -> int:
    """Returns how many dots `player` captures at least after placing `dot` on the field `rooms[depth]`, if each of
    their dots threatens a capture; 0 if the defender has an answer. The last place of `found` holds the number of
    dots that may still be tried; all else in `rooms` and `found` is working space.

    `line` gets, from `depth`, the dots of both up to the capture, and a 0 behind it; the defender saves what they can.
    """
    other = 1 - player
    after, reply = rooms[depth + 1], rooms[depth + 2]
    found[FOUND - 1] -= 1
    copy(rooms[depth], after)
    place(after, player, dot)
    first = (MAX_TARGETS + MAX_COUNTERS) * depth
    count = targets(after, player, dot, found, first)
    if count == 0:
        return 0
    answers = count + counters(after, other, found, first + count)
    if answers > count + MAX_COUNTERS:
        return 0
    least = 1 << 20
    stride = np.int64(after[STRIDE])
    for index in range(answers + (answers > 1)):  # the first answer is also the last, since its line is kept
        answer = found[first + index % answers]
        copy(after, reply)
        place(reply, other, answer)
        won = 0
        for target in range(count):
            cell = found[first + target]
            if not reply[cell] & TAKEN and gain(reply, player, cell) > won:
                won = gain(reply, player, cell)
                line[depth + 2], line[depth + 3] = cell, 0
        if won == 0 and depth + 2 < FIELDS - 2:
            for step in range(25):
                cell = answer + step % 5 - 2 + (step // 5 - 2) * stride
                if cell <= stride or cell >= after[CELLS] - stride - 1 or found[FOUND - 1] <= 0:
                    continue
                if reply[cell] & (TAKEN | ENCLOSED << other) or not reply[RINGS + ROOM * player + cell]:
                    continue
                won = threaten(rooms, found, line, depth + 2, player, cell)
                if won:
                    break
        if won == 0:
            return 0
        least = min(least, won)
    line[depth], line[depth + 1] = dot, found[first]
    return least


@compiled("int64(int16[:, ::1], int64[::1], int64[::1], int64[::1], int64)")
def chase(rooms: Rooms, found: Numbers, line: Numbers, best: Numbers, player: int) -> int:
    """Returns how many dots `player` captures at least by the chase on the field `rooms[0]` that captures most, or 0.
    `best` gets its line (see threaten); `line` is working space."""
    field = rooms[0]
    stride = np.int64(field[STRIDE])
    most = 0
    for cell in range(stride + 1, field[CELLS] - stride - 1):
        if field[cell] & (TAKEN | ENCLOSED << 1 - player) or not field[RINGS + ROOM * player + cell]:
            continue
        found[FOUND - 1] = TRIES
        won = threaten(rooms, found, line, 0, player, cell)
        if won > most:
            most = won
            for index in range(len(line)):
                best[index] = line[index]
    return most


@compiled("boolean(int16[:, ::1], int64[::1], int64, int64, int64)")
def presses(rooms: Rooms, found: Numbers, player: int, dot: int, prey: int) -> bool:
    """Returns whether `player`, after placing `dot` on the field `rooms[0]`, could capture the dot `prey` next."""
    copy(rooms[0], rooms[1])
    place(rooms[1], player, dot)
    for index in range(targets(rooms[1], player, dot, found, 0)):
        copy(rooms[1], rooms[2])
        place(rooms[2], player, found[index])
        if not rooms[2][prey] & ALIVE << 1 - player:
            return True
    return False


def got_away(field: Field, player: int, dot: int) -> bool:
    """Returns whether `player` has just placed `dot` where the opponent could have captured."""
    return bool(gain(without(field, dot), 1 - player, dot))


class Chaser:
    """Finds chases; holds the working space for that."""

    def __init__(self) -> None:
        self._rooms = np.zeros((FIELDS, SIZE), np.int16)
        self._found = np.zeros(FOUND, np.int64)
        self._lines = np.zeros((2, FIELDS + 2), np.int64)

    def find(self, field: Field, player: int) -> tuple[int, Numbers]:
        """Returns how many dots `player` captures at least by the chase that captures most, and its dots, by turns of
        both players, up to the first capture; 0 and none if there is none."""
        copy(field, self._rooms[0])
        line, best = self._lines
        won = chase(self._rooms, self._found, line, best, player)
        return won, best[: int(np.argmin(best != 0))].copy() if won else np.zeros(0, np.int64)

    def presses(self, field: Field, player: int, dot: int, prey: int) -> bool:
        """Returns whether a dot of `player` threatens to capture the opponent's dot `prey`."""
        copy(field, self._rooms[0])
        return presses(self._rooms, self._found, player, dot, prey)
