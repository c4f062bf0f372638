"""The tree of one search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import HEIGHT, ROOM, SIZE, WIDTH, Field
from opponent.dots.nodes import COUNT, EXAMINED, FIRST, MARKS, MOVE, POINTS, VISITS, WINS, TreeArrays, reroot
from opponent.dots.policy import MAP_SIZE, MAPS, clear_maps
from opponent.dots.search import MAX_DEPTH, Workspace, search

if TYPE_CHECKING:
    from opponent.dots.nodes import Numbers, Settings
    from opponent.dots.playout import Terms
    from opponent.dots.rng import Rng
    from opponent.dots.search import Root


class Tree:
    """Room for `max_nodes` nodes, 52 bytes each. The root is node 0; its mover is the player who is not to act."""

    def __init__(self, max_nodes: int) -> None:
        self.nodes = np.zeros((6, max_nodes), np.int32)
        self.sums = np.zeros((6, max_nodes), np.float32)
        self._used = np.ones(1, np.int64)
        self._places = np.zeros(max_nodes, np.int32)
        self.forbidden: Field = np.zeros(SIZE, np.int16)
        """By cell, a 1 where the rules allow no dot next."""
        self._line: Numbers = np.zeros(0, np.int64)
        self._work = Workspace(
            field=np.zeros(SIZE, np.int16),
            order=np.zeros(SIZE, np.int16),
            when=np.zeros(SIZE, np.int16),
            nowhere=np.zeros(SIZE, np.int16),
            listed=np.zeros(64, np.int64),
            path=np.zeros(MAX_DEPTH + 1, np.int32),
            worth=np.zeros(ROOM, np.float32),
            maps=np.zeros((MAPS, MAP_SIZE), np.float32),
        )
        self._mapped = (0, 0)
        self.clear(0)

    def clear(self, player: int) -> None:
        """Clears the tree; `player` is to act."""
        self.nodes[:, 0] = 0, 0, -1, 0, 1 - player, 0
        self.sums[:, 0] = 0
        self._used[0] = 1

    def follow(self, line: Numbers) -> None:
        """Lets the playouts of the next searches follow a chase that the player to act can begin, by its dots."""
        self.nodes[MARKS, 0] &= ~EXAMINED  # the urgent dots of a root are others
        self._line = line

    def reroot(self, node: int) -> None:
        """Makes `node` the root."""
        self._used[0] = reroot(self.nodes, self.sums, self._places, node, int(self._used[0]))

    def search(self, root: Root, settings: Settings, terms: Terms, rng: Rng, many: int) -> None:
        """Runs `many` further playouts."""
        sides = int(root.field[WIDTH]), int(root.field[HEIGHT])
        if self._mapped != sides:
            clear_maps(self._work.maps, *sides)
            self._mapped = sides
        arrays = TreeArrays(self.nodes, self.sums, self._used)
        search(arrays, self._work, root, self.forbidden, self._line, settings, terms, rng, many)

    def children(self, node: int) -> range:
        """Returns the children of a node."""
        first = int(self.nodes[FIRST, node])
        return range(first, first + int(self.nodes[COUNT, node])) if first >= 0 else range(0)

    def child(self, node: int, cell: int) -> int:
        """Returns the child of a node by its dot, or -1."""
        return next((child for child in self.children(node) if self.nodes[MOVE, child] == cell), -1)

    def find(self, dots: list[int]) -> int:
        """Returns the node that these dots lead to from the root, or -1."""
        node = 0
        for dot in dots:
            node = self.child(node, dot)
            if node < 0:
                break
        return node

    def add_results(self, table: npt.NDArray[np.float64]) -> None:
        """Adds to a row for each cell, where a child of the root has its dot: 1, its visits, and the sums of its wins
        and points."""
        nodes, sums = self.nodes[:, self.children(0)], self.sums[:, self.children(0)]
        ones = np.ones(nodes.shape[1])
        table[nodes[MOVE]] += np.column_stack((ones, nodes[VISITS], sums[WINS], sums[POINTS]))

    def ranked(self, node: int) -> list[int]:
        """Returns the children of a node, the most visited first."""
        return sorted(self.children(node), key=lambda child: -int(self.nodes[VISITS, child]))
