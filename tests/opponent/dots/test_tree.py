"""The search tree: the part that is kept after a move."""

from __future__ import annotations

import numpy as np

from opponent.dots.field import from_rows
from opponent.dots.nodes import MOVE, VISITS
from opponent.dots.rng import seeded_rng
from opponent.dots.search import Root
from opponent.dots.skill import FULL
from opponent.dots.tree import Tree

ORDINARY = np.array([0, -1, 0, 0, 1, 0, 0])
"""The terms of a match that goes on until the field is full."""

Shape = tuple[int, int, tuple["Shape", ...]]


def shape(tree: Tree, node: int) -> Shape:
    """Returns a node's dot and visits, and the same of all below it."""
    move, visits = int(tree.nodes[MOVE, node]), int(tree.nodes[VISITS, node])
    return move, visits, tuple(shape(tree, child) for child in tree.children(node))


def grown() -> Tree:
    tree = Tree(20_000)
    field = from_rows(["......", "..RB..", "..BR..", "......", "......"], (0, 0))
    tree.search(Root(field, 0, 0, 0), FULL.settings(), ORDINARY, seeded_rng(1), 600)
    return tree


def test_the_subtree_of_the_played_move_stays_as_it_was() -> None:
    tree = grown()
    best = tree.ranked(0)[0]
    grandchild = tree.ranked(best)[0]
    before = shape(tree, grandchild)
    tree.reroot(grandchild)
    assert shape(tree, 0) == before


def test_dots_that_nobody_has_tried_lead_to_no_node() -> None:
    tree = grown()
    best = tree.ranked(0)[0]
    unvisited = next(child for child in tree.children(best) if not tree.nodes[VISITS, child])
    line = [int(tree.nodes[MOVE, node]) for node in (best, unvisited)]
    assert tree.find(line) == unvisited
    assert tree.find([*line, int(tree.nodes[MOVE, best]), line[0]]) == -1


def test_a_tree_that_is_full_grows_no_more_but_goes_on_counting() -> None:
    tree = Tree(60)
    field = from_rows(["......", "..RB..", "..BR..", "......", "......"], (0, 0))
    tree.search(Root(field, 0, 0, 0), FULL.settings(), ORDINARY, seeded_rng(1), 300)
    assert tree.nodes[VISITS, 0] == 300
    assert sum(int(tree.nodes[VISITS, child]) for child in tree.children(0)) == 300
