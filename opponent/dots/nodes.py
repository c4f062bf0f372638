"""The arrays of a search tree, and the settings of a search.

A tree has a row for each number of a node, and a column for each node. So the numbers of a node's children lie side by
side, and compiled code reads eight of them at once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from opponent.dots.compiled import compiled, named_tuple

MOVE, VISITS, FIRST, COUNT, MOVER, MARKS = range(6)
"""Of each node, in this order: the crossing of the dot that led there; its visits; its first child or -1; the number of
its children; the player who placed the dot; see below."""

EXAMINED, PRESSING, PRESSED, CHASING, CONSULTED = 1, 2, 4, 8, 16
"""Bits of the last: its urgent children are marked; it is one; it has some; it begins a chase; the policy network
was asked about its children."""

VALUE, LIKE, LIKED, POINTS, WINS, CHANCE = range(6)
"""Of each node, for the player of its dot: the sum of its values; the number of playouts with this dot at any later
time, and the sum of their values; the sums of the score differences, and of the wins; the chance that the policy
network gives the dot, or 0 if it was not asked."""

(
    BIAS,
    TRUST,
    PEAK,
    SLOPE,
    SCALE,
    SHARE,
    REPLIES,
    GROW,
    REACH,
    SIGHT,
    HORIZON,
    KOMI,
    LEAD_SUM,
    URGENT,
    EXAMINE,
    CONSULT,
    EXPLORE,
) = range(17)
"""Places of the settings of a search, see skill.py."""

Nodes = npt.NDArray[np.int32]
Sums = npt.NDArray[np.float32]
Settings = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]


class TreeArrays(NamedTuple):
    """The nodes of a tree and their sums. `used` holds the number of nodes in use."""

    nodes: Nodes
    sums: Sums
    used: Numbers


TREE = named_tuple(TreeArrays, types.int32[:, ::1], types.float32[:, ::1], types.int64[::1])


@compiled("int64(int32[:, ::1], float32[:, ::1], int32[::1], int64, int64)")
def reroot(nodes: Nodes, sums: Sums, places: Places, node: int, used: int) -> int:
    """Makes `node` the root and moves its subtree to the front; returns how many of the `used` nodes remain.
    Children lie together and behind their parent, so that one pass finds the nodes that stay, and one moves them."""
    places[:used] = -1
    places[node] = 0
    count = 1
    for here in range(node, used):
        first = nodes[FIRST, here]
        if places[here] >= 0 and first >= 0:
            places[first : first + nodes[COUNT, here]] = 0
    for here in range(node + 1, used):
        if places[here] >= 0:
            places[here] = count
            count += 1
    for here in range(node, used):
        to = places[here]
        if to >= 0:
            first = nodes[FIRST, here]
            for row in range(nodes.shape[0]):
                nodes[row, to] = nodes[row, here]
            for row in range(sums.shape[0]):
                sums[row, to] = sums[row, here]
            if first >= 0:
                nodes[FIRST, to] = places[first]
    return count
