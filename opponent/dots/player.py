"""The computer at Dots with automatic closing, for two: a tree search on the compiled field."""

from __future__ import annotations

from time import monotonic
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from opponent.budget import Budget
from opponent.choice import Candidate, Choice
from opponent.dots.arrays import CELLS, FREE, SCORES, STRIDE, Field
from opponent.dots.field import from_rows, place
from opponent.dots.nodes import KOMI, MOVE, POINTS, TOLD, VISITS, WINS
from opponent.dots.playout import AHEAD, EXTRA, FULL, STOPPED, WIN, Terms, following
from opponent.dots.rng import lucky
from opponent.dots.skill import Skill, skill_of
from opponent.dots.tables import PLACED
from opponent.dots.tree import Tree
from rules.dots import Closing, DotsPosition, DotsRules, Ending, Links
from rules.notation import point_name
from rules.point import Point

NODES = 2_000_000
"""Of a tree, 44 bytes each: room for some ten seconds."""

SHOWN = 8
"""Candidates that a choice tells."""

CHUNK = 60_000
"""Dots placed between two looks at the clock: some ten milliseconds."""

SURE = 12
"""A move of the expected continuation was tried at least so often."""


def serves(rules: DotsRules) -> bool:
    """Whether the compiled field knows the rules of a game: automatic closing, for two. Chains by length it takes for
    chains by area, which seldom differ; landing and STOP are for others to decide."""
    return rules.closing is Closing.AUTOMATIC and rules.links is Links.NEAR and rules.seats == 2


class Known(NamedTuple):
    """The position that a tree was grown from."""

    rules: DotsRules
    field: Field
    mover: int
    stopped: int
    last: int
    skill: Skill


class Searcher:
    """Thinks about positions one after another, and keeps its tree between the moves of one match."""

    def __init__(self, most: int = NODES) -> None:
        self._tree: Tree = Tree(most)
        self._known: Known | None = None

    def choose(self, position: DotsPosition, budget: Budget, seed: int, skill: Skill) -> Choice:
        """What to play. Without a bound in milliseconds it depends on the arguments alone, and no tree is kept.

        Raises ValueError where the game is over.
        """
        if position.outcome:
            raise ValueError("the game is over")
        end = None if budget.millis is None else monotonic() + budget.millis / 1000
        field = from_rows(position.rows(), (int(position.score[0]), int(position.score[1])))
        last = [_cell(field, point) for point in position.picture().last]
        stopped = -1 if position.stopped is None else int(position.stopped)
        now = Known(position.rules, field, int(position.to_act), stopped, last[0] if last else 0, skill)
        previous = self._follow(now) if budget.nodes is None else self._forget(now)
        self._bar(position, field)
        told = skill.settings()
        terms = _terms(now)
        done, most = 0, budget.nodes
        chunk = max(8, CHUNK // max(1, int(field[FREE])))
        luck = lucky(seed)
        while True:
            many = chunk if most is None else min(chunk, most - done)
            self._tree.search(told, terms, field, luck, now.mover, now.last, previous, many)
            done += many
            told[KOMI] = told[TOLD] / done
            if (most is not None and done >= most) or (end is not None and monotonic() >= end):
                break
            if self._decided(None if most is None else most - done):
                break
        self._known = now
        return self._choice(field)

    def _forget(self, now: Known) -> int:
        self._tree.clear(now.mover)
        return 0

    def _follow(self, now: Known) -> int:
        """Goes on from what is known of the position, if anything is; returns the dot before the last, or 0."""
        was = self._known
        if was is not None and (was.rules, was.stopped, was.skill) == (now.rules, now.stopped, now.skill):
            dots = _placed(now.field) & ~_placed(was.field)
            fresh = [int(cell) for cell in np.flatnonzero(dots)]
            if 0 < len(fresh) <= 2:
                fresh.sort(key=lambda cell: cell == now.last)
                if self._play(was, now, fresh):
                    return fresh[0] if len(fresh) == 2 else was.last
        return self._forget(now)

    def _play(self, was: Known, now: Known, dots: list[int]) -> bool:
        """Makes the node that these dots lead to the root, if they lead to the position and were thought of."""
        field, terms, mover, node = was.field.copy(), _terms(was), was.mover, 0
        for dot in dots:
            before = int(field[SCORES + mover])
            place(field, mover, dot)
            mover = following(field, terms, mover, before)
            node = self._tree.child(node, dot)
            if node < 0:
                return False
        cells = int(field[CELLS])
        if mover != now.mover or not np.array_equal(field[:cells], now.field[:cells]):
            return False
        self._tree.keep(node)
        return True

    def _bar(self, position: DotsPosition, field: Field) -> None:
        """Leaves only the legal dots for the next turn: an opening dot may have to lie in the middle."""
        barred = self._tree.barred
        barred[:] = 1
        for move in position.moves():
            barred[_cell(field, move.dot)] = 0

    def _decided(self, left: int | None) -> bool:
        """Whether the choice stands whatever the playouts that are left."""
        visits = np.sort(self._tree.nodes[self._tree.children(0), VISITS])
        if len(visits) < 2:
            return True
        return left is not None and int(visits[-1] - visits[-2]) > left

    def _choice(self, field: Field) -> Choice:
        order = self._tree.ranked(0)
        best = self._candidate(field, order[0])
        line, node = [], order[0]
        while True:
            line.append(_name(field, int(self._tree.nodes[node, MOVE])))
            after = self._tree.ranked(node)
            if not after or self._tree.nodes[after[0], VISITS] < SURE:
                break
            node = after[0]
        candidates = tuple(self._candidate(field, node) for node in order[:SHOWN] if self._tree.nodes[node, VISITS])
        return Choice(best.move, best.value, best.win, tuple(line), candidates)

    def _candidate(self, field: Field, node: int) -> Candidate:
        nodes, sums = self._tree.nodes, self._tree.sums
        visits = int(nodes[node, VISITS])
        seen = max(1, visits)
        return Candidate(
            _name(field, int(nodes[node, MOVE])),
            visits,
            float(sums[node, WINS] / seen),
            float(sums[node, POINTS] / seen),
        )


def _cell(field: Field, point: Point) -> int:
    return (point.y + 1) * int(field[STRIDE]) + point.x + 1


def _name(field: Field, cell: int) -> str:
    stride = int(field[STRIDE])
    return point_name(Point(cell % stride - 1, cell // stride - 1))


def _placed(field: Field) -> npt.NDArray[np.bool_]:
    placed: npt.NDArray[np.bool_] = (field[: int(field[CELLS])] & 3 * PLACED) != 0
    return placed


def _terms(now: Known) -> Terms:
    terms = np.zeros(5, np.int64)
    win = now.rules.win
    terms[EXTRA], terms[STOPPED] = now.rules.extra_move, now.stopped
    if win is not None:
        terms[WIN], terms[AHEAD] = win.dots, win.ahead
    terms[FULL] = now.rules.ending is Ending.FULL
    return terms


_SEARCHERS: list[Searcher] = []


def choose(position: DotsPosition, budget: Budget, seed: int, level: int) -> Choice:
    """What to play, by the searcher of this process."""
    if not _SEARCHERS:
        _SEARCHERS.append(Searcher())
    return _SEARCHERS[0].choose(position, budget, seed, skill_of(level))
