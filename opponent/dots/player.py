"""The computer at Dots with automatic closing, for two: a tree search on the compiled field."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from opponent.choice import Budget, Candidate, Choice, Timer
from opponent.dots.arrays import CELLS, FREE, SCORES, SIZE, STRIDE, Field
from opponent.dots.chase import WORTH, Chaser, got_away
from opponent.dots.field import from_position, place
from opponent.dots.nodes import KOMI, LEAD_SUM, MOVE, VISITS, Settings
from opponent.dots.playout import AHEAD, EVERYTHING, EXTRA, FULL, HALF_POINTS, STOPPED, TERMS, WIN, Terms, following
from opponent.dots.rng import Rng, seeded_rng
from opponent.dots.search import LARGE, Root
from opponent.dots.skill import Skill, skill_of
from opponent.dots.tables import PLACED
from opponent.dots.tree import Tree
from rules.dots import Closing, DotsPosition, DotsRules, Ending, Links, Scoring
from rules.game import Point, point_name

MAX_NODES = 2_000_000
"""Of all trees of a searcher, 52 bytes each, however many they are: room for some ten seconds of one core."""

MAX_CANDIDATES = 8
"""Candidates that a choice reports."""

CHUNK_DOTS = 60_000
"""Dots placed between two checks of the clock: some ten milliseconds."""

GUESS_PLAYOUTS = 200
"""Playouts that the expected lead of the last search counts for in the next one."""

CLOSE_WINS = 0.03
"""The chance of winning that may be given up for a move that playouts judge worse than it is."""

CHASE_POINTS = 0.05
"""The expected points that may be given up for each dot that a chase is sure to capture."""

QUIET_POINTS = 1.0
"""The expected points that may be given up for not running on after a dot."""

QUIETER = 4
"""Of so many most visited moves one is played in place of another threat to a dot that got away."""

NO_LINE = np.zeros(0, np.int64)

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
    """Searches positions one after another, and keeps its trees between the moves of one match.

    With several `threads` each grows a tree of its own, and the visits at the roots are added up (root
    parallelization: Chaslot, Winands and van den Herik, 2008).
    """

    def __init__(self, max_nodes: int = MAX_NODES, threads: int = 1, timer: Callable[[Budget], Timer] = Timer) -> None:
        self._timer = timer
        self._trees = tuple(Tree(max_nodes // threads) for _ in range(threads))
        self._helpers = ThreadPoolExecutor(threads - 1, "search") if threads > 1 else None
        self._chaser = Chaser()
        self._root: TreeRoot | None = None
        self.lead = 0.0
        """The lead of player 0 at the end that the last search expected."""

    def choose(self, position: DotsPosition, budget: Budget, seed: int, skill: Skill) -> Choice:
        """Returns the best move found. Unless the budget goes on with the last search, one tree is grown from nothing,
        and without a bound in milliseconds the choice depends on the arguments alone. Raises ValueError if the game is
        over."""
        if position.outcome:
            raise ValueError("the game is over")
        timer = self._timer(budget)
        field = from_position(position)
        last = [_cell(field, point) for point in position.picture().last]
        stopped = -1 if position.stopped is None else int(position.stopped)
        now = TreeRoot(position.rules, field, int(position.to_act), stopped, last[0] if last else 0, skill)
        guess = self._guess(now) if budget.goes_on else None
        previous = self._follow(now) if budget.goes_on else self._forget(now)
        self._forbid(position, field)
        root = Root(field, now.mover, now.last, previous)
        tasks = [
            _Task(tree, root, skill.settings(), _terms(now), seeded_rng(seed + number))
            for number, tree in enumerate(self._trees if budget.goes_on else self._trees[:1])
        ]
        won, line = self._chaser.find(field, now.mover) if skill.urgent else (0, NO_LINE)
        for task in tasks:
            task.settings[KOMI] = guess or 0.0
            task.tree.follow(line if won >= WORTH else NO_LINE)
        self._search(tasks, timer, max(8, CHUNK_DOTS // max(1, int(field[FREE]))), guess)
        self._root = now
        return self._choice(now, int(line[0]) if won >= WORTH else 0, won)

    def _search(self, tasks: list[_Task], timer: Timer, chunk: int, guess: float | None) -> None:
        """Searches until the time is over or the choice decided, and looks after each `chunk` of playouts."""
        done, known = 0, 0 if guess is None else GUESS_PLAYOUTS
        while True:
            left = timer.left(done)
            count = chunk if left is None else min(chunk, -(-left // len(tasks)))
            self._run(tasks, count)
            done += count * len(tasks)
            self.lead = ((guess or 0.0) * known + sum(task.settings[LEAD_SUM] for task in tasks)) / (known + done)
            for task in tasks:
                task.settings[KOMI] = self.lead
            if timer.is_over(done) or self._decided(timer.left(done)):
                break

    def _run(self, tasks: list[_Task], count: int) -> None:
        """Runs so many playouts of each task, side by side."""
        helped = [self._helpers.submit(task.run, count) for task in tasks[1:]] if self._helpers else []
        tasks[0].run(count)
        for each in helped:
            each.result()

    def _guess(self, now: TreeRoot) -> float | None:
        """Returns the lead that the last search expected, if it was earlier in the same match; a tree need not be
        left."""
        was = self._root
        if was is None or was.rules != now.rules:
            return None
        before, after = _placed(was.field), _placed(now.field)
        return self.lead if (before <= after).all() and (before < after).any() else None

    def _forget(self, now: TreeRoot) -> int:
        for tree in self._trees:
            tree.clear(now.mover)
        return 0

    def _follow(self, now: TreeRoot) -> int:
        """Reuses the subtrees of the position, if there are any; returns the dot before the last, or 0."""
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
        """Makes the nodes that these dots lead to the roots, if they are the position. A tree without such a node
        begins anew."""
        field, terms, mover = was.field.copy(), _terms(was), was.mover
        for dot in dots:
            before = int(field[SCORES + mover])
            place(field, mover, dot)
            mover = following(field, terms, mover, before)
        cells = int(field[CELLS])
        if mover != now.mover or not np.array_equal(field[:cells], now.field[:cells]):
            return False
        for tree in self._trees:
            node = tree.find(dots)
            if node >= 0:
                tree.reroot(node)
            else:
                tree.clear(now.mover)
        return True

    def _forbid(self, position: DotsPosition, field: Field) -> None:
        """Leaves only the legal dots for the next turn: an opening dot may have to lie in the middle."""
        forbidden = self._trees[0].forbidden
        forbidden[:] = 1
        for move in position.moves():
            forbidden[_cell(field, move.dot)] = 0
        for tree in self._trees[1:]:
            tree.forbidden[:] = forbidden

    def _decided(self, left: int | None) -> bool:
        """Returns whether the remaining playouts cannot change the choice. Without a number of them it goes on to the
        end of its time: they make the tree larger that the next search begins with."""
        if left is None:
            return len(self._trees[0].children(0)) < 2
        visits = sorted(result.visits for result in self._results())
        return len(visits) < 2 or visits[-1] - visits[-2] > left

    def _results(self) -> list[_Result]:
        """Returns the results of the moves, added up over the trees."""
        table = np.zeros((SIZE, 4))
        for tree in self._trees:
            tree.add_results(table)
        cells = np.flatnonzero(table[:, 0])
        return [
            _Result(int(cell), int(visits), float(wins), float(points))
            for cell, (_, visits, wins, points) in zip(cells, table[cells], strict=True)
        ]

    def _choice(self, now: TreeRoot, chased: int, won: int) -> Choice:
        """Returns the most visited move, or instead of it the dot `chased` (0: none) of a chase that captures `won`
        dots, if these are many, or a move that does not run on after a dot that got away."""
        field = now.field
        order = sorted(self._results(), key=lambda result: -result.visits)
        best = order[0]
        if won >= LARGE:
            chases = (result for result in order if result.move == chased)
            best = next((result for result in chases if result.is_near(best, CHASE_POINTS * won)), best)
        if best.move != chased and self._presses(now, best) and got_away(field, 1 - now.mover, now.last):
            quiet = (result for result in order[1:QUIETER] if not self._presses(now, result))
            best = next((result for result in quiet if result.is_near(best, QUIET_POINTS)), best)
        candidates = tuple(result.candidate(field) for result in order[:MAX_CANDIDATES] if result.visits)
        return Choice(
            _name(field, best.move),
            best.candidate(field).value,
            best.candidate(field).win,
            self._line(field, best.move),
            candidates,
        )

    def _presses(self, now: TreeRoot, result: _Result) -> bool:
        looks = now.skill.urgent > 0 and now.last > 0
        return looks and self._chaser.presses(now.field, now.mover, result.move, now.last)

    def _line(self, field: Field, move: int) -> tuple[str, ...]:
        """Returns the expected continuation in the first tree, from a move on."""
        tree = self._trees[0]
        line, node = [_name(field, move)], tree.child(0, move)
        while after := tree.ranked(node):
            node = after[0]
            if tree.nodes[VISITS, node] < MIN_LINE_VISITS:
                break
            line.append(_name(field, int(tree.nodes[MOVE, node])))
        return tuple(line)


class _Task(NamedTuple):
    """The search of one tree."""

    tree: Tree
    root: Root
    settings: Settings
    terms: Terms
    rng: Rng

    def run(self, playouts: int) -> None:
        self.tree.search(self.root, self.settings, self.terms, self.rng, playouts)


class _Result(NamedTuple):
    """The results of the playouts through a move, for its player."""

    move: int
    visits: int
    wins: float
    points: float

    def is_near(self, other: _Result, points: float) -> bool:
        """Returns whether it is expected to give less than `points` fewer than another, and hardly less of winning."""
        mine, theirs = max(1, self.visits), max(1, other.visits)
        near = self.points / mine > other.points / theirs - points
        return near and self.wins / mine > other.wins / theirs - CLOSE_WINS

    def candidate(self, field: Field) -> Candidate:
        seen = max(1, self.visits)
        return Candidate(_name(field, self.move), self.visits, self.wins / seen, self.points / seen)


def _cell(field: Field, point: Point) -> int:
    return (point.y + 1) * int(field[STRIDE]) + point.x + 1


def _name(field: Field, cell: int) -> str:
    stride = int(field[STRIDE])
    return point_name(Point(cell % stride - 1, cell // stride - 1))


def _placed(field: Field) -> npt.NDArray[np.bool_]:
    placed: npt.NDArray[np.bool_] = (field[: int(field[CELLS])] & 3 * PLACED) != 0
    return placed


def _terms(now: TreeRoot) -> Terms:
    terms = np.zeros(TERMS, np.int64)
    win = now.rules.win
    terms[EXTRA], terms[STOPPED] = now.rules.extra_move, now.stopped
    if win is not None and now.rules.scoring is Scoring.DOTS:  # else the field's scores are not captured dots
        terms[WIN], terms[AHEAD] = win.dots, win.ahead
    terms[FULL] = now.rules.ending is Ending.FULL
    terms[HALF_POINTS] = round(2 * now.rules.komi)
    terms[EVERYTHING] = now.rules.scoring is Scoring.EVERYTHING
    return terms


_SEARCHERS: list[Searcher] = []


def use(searcher: Searcher) -> None:
    """Makes it the searcher of this process."""
    _SEARCHERS[:] = [searcher]


def choose(position: DotsPosition, budget: Budget, seed: int, level: int) -> Choice:
    """Returns the best move found by the searcher of this process."""
    if not _SEARCHERS:
        use(Searcher())
    return _SEARCHERS[0].choose(position, budget, seed, skill_of(level))
