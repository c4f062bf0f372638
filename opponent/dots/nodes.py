"""The arrays of a search tree, and the settings of a search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opponent.dots.compiled import compiled

MOVE, VISITS, FIRST, COUNT, MOVER, MARKS = range(6)
"""Of each node, in this order: the crossing of the dot that led there; its visits; its first child or -1; the number of
its children; the player who placed the dot; see below."""

EXAMINED, PRESSING = 1, 2
"""Bits of the last: its urgent children are marked; it is one."""

VALUE, LIKE, LIKED, POINTS, WINS = range(5)
"""Of each node, for the player of its dot: the sum of its values; the number of playouts with this dot at any later
time, and the sum of their values; the sums of the score differences, and of the wins."""

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
) = range(15)
"""Places of the settings of a search, see skill.py."""

Nodes = npt.NDArray[np.int32]
Sums = npt.NDArray[np.float32]
Settings = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]


@compiled("int64(int32[:, ::1], float32[:, ::1], int32[::1], int64, int64)")
def reroot(nodes: Nodes, sums: Sums, places: Places, node: int, used: int) -> int:
    """Makes `node` the root and moves its subtree to the front; returns how many of the `used` nodes remain.
    Children lie together and behind their parent, so that one pass finds the nodes that stay, and one moves them."""
    places[:used] = -1
    places[node] = 0
    count = 1
    for here in range(node, used):
        first = nodes[here, FIRST]
        if places[here] >= 0 and first >= 0:
            places[first : first + nodes[here, COUNT]] = 0
    for here in range(node + 1, used):
        if places[here] >= 0:
            places[here] = count
            count += 1
    for here in range(node, used):
        to = places[here]
        if to >= 0:
            first = nodes[here, FIRST]
            for column in range(6):
                nodes[to, column] = nodes[here, column]
            for column in range(5):
                sums[to, column] = sums[here, column]
            if first >= 0:
                nodes[to, FIRST] = places[first]
    return count
