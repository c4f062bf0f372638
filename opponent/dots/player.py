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
from opponent.dots.nodes import KOMI, LEAD_SUM, MOVE, POINTS, VISITS, WINS
from opponent.dots.playout import AHEAD, EXTRA, FULL, HALF_POINTS, STOPPED, WIN, Terms, following
from opponent.dots.rng import seeded_rng
from opponent.dots.skill import Skill, skill_of
from opponent.dots.tables import PLACED
from opponent.dots.tree import Tree
from rules.dots import Closing, DotsPosition, DotsRules, Ending, Links, Scoring
from rules.notation import point_name
from rules.point import Point

MAX_NODES = 2_000_000
"""Of a tree, 44 bytes each: room for some ten seconds."""

MAX_CANDIDATES = 8
"""Candidates that a choice reports."""

CHUNK_DOTS = 60_000
"""Dots placed between two checks of the clock: some ten milliseconds."""

MIN_LINE_VISITS = 12
"""Visits of a move of the expected continuation."""


def serves(rules: DotsRules) -> bool:
    """Returns whether the compiled field has the rules of a game: automatic closing, for two. Chains by length are
    searched as chains by area, which seldom differ. Landing and STOP are decided in `opponent.calls`."""
    return rules.closing is Closing.AUTOMATIC and rules.links is Links.NEAR and rules.seats == 2


class TreeRoot(NamedTuple):
    """The position that a tree was grown from."""

    rules: DotsRules
    field: Field
    mover: int
    stopped: int
    last: int
    skill: Skill


class Searcher:
    """Searches positions one after another, and keeps its tree between the moves of one match."""

    def __init__(self, max_nodes: int = MAX_NODES) -> None:
        self._tree: Tree = Tree(max_nodes)
        self._root: TreeRoot | None = None

    def choose(self, position: DotsPosition, budget: Budget, seed: int, skill: Skill) -> Choice:
        """Returns the best move found. Without a bound in milliseconds it depends on the arguments alone, and no
        tree is kept. Raises ValueError if the game is over."""
        if position.outcome:
            raise ValueError("the game is over")
        end = None if budget.millis is None else monotonic() + budget.millis / 1000
        scores = (int(position.score[0] - position.rules.komi), int(position.score[1]))
        field = from_rows(position.rows(), scores)
        last = [_cell(field, point) for point in position.picture().last]
        stopped = -1 if position.stopped is None else int(position.stopped)
        now = TreeRoot(position.rules, field, int(position.to_act), stopped, last[0] if last else 0, skill)
        previous = self._follow(now) if budget.nodes is None else self._forget(now)
        self._forbid(position, field)
        settings = skill.settings()
        terms = _terms(now)
        done, limit = 0, budget.nodes
        chunk = max(8, CHUNK_DOTS // max(1, int(field[FREE])))
        rng = seeded_rng(seed)
        while True:
            count = chunk if limit is None else min(chunk, limit - done)
            self._tree.search(settings, terms, field, rng, now.mover, now.last, previous, count)
            done += count
            settings[KOMI] = settings[LEAD_SUM] / done
            if (limit is not None and done >= limit) or (end is not None and monotonic() >= end):
                break
            if self._decided(None if limit is None else limit - done):
                break
        self._root = now
        return self._choice(field)

    def _forget(self, now: TreeRoot) -> int:
        self._tree.clear(now.mover)
        return 0

    def _follow(self, now: TreeRoot) -> int:
        """Reuses the subtree of the position, if there is one; returns the dot before the last, or 0."""
        was = self._root
        if was is not None and (was.rules, was.stopped, was.skill) == (now.rules, now.stopped, now.skill):
            dots = _placed(now.field) & ~_placed(was.field)
            fresh = [int(cell) for cell in np.flatnonzero(dots)]
            if 0 < len(fresh) <= 2:
                fresh.sort(key=lambda cell: cell == now.last)
                if self._play(was, now, fresh):
                    return fresh[0] if len(fresh) == 2 else was.last
        return self._forget(now)

    def _play(self, was: TreeRoot, now: TreeRoot, dots: list[int]) -> bool:
        """Makes the node that these dots lead to the root, if it exists and is the position."""
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
        self._tree.reroot(node)
        return True

    def _forbid(self, position: DotsPosition, field: Field) -> None:
        """Leaves only the legal dots for the next turn: an opening dot may have to lie in the middle."""
        forbidden = self._tree.forbidden
        forbidden[:] = 1
        for move in position.moves():
            forbidden[_cell(field, move.dot)] = 0

    def _decided(self, left: int | None) -> bool:
        """Returns whether the remaining playouts cannot change the choice."""
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
            if not after or self._tree.nodes[after[0], VISITS] < MIN_LINE_VISITS:
                break
            node = after[0]
        candidates = tuple(
            self._candidate(field, node) for node in order[:MAX_CANDIDATES] if self._tree.nodes[node, VISITS]
        )
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


def _terms(now: TreeRoot) -> Terms:
    terms = np.zeros(6, np.int64)
    win = now.rules.win
    terms[EXTRA], terms[STOPPED] = now.rules.extra_move, now.stopped
    if win is not None and now.rules.scoring is Scoring.DOTS:  # else the field's scores are not captured dots
        terms[WIN], terms[AHEAD] = win.dots, win.ahead
    terms[FULL] = now.rules.ending is Ending.FULL
    terms[HALF_POINTS] = round(2 * now.rules.komi)
    return terms


_SEARCHERS: list[Searcher] = []


def choose(position: DotsPosition, budget: Budget, seed: int, level: int) -> Choice:
    """Returns the best move found by the searcher of this process."""
    if not _SEARCHERS:
        _SEARCHERS.append(Searcher())
    return _SEARCHERS[0].choose(position, budget, seed, skill_of(level))
