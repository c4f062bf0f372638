"""New nodes of the tree: the candidate dots, and the prior of each."""

from numba import types

from opponent.dots.arrays import CELLS, RINGS, ROOM, STEPS, STRIDE, Field
from opponent.dots.compiled import compiled
from opponent.dots.move_prior import move_prior
from opponent.dots.nodes import (
    COUNT,
    FIRST,
    LIKE,
    LIKED,
    MARKS,
    MOVE,
    MOVER,
    PEAK,
    REACH,
    SIGHT,
    SLOPE,
    TREE,
    TRUST,
    VISITS,
    Numbers,
    Settings,
    TreeArrays,
)
from opponent.dots.tables import ENCLOSED, TAKEN
from opponent.dots.threats import gain

NEAR, ANYWHERE, HOUSES = range(3)
"""The candidates: dots near others; if there are none, all outside closed faces; if there are none, all."""

IN_OWN_HOUSE, IN_THEIR_HOUSE = 0.3, 0.05
"""The prior of filling a house when nothing else is left: an own one costs nothing yet."""

MIN_PRIOR = 0.02
"""The smallest prior of a dot outside houses."""


@compiled("boolean(int16[::1], int64)")
def within_two(field: Field, cell: int) -> bool:
    """Returns whether an alive dot lies at most two steps from a crossing."""
    if field[RINGS + cell] | field[RINGS + ROOM + cell]:
        return True
    for way in range(8):
        beside = cell + field[STEPS + way]
        if field[RINGS + beside] | field[RINGS + ROOM + beside]:
            return True
    return False


@compiled("boolean(int16[::1], int64, int64, int64, int64)")
def in_reach(field: Field, cell: int, last: int, previous: int, reach: int) -> bool:
    """Returns whether a crossing is at most `reach` steps from one of the last two dots (0: there is none)."""
    stride = field[STRIDE]
    x, y = cell % stride, cell // stride
    for dot in (last, previous):
        if dot and max(abs(x - dot % stride), abs(y - dot // stride)) <= reach:
            return True
    return last == 0


@compiled("boolean(int16[::1], int64, int64, int64)")
def sensible(field: Field, player: int, cell: int, wide: int) -> bool:
    """Returns whether a dot of `player` on a free crossing is a candidate: in a house of the opponent only if it
    captures, in an own one never."""
    if wide == HOUSES:
        return True
    if field[cell] & ENCLOSED << player:
        return False
    if field[cell] & ENCLOSED << 1 - player and not gain(field, player, cell):
        return False
    return wide == ANYWHERE or within_two(field, cell)


@compiled(
    types.void(
        TREE,
        types.float64[::1],
        types.int16[::1],
        types.int16[::1],
        types.int64[::1],
        types.int64,
        types.int64,
        types.int64,
        types.int64,
    )
)
def expand(
    tree: TreeArrays,
    settings: Settings,
    field: Field,
    forbidden: Field,
    scratch: Numbers,
    node: int,
    player: int,
    last: int,
    previous: int,
) -> None:
    """Gives a node its children, unless there is no room left for all of them. `forbidden` has a 1 where the rules
    allow no dot next. `scratch` is working space."""
    nodes, sums = tree.nodes, tree.sums
    first, count = tree.used[0], 0
    stride = field[STRIDE]
    reach = int(settings[REACH])
    best = -1000.0
    for wide in range(NEAR, HOUSES + 1):
        for cell in range(stride + 1, field[CELLS] - stride - 1):
            if field[cell] & TAKEN or forbidden[cell] or not sensible(field, player, cell, wide):
                continue
            if wide == NEAR and reach and not in_reach(field, cell, last, previous, reach):
                continue
            if first + count >= nodes.shape[1]:
                return
            child = first + count
            nodes[MOVE, child], nodes[MOVER, child] = cell, player
            nodes[VISITS, child], nodes[FIRST, child], nodes[COUNT, child], nodes[MARKS, child] = 0, -1, 0, 0
            for row in range(sums.shape[0]):
                sums[row, child] = 0
            if wide == HOUSES:
                promise = IN_OWN_HOUSE if field[cell] & ENCLOSED << player else IN_THEIR_HOUSE
            else:
                promise = move_prior(field, player, cell, last, previous, int(settings[SIGHT]), scratch)
                best = max(best, promise)
            sums[LIKED, child] = promise
            count += 1
        if count:
            for child in range(first, first + count):
                promise = sums[LIKED, child]
                if wide < HOUSES:
                    promise = max(MIN_PRIOR, settings[PEAK] - settings[SLOPE] * (best - promise))
                sums[LIKE, child] = settings[TRUST]
                sums[LIKED, child] = settings[TRUST] * promise
            break
    nodes[FIRST, node], nodes[COUNT, node] = first, count
    tree.used[0] = first + count
