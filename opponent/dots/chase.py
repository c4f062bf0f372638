"""Captures that can be forced: every dot of the attacker threatens one, until the defender cannot answer (ladders, and
threats of two captures at once)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import CELLS, RINGS, ROOM, SIZE, STEPS, STRIDE, Field, copy
from opponent.dots.compiled import compiled
from opponent.dots.field import place
from opponent.dots.tables import ENCLOSED, GAPS, TAKEN
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


@compiled("int64(int16[:, ::1], int64[::1], int64, int64, int64)")
def threaten(rooms: Rooms, found: Numbers, depth: int, player: int, dot: int) -> int:
    """Returns how many dots `player` captures at least after placing `dot` on the field `rooms[depth]`, if each of
    their dots threatens a capture; 0 if the defender has an answer. The last place of `found` holds the number of
    dots that may still be tried; all else in `rooms` and `found` is working space."""
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
    for index in range(answers):
        answer = found[first + index]
        copy(after, reply)
        place(reply, other, answer)
        won = 0
        for target in range(count):
            cell = found[first + target]
            if not reply[cell] & TAKEN:
                won = max(won, gain(reply, player, cell))
        if won == 0 and depth + 2 < FIELDS - 2:
            for step in range(25):
                cell = answer + step % 5 - 2 + (step // 5 - 2) * stride
                if cell <= stride or cell >= after[CELLS] - stride - 1 or found[FOUND - 1] <= 0:
                    continue
                if reply[cell] & (TAKEN | ENCLOSED << other) or not reply[RINGS + ROOM * player + cell]:
                    continue
                won = threaten(rooms, found, depth + 2, player, cell)
                if won:
                    break
        if won == 0:
            return 0
        least = min(least, won)
    return least


@compiled("UniTuple(int64, 2)(int16[:, ::1], int64[::1], int64, int64, int64)")
def chase(rooms: Rooms, found: Numbers, player: int, near: int, tries: int) -> tuple[int, int]:
    """Returns a dot with which `player` forces a capture on the field `rooms[0]`, and how many dots it captures at
    least; 0, 0 if there is none. Only dots at most two steps from `near` are tried, unless that is 0. At most `tries`
    dots are placed for each."""
    field = rooms[0]
    stride = np.int64(field[STRIDE])
    best, most = 0, 0
    for cell in range(stride + 1, field[CELLS] - stride - 1):
        if field[cell] & (TAKEN | ENCLOSED << 1 - player) or not field[RINGS + ROOM * player + cell]:
            continue
        if near and max(abs(cell % stride - near % stride), abs(cell // stride - near // stride)) > 2:
            continue
        found[FOUND - 1] = tries
        won = threaten(rooms, found, 0, player, cell)
        if won > most:
            best, most = cell, won
    return best, most


class Chaser:
    """Finds chases; holds the working space for that."""

    def __init__(self) -> None:
        self._rooms = np.zeros((FIELDS, SIZE), np.int16)
        self._found = np.zeros(FOUND, np.int64)

    def line(self, field: Field, player: int) -> Numbers:
        """Returns the dots of the chase that captures most, by turns of `player` and of the defender, up to the first
        capture. Returns none if no chase captures two dots."""
        copy(field, self._rooms[0])
        first, won = chase(self._rooms, self._found, player, 0, TRIES)
        line: list[int] = []
        after = field.copy()
        dot = first if won >= WORTH else 0
        while dot:
            place(after, player, dot)
            count = targets(after, player, dot, self._found, 0)
            answer, others = int(self._found[0]), [int(cell) for cell in self._found[1:count]]
            line += [dot, answer]
            place(after, 1 - player, answer)
            captures = [cell for cell in others if not after[cell] & TAKEN and gain(after, player, cell)]
            if captures:
                line.append(captures[0])
                break
            copy(after, self._rooms[0])
            dot, _ = chase(self._rooms, self._found, player, answer, TRIES)
        return np.array(line, np.int64)
