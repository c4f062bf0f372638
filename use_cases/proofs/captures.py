"""Captures that a player can force: those of the solver, and the lines of both."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from opponent.dots.tables import TAKEN
from opponent.forcing import MAX_DOTS, PASS, Forcing
from play.community.exercise import Kind
from play.community.exercise_tree import Line, Node, Step
from use_cases.proofs.board import MAX_FIRST, MAX_LATER, Board, Nodes, NotUnique, Refusal

MAX_DEFAULTS = 8
"""Answers that are tried as the refutation of all wrong moves."""


class Aim:
    """A lead that `player`, the solver or the opponent, forces by captures."""

    def __init__(self, forcing: Forcing, player: int, goal: int) -> None:
        self._forcing = forcing
        self._player = player
        self._goal = goal
        self._nodes = Nodes()

    def _within(self, board: Board, most: int = MAX_DOTS) -> int:
        """Returns the fewest dots within which the player to move forces the goal; `most` + 1 if not within `most`."""
        for dots in range(1, most + 1):
            if self._forcing.forced(board.field, self._player, self._goal, dots):
                return dots
        return most + 1

    def _toughest(self, board: Board, most: int) -> int:
        """Returns the answer that resists the player longest; then one that loses least, near the last dot."""
        return max(board.free, key=lambda cell: self._toughness(board, cell, most))

    def _toughness(self, board: Board, cell: int, most: int) -> tuple[int, int, int]:
        after = board.after(cell)
        return self._within(after, most), -after.lead(self._player), -board.steps_from_last(cell)

    def _line(self, board: Board, most: int) -> list[int]:
        """Returns the dots by which the player to move forces the goal within `most`, and the toughest answers."""
        dots = self._within(board, most)
        cell = self._forcing.forced(board.field, self._player, self._goal, dots)
        after = board.after(cell)
        if after.lead(self._player) >= self._goal:
            return [cell]
        answer = self._toughest(after, dots - 1)
        return [cell, answer, *self._line(after.after(answer), dots - 1)]


class Capture(Aim):
    """The solver's captures."""

    def named(self, board: Board, tree: Node, dots: int) -> tuple[Kind, Node]:
        """Returns whether it is a net, a ladder or another capture, and the tree with a net's quiet dot first."""
        if dots == 1:
            return Kind.CAPTURE, tree
        named = {board.name(cell): cell for cell in board.free}
        quiet = [move for move in tree.right if not self._threatens(board.after(named[move]))]
        if not quiet:
            return Kind.LADDER if dots > 2 else Kind.CAPTURE, tree
        return Kind.NET, replace(tree, right={move: tree.right[move] for move in (*quiet, *tree.right)})

    def _threatens(self, board: Board) -> bool:
        """Returns whether the last dot threatens to reach the goal with the next one."""
        return bool(self._forcing.forced(board.field, self._player, self._goal, 1))

    def first(self, board: Board, dots: int) -> Node:
        """Returns the first node, whose goal is to be forced within `dots`."""
        answers = self._answers(board, dots, MAX_FIRST)
        if answers is None:
            raise NotUnique(board.names(self._right(board, dots)))
        return self._node(board, answers, dots)

    def _right(self, board: Board, dots: int) -> list[int]:
        """Returns the moves that force the goal within so many dots."""
        after = (
            (cell, self._forcing.refuting(board.after(cell).field, self._player, self._goal, dots - 1))
            for cell in board.free
        )
        return [cell for cell, answer in after if not answer]

    def _answers(self, board: Board, dots: int, most: int) -> dict[int, int] | None:
        """Returns what refutes each move, 0 for a right one; None if more than `most` are right."""
        answers: dict[int, int] = {}
        right = 0
        for cell in board.free:
            answers[cell] = self._forcing.refuting(board.after(cell).field, self._player, self._goal, dots - 1)
            right += not answers[cell]
            if right > most:
                return None
        return answers

    def _node(self, board: Board, answers: dict[int, int], dots: int) -> Node:
        self._nodes.add()
        right = [cell for cell, answer in answers.items() if not answer]
        right.sort(key=lambda cell: self._length(board.after(cell), dots - 1))
        steps = {board.name(cell): self._step(board.after(cell), dots - 1) for cell in right}
        return self._refuted(board, steps, {cell: answer for cell, answer in answers.items() if answer}, dots)

    def _length(self, board: Board, most: int) -> int:
        """Returns the fewest dots that the player needs whatever is answered to their last one."""
        lengths = (dots for dots in range(most + 1))
        return next(dots for dots in lengths if not self._forcing.refuting(board.field, self._player, self._goal, dots))

    def _step(self, board: Board, dots: int) -> Step:
        """Returns what follows a right move."""
        if board.lead(self._player) >= self._goal:
            return Step(())
        answer = self._toughest(board, dots)
        after = board.after(answer)
        answers = self._answers(after, dots, MAX_LATER)
        if answers is None:
            return Step(board.names([answer, *self._line(after, dots)]))
        return Step(board.names([answer]), self._node(after, answers, dots))

    def _refuted(self, board: Board, steps: dict[str, Step], answers: dict[int, int], dots: int) -> Node:
        """Returns a node in which one answer refutes most wrong moves, and those are named that need another."""
        named = {board.name(cell): cell for cell in board.free}
        tried = [named[move] for move in steps]
        tried += [answer for answer, _ in Counter(answers.values()).most_common() if answer != PASS]
        stands = {
            answer: [cell for cell in answers if self._stands(board.after(cell), answer, dots - 1)]
            for answer in dict.fromkeys(tried[:MAX_DEFAULTS])
        }
        default = max(stands, key=lambda answer: len(stands[answer]))
        others: dict[str, Line] = {}
        for cell in answers:
            if cell in stands[default]:
                continue
            after = board.after(cell)
            spare = (each for each in after.free if self._stands(after, each, dots - 1))
            better = next((each for each in stands if cell in stands[each]), None) or next(spare, None)
            if better is None:
                raise Refusal("only a pass refutes a wrong move")
            others[board.name(cell)] = board.names([better])
        return Node(steps, board.names([default]), others)

    def _stands(self, board: Board, answer: int, dots: int) -> bool:
        """Returns whether an answer to a wrong move refutes it."""
        if board.field[answer] & TAKEN:
            return False
        return not self._forcing.forced(board.after(answer).field, self._player, self._goal, dots)
