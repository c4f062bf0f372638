"""The tree of one search, and what it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opponent.dots.arrays import SIZE, Field
from opponent.dots.nodes import COUNT, FIRST, MOVE, VISITS, keep
from opponent.dots.search import DEEPEST, search

if TYPE_CHECKING:
    from opponent.dots.nodes import Settings
    from opponent.dots.playout import Terms
    from opponent.dots.rng import Luck


class Tree:
    """Room for `most` nodes, 44 bytes each. The root is node 0; its mover is the player who is not to act."""

    def __init__(self, most: int) -> None:
        self.nodes = np.zeros((most, 5), np.int32)
        self.sums = np.zeros((most, 5), np.float32)
        self._used = np.ones(1, np.int64)
        self._places = np.zeros(most, np.int32)
        self._rooms = np.zeros((5, SIZE), np.int16)
        self._listed = np.zeros(64, np.int64)
        self._path = np.zeros(DEEPEST + 1, np.int32)
        self.clear(0)

    @property
    def barred(self) -> Field:
        """By cell, a 1 where the rules allow no dot next."""
        barred: Field = self._rooms[3]
        return barred

    def clear(self, player: int) -> None:
        """Forgets everything; `player` is to act."""
        self.nodes[0] = 0, 0, -1, 0, 1 - player
        self.sums[0] = 0
        self._used[0] = 1

    def keep(self, node: int) -> None:
        """Goes on from `node`."""
        self._used[0] = keep(self.nodes, self.sums, self._places, node, int(self._used[0]))

    def search(
        self,
        settings: Settings,
        terms: Terms,
        field: Field,
        luck: Luck,
        player: int,
        last: int,
        previous: int,
        many: int,
    ) -> None:
        """Runs `many` playouts more; `player` is to act on `field` after the dots `previous` and `last` (0: none)."""
        search(
            self.nodes,
            self.sums,
            settings,
            terms,
            self._used,
            field,
            self._rooms,
            self._listed,
            self._path,
            luck,
            player,
            last,
            previous,
            many,
        )

    def children(self, node: int) -> range:
        """The children of a node."""
        first = int(self.nodes[node, FIRST])
        return range(first, first + int(self.nodes[node, COUNT])) if first >= 0 else range(0)

    def child(self, node: int, cell: int) -> int:
        """The child of a node by its dot, or -1."""
        return next((child for child in self.children(node) if self.nodes[child, MOVE] == cell), -1)

    def ranked(self, node: int) -> list[int]:
        """The children of a node, those tried most first."""
        return sorted(self.children(node), key=lambda child: -int(self.nodes[child, VISITS]))
