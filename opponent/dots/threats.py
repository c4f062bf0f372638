"""The captures of a dot, without placing it."""

from opponent.dots.arrays import MARKS, RINGS, ROOM, STEPS, Field, stamp
from opponent.dots.compiled import compiled
from opponent.dots.enclosing import flood
from opponent.dots.tables import ALIVE, ENCLOSED, GAP_AT, GAP_END, GAP_SIDE, GAP_WALL, GAPS, RUN, TAKEN
from opponent.dots.union_find import closed_gaps, find, may_close, point_at, point_away


@compiled("int64(int16[::1], int64, int64)")
def gain(field: Field, player: int, cell: int) -> int:
    """Returns how many alive dots of the opponent a dot of `player` on a free crossing would capture. Captures in
    their own closed faces, where the opponent came in before, are not seen."""
    if field[cell] & ENCLOSED << player or not may_close(field, player, cell):
        return 0
    field[cell] |= ALIVE << player
    point_at(field, player, cell)
    walls = field[RINGS + ROOM * player + cell]
    closed = closed_gaps(field, player, cell)
    mark = stamp(field)
    captured = 0
    for gap in range(GAPS[walls]):
        if closed >> gap & 1:
            side = cell + field[STEPS + GAP_SIDE[walls, gap]]
            if field[MARKS + side] != mark:
                _, enemies = flood(field, player, side, mark)
                captured += enemies
    field[cell] &= 255 - (ALIVE << player)
    point_away(field, player, cell)
    return captured


@compiled("boolean(int16[::1], int64, int64, int64)")
def captures(field: Field, player: int, cell: int, way: int) -> bool:
    """Returns whether a dot of `player` on a free crossing would close a face that holds the neighbour in direction
    `way`."""
    walls = field[RINGS + ROOM * player + cell]
    gap = GAP_AT[walls, way]
    if gap < 0:
        return False
    begin, end = cell + field[STEPS + GAP_WALL[walls, gap]], cell + field[STEPS + GAP_END[walls, gap]]
    if find(field, begin) != find(field, end) or field[cell] & ENCLOSED << player:
        return False
    field[cell] |= ALIVE << player
    point_at(field, player, cell)
    closed = closed_gaps(field, player, cell) >> gap & 1
    field[cell] &= 255 - (ALIVE << player)
    point_away(field, player, cell)
    return bool(closed)


@compiled("int64(int16[::1], int64, int64)")
def reply(field: Field, player: int, last: int) -> int:
    """Returns a crossing beside the opponent's `last` dot where `player` captures it, or else saves most of the
    threatened dots. Returns -1 if there is none."""
    other = 1 - player
    best, most = -1, 0
    if not field[last] & ALIVE << other:
        return -1
    root = find(field, last)
    for way in range(8):
        cell = last + field[STEPS + way]
        if field[cell] & (TAKEN | ENCLOSED << other):
            continue
        if GAPS[field[RINGS + ROOM * player + cell]] and captures(field, player, cell, way ^ 4):
            return int(cell)
        walls = field[RINGS + ROOM * other + cell]
        own = RUN[walls, way ^ 4]
        for gap in range(GAPS[walls]):
            # The last dot threatens something here only if it is connected with another wall beside.
            wall = GAP_WALL[walls, gap]
            if wall != own and find(field, cell + field[STEPS + wall]) == root:
                lost = gain(field, other, cell)
                if lost > most:
                    best, most = cell, lost
                break
    return best
