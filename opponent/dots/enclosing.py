"""Bases (docs/rules-reference.md, Automatic closing): the faces that a dot closes, and the dots captured or freed."""

import numpy as np

from opponent.dots.arrays import (
    CHAIN,
    FACE,
    FREE,
    INSIDE,
    INTRUDED,
    MARKS,
    ORDER,
    RINGS,
    ROOM,
    SCORES,
    STEPS,
    STRIDE,
    Field,
    stamp,
)
from opponent.dots.compiled import compiled
from opponent.dots.tables import ALIVE, ENCLOSED, GAP_SIDE, GAPS, NEXT, OWNER, PLACED, STRAIGHT, TAKEN
from opponent.dots.union_find import closed_gaps, point_at, point_away, unite_all


@compiled("UniTuple(int64, 2)(int16[::1], int64, int64, int64)")
def flood(field: Field, player: int, cell: int, mark: int) -> tuple[int, int]:
    """Lists the closed face of `player` that holds `cell` in the room FACE and marks it. Returns its size, and how
    many alive dots of the opponent lie in it."""
    stride = np.int64(field[STRIDE])
    mine, theirs = ALIVE << player, ALIVE << 1 - player
    field[FACE] = cell
    field[MARKS + cell] = mark
    size, done, enemies = 1, 0, 0
    while done < size:
        here = field[FACE + done]
        done += 1
        if field[here] & theirs:
            enemies += 1
        for step in (1, stride, -1, -stride):
            beside = here + step
            if field[MARKS + beside] != mark and not field[beside] & mine:
                field[MARKS + beside] = mark
                field[FACE + size] = beside
                size += 1
    return size, enemies


@compiled("int64(int16[::1], int64)")
def _topmost(field: Field, size: int) -> int:
    """Returns the topmost crossing, of these the leftmost, of the face listed in the room FACE."""
    stride = np.int64(field[STRIDE])
    highest = 0
    for index in range(FACE, FACE + size):
        highest = max(highest, field[index])
    left = highest // stride * stride
    first = highest
    for index in range(FACE, FACE + size):
        if field[index] >= left:
            first = min(first, field[index])
    return first


@compiled("UniTuple(int64, 2)(int16[::1], int64, int64)")
def chain(field: Field, player: int, top: int) -> tuple[int, int]:
    """Lists the smallest chain round the face whose topmost crossing (of these the leftmost) is `top`. Walks from
    the dot above it by the leftmost step, and cuts off loops. Returns the number of dots, and twice the area."""
    stride = np.int64(field[STRIDE])
    ring = RINGS + ROOM * player
    start = here = top + stride
    field[CHAIN] = start
    field[ORDER + start] = 1
    length, way = 1, 2
    while True:
        way = way + NEXT[field[ring + here], way] & 7
        here += field[STEPS + way]
        if here == start:
            break
        keep = field[ORDER + here]
        if keep:
            for index in range(keep, length):
                field[ORDER + field[CHAIN + index]] = 0
            length = keep
        else:
            field[CHAIN + length] = here
            length += 1
            field[ORDER + here] = length
    area = 0
    x0, y0 = field[CHAIN + length - 1] % stride, field[CHAIN + length - 1] // stride
    for index in range(CHAIN, CHAIN + length):
        x, y = field[index] % stride, field[index] // stride
        area += x0 * y - x * y0
        x0, y0 = x, y
        field[ORDER + field[index]] = 0
    return length, abs(area)


@compiled("int64(int16[::1], int64, int64, int64)")
def fill(field: Field, first: int, length: int, index: int) -> int:
    """Lists the inside of the chain just found, `first` among it, in room INSIDE + `index`. Returns the number of
    crossings."""
    stride = np.int64(field[STRIDE])
    mark = stamp(field)
    for dot in range(CHAIN, CHAIN + length):
        field[MARKS + field[dot]] = mark
    start = INSIDE + index * ROOM
    field[start] = first
    field[MARKS + first] = mark
    size, done = 1, 0
    while done < size:
        here = field[start + done]
        done += 1
        for step in (1, stride, -1, -stride):
            beside = here + step
            if field[MARKS + beside] != mark:
                field[MARKS + beside] = mark
                field[start + size] = beside
                size += 1
    return size


@compiled("void(int16[::1], int64, int64)")
def _fall(field: Field, player: int, fallen: int) -> None:
    """Joins the faces of `player` that the dots listed in the room FACE parted: one that touches an open face is
    open."""
    stride = np.int64(field[STRIDE])
    alive, inside = ALIVE << player, ENCLOSED << player
    for index in range(FACE, FACE + fallen):
        field[field[index]] |= inside
    count = 0
    for index in range(FACE, FACE + fallen):
        cell = field[index]
        for step in (1, stride, -1, -stride):
            if not field[cell + step] & (alive | inside):
                field[CHAIN + count] = cell
                field[cell] &= 255 - inside
                count += 1
                break
    while count:
        count -= 1
        cell = field[CHAIN + count]
        for step in (1, stride, -1, -stride):
            if field[cell + step] & inside:
                field[cell + step] &= 255 - inside
                field[CHAIN + count] = cell + step
                count += 1


