"""Monte Carlo tree search for any number of players: each maximises his own part of the win.

Moves that did well anywhere in a playout are tried first (RAVE: Gelly and Silver, "Monte-Carlo tree search and rapid
action value estimation in computer Go", 2011); what looks good at first sight counts for a few playouts.
"""

from __future__ import annotations

import math
from random import Random
from time import perf_counter
from typing import Any, Generic

from opponent.budget import Budget
from opponent.choice import Candidate, Choice
from opponent.generic.knowledge import Ending, Idea, Knowledge, T, leads, parts
from rules.point import Seat

WEIGHT = 6.0
"""Playouts that first sight counts for."""

NARROWEST, WIDENING = 6, 1.6
"""How many moves are told apart at first, and how many more with the root of the playouts."""

SHOWN, LONGEST_LINE = 5, 8


class _Node(Generic[T]):
    """A moment in the tree and what came of its moves."""

    __slots__ = ("alike", "counts", "ideas", "kids", "leads", "moment", "seat", "visits", "wins")

    def __init__(self, moment: T) -> None:
        self.moment = moment
        self.seat: Seat = moment.position.to_act
        self.visits = 0
        self.ideas: list[Idea] = []
        self.kids: list[_Node[T] | None] = []
        self.wins: list[float] = []
        self.leads: list[float] = []
        self.counts: list[int] = []
        self.alike: dict[Any, list[float]] = {}

    def expand(self, ideas: list[Idea]) -> None:
        self.ideas = ideas
        self.kids = [None] * len(ideas)
        self.wins = [0.0] * len(ideas)
        self.leads = [0.0] * len(ideas)
        self.counts = [0] * len(ideas)


class Search(Generic[T]):
    """A search from one moment. `oversight` is the part of the moves, plain ones aside, that it never sees: a
    weaker player misses a net because he has not looked at the dot that closes it."""

    def __init__(self, knowledge: Knowledge[T], moment: T, seed: int, oversight: float = 0.0) -> None:
        self._knowledge = knowledge
        self._chance = Random(seed)  # noqa: S311 - a game, not a secret
        self._oversight = oversight
        self._root = _Node(moment)
        self._expand(self._root)

    def run(self, budget: Budget) -> Choice:
        """Thinks until the budget is spent."""
        end = math.inf if budget.millis is None else perf_counter() + budget.millis / 1000
        most = math.inf if budget.nodes is None else budget.nodes
        # A single idea needs no thought, but a few playouts tell what it is worth.
        done, most = 0, min(most, 32) if len(self._root.ideas) == 1 else most
        while done < most:
            self._playout()
            done += 1
            if perf_counter() >= end:
                break
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
            kid = node.kids[index]
            if kid is None:
                kid = node.kids[index] = _Node(self._knowledge.after(node.moment, node.ideas[index].move))
            node = kid
        position = node.moment.position
        if position.outcome:
            ending = Ending(parts(position.outcome, len(position.score)), leads(position.score))
        else:
            node.visits += 1
            if node.visits >= self._knowledge.patience:
                self._expand(node)
            ending = self._knowledge.ending(node.moment, self._chance)
        self._learn(path, ending)

    def _best(self, node: _Node[T]) -> int:
        """The move to try: its worth in the playouts, mixed with what it was worth wherever else it was played."""
        likeness, alike = self._knowledge.likeness, node.alike
        curiosity = self._knowledge.curiosity * math.sqrt(math.log(node.visits + 1))
        width = NARROWEST + int(WIDENING * math.sqrt(node.visits))
        best, most = 0, -math.inf
        wins, counts = node.wins, node.counts
        for index, idea in enumerate(node.ideas[:width]):
            count = counts[index]
            worth = (wins[index] + WEIGHT * idea.promise) / (count + WEIGHT)
            if likeness and (found := alike.get(idea.move)):
                times, sum_ = found
                share = times / (times + count + times * count / likeness + WEIGHT)
                worth += share * (sum_ / times - worth)
            if curiosity:
                worth += curiosity / math.sqrt(count + 1)
            if worth > most:
                best, most = index, worth
        return best

    def _learn(self, path: list[tuple[_Node[T], int]], ending: Ending) -> None:
        trail = list(ending.trail) if self._knowledge.likeness else []
        for node, index in reversed(path):
            seat, move = node.seat, node.ideas[index].move
            win = ending.wins[seat]
            node.visits += 1
            node.counts[index] += 1
            node.wins[index] += win
            node.leads[index] += ending.leads[seat]
            if self._knowledge.likeness:
                trail.append((seat, move))
                alike = node.alike
                for other, played in trail:
                    if other == seat:
                        if (found := alike.get(played)) is None:
                            alike[played] = [1, win]
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
            for index in order[:SHOWN]
        )
        best = candidates[0]
        return Choice(best.move, best.value, best.win, self._line(), candidates)

    def _line(self) -> tuple[str, ...]:
        line: list[str] = []
        node: _Node[T] | None = self._root
        while node and node.ideas and len(line) < LONGEST_LINE:
            index = max(range(len(node.ideas)), key=node.counts.__getitem__)
            if not node.counts[index]:
                index = 0
            line.append(str(node.ideas[index].move))
            node = node.kids[index]
        return tuple(line)


def _promise(node: _Node[T], index: int) -> float:
    return (node.wins[index] + node.ideas[index].promise) / (node.counts[index] + 1)
