"""Walls of alive dots: a union-find forest of connected ones, and the faces that they close."""

from opponent.dots.arrays import LINKS, RINGS, ROOM, STEPS, STRIDE, WALKS, Field
from opponent.dots.compiled import compiled
from opponent.dots.tables import GAP_WALL, GAPS, LOWEST, NEXT


@compiled("int64(int16[::1], int64)")
def find(field: Field, cell: int) -> int:
    """Returns the root of the wall that a dot belongs to."""
    while True:
        parent = field[LINKS + cell]
        above = field[LINKS + parent]
        if parent == above:
            return int(parent)
        field[LINKS + cell] = above
        cell = above


@compiled("boolean(int16[::1], int64, int64)")
def unite(field: Field, player: int, cell: int) -> bool:
    """Joins a new dot, which is its own root, to the walls beside it; returns whether two of them may have been
    connected before."""
    walls = field[RINGS + ROOM * player + cell]
    if walls == 0:
        return False
    gaps = GAPS[walls]
    if gaps == 0:
        field[LINKS + cell] = cell + field[STEPS + LOWEST[walls]]
        return False
    joined = False
    root = find(field, cell + field[STEPS + GAP_WALL[walls, 0]])
    field[LINKS + cell] = root
    for gap in range(1, gaps):
        other = find(field, cell + field[STEPS + GAP_WALL[walls, gap]])
        joined = joined or other == root
        field[LINKS + other] = root
    return joined


@compiled("void(int16[::1], int64, int64)")
def unite_all(field: Field, player: int, cell: int) -> None:
    """Joins a dot with each of its neighbours, where these are not joined with each other yet."""
    walls = field[RINGS + ROOM * player + cell]
    for way in range(8):
        if walls >> way & 1:
            field[LINKS + find(field, cell + field[STEPS + way])] = find(field, cell)


@compiled("boolean(int16[::1], int64, int64)")
def may_close(field: Field, player: int, cell: int) -> bool:
    """Returns whether a dot of `player` on a free crossing may join two walls that are connected already. If not, it
    closes nothing."""
    walls = field[RINGS + ROOM * player + cell]
    gaps = GAPS[walls]
    if gaps == 0:
        return False
    first = find(field, cell + field[STEPS + GAP_WALL[walls, 0]])
    second = find(field, cell + field[STEPS + GAP_WALL[walls, 1]])
    if first == second:
        return True
    if gaps == 2:
        return False
    third = find(field, cell + field[STEPS + GAP_WALL[walls, 2]])
    if third in (first, second):
        return True
    return gaps == 4 and find(field, cell + field[STEPS + GAP_WALL[walls, 3]]) in (first, second, third)


@compiled("void(int16[::1], int64, int64)")
def point_at(field: Field, player: int, cell: int) -> None:
    """Sets the bit of a new alive dot in the rings of its neighbours."""
    ring, stride = RINGS + ROOM * player + cell, field[STRIDE]
    field[ring + 1] |= 16
    field[ring + stride + 1] |= 32
    field[ring + stride] |= 64
    field[ring + stride - 1] |= 128
    field[ring - 1] |= 1
    field[ring - stride - 1] |= 2
    field[ring - stride] |= 4
    field[ring - stride + 1] |= 8


@compiled("void(int16[::1], int64, int64)")
def point_away(field: Field, player: int, cell: int) -> None:
    """Clears the bit of a dot that is no longer alive in the rings of its neighbours."""
    ring, stride = RINGS + ROOM * player + cell, field[STRIDE]
    field[ring + 1] &= 255 - 16
    field[ring + stride + 1] &= 255 - 32
    field[ring + stride] &= 255 - 64
    field[ring + stride - 1] &= 255 - 128
    field[ring - 1] &= 255 - 1
    field[ring - stride - 1] &= 255 - 2
    field[ring - stride] &= 255 - 4
    field[ring - stride + 1] &= 255 - 8


@compiled("int64(int16[::1], int64, int64)")
def closed_gaps(field: Field, player: int, cell: int) -> int:
    """Returns the gaps beside a dot that lie in faces which it has closed, a bit each; it was placed on no closed face.

    Walks round all gaps at once, a step each in turn, with the gap on the left, and adds up the turns: one full turn to
    the left means that the wall goes round it. Exactly one of the faces is open. So the longest walk, which usually is
    that one, need not be ended. A gap that another one's walk has reached lies in the same face and needs no walk.
    """
    ring = RINGS + ROOM * player
    walls = field[ring + cell]
    gaps = GAPS[walls]
    for gap in range(gaps):
        walk, way = WALKS + 3 * gap, GAP_WALL[walls, gap]
        field[walk], field[walk + 1], field[walk + 2] = cell + field[STEPS + way], way, 0
    pending, closed = (1 << gaps) - 1, 0
    while pending & pending - 1:
        for gap in range(gaps):
            if not pending >> gap & 1:
                continue
            walk = WALKS + 3 * gap
            here, way = field[walk], field[walk + 1]
            turn = NEXT[field[ring + here], way]
            way = way + turn & 7
            field[walk] = here + field[STEPS + way]
            field[walk + 1] = way
            field[walk + 2] += turn
            if here != cell:
                continue
            for reached in range(gaps):
                if GAP_WALL[walls, reached] == way:
                    pending &= ~(1 << reached)
            if way == GAP_WALL[walls, gap]:
                if field[walk + 2] <= 0:
                    return int(closed | pending)
                closed |= 1 << gap
    return int(closed)