@compiled("void(int16[::1], int64, int64, int64)")
def capture(field: Field, player: int, start: int, size: int) -> None:
    """Makes a base of `player` of the listed crossings: dots of the opponent are captured, their own are freed."""
    other = 1 - player
    alive, inside, owner = ALIVE << player, ENCLOSED << player, OWNER << player
    fallen, freed = 0, 0
    for index in range(start, start + size):
        cell = field[index]
        state = field[cell]
        if state & alive:
            field[cell] = state | owner
            continue
        if state & owner:
            field[cell] = state | inside
            continue
        now = (state | inside | owner) & (255 - (OWNER << other))
        if not state & 3 * PLACED:
            if not state & TAKEN:
                field[FREE] -= 1
        elif state & PLACED << player:
            field[SCORES + other] -= 1
            now = (now | alive) & (255 - inside)
            if now & ENCLOSED << other:
                field[INTRUDED] |= 1 << other
            point_at(field, player, cell)
            field[ORDER + freed] = cell
            freed += 1
        else:
            field[SCORES + player] += 1
            if state & ALIVE << other:
                now &= 255 - (ALIVE << other)
                point_away(field, other, cell)
                field[FACE + fallen] = cell
                fallen += 1
        field[cell] = now
    for index in range(ORDER, ORDER + freed):
        unite_all(field, player, field[index])
        field[index] = 0
    _fall(field, other, fallen)


@compiled("UniTuple(int64, 4)(UniTuple(int64, 4), int64, int64)")
def _with(four: tuple[int, int, int, int], index: int, value: int) -> tuple[int, int, int, int]:
    """Returns four numbers, one of them changed: cheaper than an array."""
    a, b, c, d = four
    if index == 0:
        return value, b, c, d
    if index == 1:
        return a, value, c, d
    if index == 2:
        return a, b, value, d
    return a, b, c, value


@compiled("int64(int16[::1], int64, int64)")
def _only_crossing(field: Field, player: int, cell: int) -> int:
    """Returns the crossing that is the whole face which a dot has closed, or 0: most faces are as small as that."""
    ring = RINGS + ROOM * player
    walls = field[ring + cell]
    if GAPS[walls] == 2:
        for gap in range(2):
            side = cell + field[STEPS + GAP_SIDE[walls, gap]]
            if field[ring + side] & STRAIGHT == STRAIGHT:
                return int(side)
    return 0


@compiled("boolean(int16[::1], int64, int64, boolean)")
def enclose(field: Field, player: int, cell: int, in_own_face: bool) -> bool:
    """Marks the faces that the new dot on `cell` has closed, and makes bases of those with an opponent's dot.

    Returns whether any base was made. In a closed face of their own a player closes nothing new, but may capture dots
    there.
    """
    theirs, inside = ALIVE << 1 - player, ENCLOSED << player
    only = 0 if in_own_face else _only_crossing(field, player, cell)
    if only:
        field[only] |= inside
        if not field[only] & theirs:
            return False
        field[INSIDE] = only
        capture(field, player, INSIDE, 1)
        return True
    walls = field[RINGS + ROOM * player + cell]
    intruded = field[INTRUDED] >> player & 1
    found = 0
    sizes = (0, 0, 0, 0)
    areas = (0, 0, 0, 0)
    manned = intruded
    mark = stamp(field)
    closed = 15 if in_own_face else closed_gaps(field, player, cell)
    firsts = (0, 0, 0, 0)
    for gap in range(4):
        if not closed >> gap & 1:
            continue
        side = cell + field[STEPS + (2 * gap if in_own_face else GAP_SIDE[walls, gap])]
        if field[MARKS + side] == mark or field[side] & ALIVE << player:
            continue
        size, enemies = flood(field, player, side, mark)
        if not in_own_face:
            for index in range(FACE, FACE + size):
                field[field[index]] |= inside
        manned = manned or enemies > 0
        first = _topmost(field, size)
        firsts = _with(firsts, found, first)
        found += 1
    if not manned:
        return False
    for index in range(found):
        dots, area = chain(field, player, firsts[index])
        areas = _with(areas, index, area)
        sizes = _with(sizes, index, fill(field, firsts[index], dots, index))
    captured = False
    for _ in range(found):
        best = -1
        for index in range(found):
            if areas[index] > 0 and (best < 0 or areas[index] < areas[best]):
                best = index
        areas = _with(areas, best, 0)
        start = INSIDE + best * ROOM
        for index in range(start, start + sizes[best]):
            if field[field[index]] & theirs:
                capture(field, player, start, sizes[best])
                captured = True
                break
    return captured


@compiled("void(int16[::1], int64, int64)")
def enter(field: Field, owner: int, cell: int) -> None:
    """Makes the hull of the closed face of `owner` round `cell` a base: the other player has just placed a dot in
    it."""
    size, _ = flood(field, owner, cell, stamp(field))
    first = _topmost(field, size)
    dots, _ = chain(field, owner, first)
    capture(field, owner, INSIDE, fill(field, first, dots, 0))
