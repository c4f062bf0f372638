"""Monte Carlo tree search in any game through its rules alone, for any number of players: each maximises their own
share.

Moves that did well anywhere in a playout are tried first (RAVE: Gelly and Silver, "Monte-Carlo tree search and rapid
action value estimation in computer Go", 2011). The first estimate of a move counts for a few playouts.
"""

import math
from random import Random
from typing import Any, Generic

from opponent.choice import Budget, Candidate, Choice, Timer, level_of
from opponent.generic.dash import DashKnowledge
from opponent.generic.dots import DotsKnowledge
from opponent.generic.far import FarKnowledge
from opponent.generic.knowledge import Idea, Knowledge, Result, T, leads, win_shares
from rules.dash import DashPosition
from rules.dots import DotsPosition, Links
from rules.game import AnyPosition, Seat

PRIOR_PLAYOUTS = 6.0
"""Playouts that the first estimate counts for."""

MIN_WIDTH, WIDENING = 6, 1.6
"""Moves that are told apart at first, and further ones for the root of the playouts."""

MAX_CANDIDATES, MAX_LINE = 5, 8


class _Node(Generic[T]):
    """A moment in the tree and the results of its moves."""

    __slots__ = ("children", "counts", "ideas", "leads", "moment", "rave", "seat", "visits", "wins")

    def __init__(self, moment: T) -> None:
        self.moment = moment
        self.seat: Seat = moment.position.to_act
        self.visits = 0
        self.ideas: list[Idea] = []
        self.children: list[_Node[T] | None] = []
        self.wins: list[float] = []
        self.leads: list[float] = []
        self.counts: list[int] = []
        self.rave: dict[Any, list[float]] = {}

    def expand(self, ideas: list[Idea]) -> None:
        self.ideas = ideas
        self.children = [None] * len(ideas)
        self.wins = [0.0] * len(ideas)
        self.leads = [0.0] * len(ideas)
        self.counts = [0] * len(ideas)


class Search(Generic[T]):
    """A search from one moment. `oversight` is the share of the moves, plain ones excepted, that it never sees. A
    weaker player misses a net by overlooking the dot that closes it."""

    def __init__(self, knowledge: Knowledge[T], moment: T, seed: int, oversight: float = 0.0) -> None:
        self._knowledge = knowledge
        self._chance = Random(seed)  # noqa: S311 - a game, not a secret
        self._oversight = oversight
        self._root = _Node(moment)
        self._expand(self._root)

    def run(self, budget: Budget) -> Choice:
        """Searches until the budget is spent."""
        timer, done = Timer(budget), 0
        # A single idea needs no search, but a few playouts estimate its worth.
        limit = 32 if len(self._root.ideas) == 1 else math.inf
        while done < limit and not (done and timer.is_over(done)):
            self._playout()
            done += 1
        return self._choice()

    def _expand(self, node: _Node[T]) -> None:
        ideas = self._knowledge.ideas(node.moment)
        if self._oversight:
            chance = self._chance
            seen = [idea for idea in ideas if idea.plain or chance.random() >= self._oversight]
            ideas = seen or ideas[:1]
        node.expand(ideas)

    def _playout(self) -> None:
        node, path = self._root, []
        while node.ideas:
            index = self._best(node)
            path.append((node, index))
            child = node.children[index]
            if child is None:
                child = node.children[index] = _Node(self._knowledge.after(node.moment, node.ideas[index].move))
            node = child
        position = node.moment.position
        if position.outcome:
            result = Result(win_shares(position.outcome, len(position.score)), leads(position.score))
        else:
            node.visits += 1
            if node.visits >= self._knowledge.expand_after:
                self._expand(node)
            result = self._knowledge.play_out(node.moment, self._chance)
        self._backpropagate(path, result)

    def _best(self, node: _Node[T]) -> int:
        """Returns the move to try: its worth in the playouts, mixed with its worth everywhere else it was played."""
        rave_playouts, rave = self._knowledge.rave_playouts, node.rave
        exploration = self._knowledge.exploration * math.sqrt(math.log(node.visits + 1))
        width = MIN_WIDTH + int(WIDENING * math.sqrt(node.visits))
        best, most = 0, -math.inf
        wins, counts = node.wins, node.counts
        for index, idea in enumerate(node.ideas[:width]):
            count = counts[index]
            worth = (wins[index] + PRIOR_PLAYOUTS * idea.promise) / (count + PRIOR_PLAYOUTS)
            if rave_playouts and (found := rave.get(idea.move)):
                times, sum_ = found
                share = times / (times + count + times * count / rave_playouts + PRIOR_PLAYOUTS)
                worth += share * (sum_ / times - worth)
            if exploration:
                worth += exploration / math.sqrt(count + 1)
            if worth > most:
                best, most = index, worth
        return best

    def _backpropagate(self, path: list[tuple[_Node[T], int]], result: Result) -> None:
        trail = list(result.trail) if self._knowledge.rave_playouts else []
        for node, index in reversed(path):
            seat, move = node.seat, node.ideas[index].move
            win = result.wins[seat]
            node.visits += 1
            node.counts[index] += 1
            node.wins[index] += win
            node.leads[index] += result.leads[seat]
            if self._knowledge.rave_playouts:
                trail.append((seat, move))
                rave = node.rave
                for other, played in trail:
                    if other == seat:
                        if (found := rave.get(played)) is None:
                            rave[played] = [1, win]
                        else:
                            found[0] += 1
                            found[1] += win

    def _choice(self) -> Choice:
        root = self._root
        order = sorted(range(len(root.ideas)), key=lambda index: (-root.counts[index], -_promise(root, index), index))
        candidates = tuple(
            Candidate(
                str(root.ideas[index].move),
                root.counts[index],
                _promise(root, index),
                root.leads[index] / max(1, root.counts[index]),
            )
            for index in order[:MAX_CANDIDATES]
        )
        best = candidates[0]
        return Choice(best.move, best.value, best.win, self._line(), candidates)

    def _line(self) -> tuple[str, ...]:
        line: list[str] = []
        node: _Node[T] | None = self._root
        while node and node.ideas and len(line) < MAX_LINE:
            index = max(range(len(node.ideas)), key=node.counts.__getitem__)
            if not node.counts[index]:
                index = 0
            line.append(str(node.ideas[index].move))
            node = node.children[index]
        return tuple(line)


def _promise(node: _Node[T], index: int) -> float:
    return (node.wins[index] + node.ideas[index].promise) / (node.counts[index] + 1)


def choose(position: AnyPosition, budget: Budget, seed: int, level: int) -> Choice:
    """Returns the best move that `budget` allows to find for the player to act. With a budget of nodes equal
    arguments give equal moves. Dots have automatic closing or far links here; the rest is in `opponent.choose`."""
    oversight = level_of(level).oversight
    if isinstance(position, DashPosition):
        dash = DashKnowledge(position.rules, seed)
        return Search(dash, dash.first(position), seed, oversight).run(budget)
    if not isinstance(position, DotsPosition):
        raise TypeError(f"no knowledge of {type(position).__name__}")
    dots = (FarKnowledge if position.rules.links is Links.FAR else DotsKnowledge)(position.rules)
    return Search(dots, dots.first(position), seed, oversight).run(budget)
