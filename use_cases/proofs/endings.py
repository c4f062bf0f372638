"""The last moves of a game, played to the end."""

from __future__ import annotations

from collections import Counter

from opponent.dots.arrays import FREE
from opponent.forcing import Forcing
from play.community.exercise_tree import Node, Step
from use_cases.proofs.board import MAX_LATER, Board, Nodes, NotUnique

MAX_ENDING_LINE = 7
"""Moves of a line that ends an ending."""


class EndingAim:
    """The last moves of a game, played to the end: a lead that the solver reaches."""

    def __init__(self, forcing: Forcing, solver: int, goal: int) -> None:
        self._forcing = forcing
        self._solver = solver
        self._goal = goal
        self._nodes = Nodes()

    def node(self, board: Board, most: int) -> Node:
        """Returns the node of a board. Raises Refusal if all moves are right, or too many."""
        self._nodes.add()
        right = self._right(board)
        wrong = [cell for cell in board.free if cell not in right]
        if len(right) > most or not wrong:
            raise NotUnique(board.names(right))
        steps = {board.name(cell): self._step(board.after(cell)) for cell in right}
        ordered = dict(sorted(steps.items(), key=lambda each: -(each[1].then.depth if each[1].then else 0)))
        lines = {cell: self._line(board.after(cell)) for cell in wrong}
        default = Counter(lines.values()).most_common(1)[0][0]
        others = {board.name(cell): board.names(line) for cell, line in lines.items() if line != default}
        return Node(ordered, board.names(default), others)

    def _right(self, board: Board) -> list[int]:
        return [cell for cell in board.free if self._keeps(board.after(cell))]

    def _keeps(self, board: Board) -> bool:
        """Returns whether the solver, who has just moved, still reaches the goal."""
        return self._forcing.final_lead(board.field, board.mover, -self._goal, 1 - self._goal) <= -self._goal

    def _step(self, board: Board) -> Step:
        """Returns what follows a right move: of the best replies the one with the fewest right answers."""
        found = []
        for cell in self._best(board):
            after = board.after(cell)
            right = self._right(after) if after.field[FREE] else []
            if right and len(right) <= MAX_LATER and len(right) < len(after.free):
                found.append((len(right), cell))
        if not found:
            return Step(board.names(self._line(board)))
        _, cell = min(found)
        return Step(board.names([cell]), self.node(board.after(cell), MAX_LATER))

    def _best(self, board: Board) -> list[int]:
        """Returns the moves with the best final lead for the player to move."""
        finals = {
            cell: -self._forcing.final_lead(after.field, after.mover, -1000, 1000)
            for cell in board.free
            for after in (board.after(cell),)
        }
        best = max(finals.values(), default=0)
        return [cell for cell, final in finals.items() if final == best]

    def _line(self, board: Board) -> tuple[int, ...]:
        """Returns the best moves of both up to the last one that changes the score."""
        line, changed = list[int](), 0
        while board.field[FREE] and len(line) < MAX_ENDING_LINE:
            before = board.lead(0)
            line.append(self._best(board)[0])
            board = board.after(line[-1])
            if board.lead(0) != before:
                changed = len(line)
        return tuple(line[: max(1, changed)])
