"""Dots that the opponent can capture unless they are saved."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from opponent.dots.tables import TAKEN
from opponent.forcing import PASS
from play.community.exercise import Kind
from play.community.exercise_tree import Line, Node, Step
from use_cases.proofs.board import MAX_FIRST, MAX_LATER, Board, NotUnique, OutOfReach, Refusal, TooLarge
from use_cases.proofs.captures import Aim

DANGER, SAFETY = 3, 5
"""Dots within which the opponent forces a capture if the solver passes, and within which they must not force it after a
right move. Of the latter all but the last three have to threaten."""

MAX_ATTACKS = 3
"""Attacks on a saved dot, the quickest first, among which the one with the fewest right answers is chosen."""

ATTACK_STEPS = 3
"""Steps of a king between a saved dot and the next attack, at most."""

MAX_DEFENCE = 5
"""Moves that a solver has to find to save their dots, at most."""

MIN_WALL = 4
"""Linked dots that make a wall."""


class Rescue(Aim):
    """Captures of the opponent that the solver has to prevent."""

    def kind(self, board: Board) -> Kind:
        """Returns whether the opponent's captures would break a wall: linked dots, or those round a base or house."""
        after = board.after(PASS)
        for cell in self._line(after, DANGER):
            after = after.after(cell)
        solver = board.mover
        opened, lost = board.holds(solver) - after.holds(solver), board.dots(solver) - after.dots(solver)
        return Kind.WALL if opened or board.longest_link(lost) >= MIN_WALL else Kind.ESCAPE

    def first(self, board: Board) -> Node:
        """Returns the first node."""
        right = self._right(board, MAX_FIRST)
        if not right:
            raise OutOfReach("nothing can be saved")
        if len(right) > MAX_FIRST:
            raise NotUnique(board.names(right))
        return self._node(board, right, 1)

    def _right(self, board: Board, most: int) -> list[int]:
        """Returns the moves after which the opponent can't force the capture, no more than `most` + 1 of them."""
        dots = self._within(board.after(PASS), DANGER)
        threat = self._forcing.forced(board.field, self._player, self._goal, dots) if dots <= DANGER else 0
        safe = (
            cell
            for cell in board.free
            if not self._forces(board.after(cell), threat, dots) and self._is_safe(board.after(cell))
        )
        return list(islice(safe, most + 1))

    def _forces(self, board: Board, cell: int, dots: int) -> bool:
        """Returns whether a dot of the opponent forces the capture within `dots`; 0 is no dot."""
        if not cell or board.field[cell] & TAKEN:
            return False
        return not self._forcing.refuting(board.after(cell).field, self._player, self._goal, dots - 1)

    def _is_safe(self, board: Board) -> bool:
        """Returns whether the opponent, to move, can't force the capture."""
        within = (self._forcing.forced(board.field, self._player, self._goal, dots) for dots in (1, DANGER, SAFETY))
        return not any(within)

    def _node(self, board: Board, right: list[int], depth: int) -> Node:
        self._nodes.add()
        steps = {board.name(cell): self._step(board.after(cell), depth) for cell in right}
        ordered = dict(sorted(steps.items(), key=lambda each: -(each[1].then.depth if each[1].then else 0)))
        wrong = [cell for cell in board.free if cell not in right]
        if not wrong:
            raise Refusal("no move is wrong")
        lines = [tuple(self._line(board.after(PASS), DANGER))]
        refuted: dict[int, Line] = {}
        for cell in wrong:
            line = next((line for line in lines if self._stands(board.after(cell), line)), None)
            if line is None:
                line = tuple(self._line(board.after(cell), SAFETY))
                lines.append(line)
            refuted[cell] = board.names(line)
        default = Counter(refuted.values()).most_common(1)[0][0]
        others = {board.name(cell): line for cell, line in refuted.items() if line != default}
        return Node(ordered, default, others)

    def _stands(self, board: Board, line: tuple[int, ...]) -> bool:
        """Returns whether a line after a wrong move is legal and captures, and its first dot forces that."""
        if not self._forces(board, line[0], len(line) // 2 + 1):
            return False
        for cell in line:
            if board.field[cell] & TAKEN or board.lead(self._player) >= self._goal:
                return False
            board = board.after(cell)
        return board.lead(self._player) >= self._goal

    def _step(self, board: Board, depth: int) -> Step:
        """Returns what follows a right move: the attack with the fewest right answers, if there is one."""
        found = []
        for cell in self._attacks(board):
            after = board.after(cell)
            right = self._right(after, MAX_LATER)
            if not right:
                raise OutOfReach("the rescue only delays")
            if len(right) <= MAX_LATER:
                found.append((len(right), cell, right))
        if not found:
            return Step(())
        if depth == MAX_DEFENCE:
            raise TooLarge("the defence is too long")
        _, cell, right = min(found)
        return Step(board.names([cell]), self._node(board.after(cell), right, depth + 1))

    def _attacks(self, board: Board) -> list[int]:
        """Returns the dots of the opponent near the last one that threaten the capture, the quickest first."""
        around = sorted(board.free, key=board.steps_from_last)
        around = [cell for cell in around if board.steps_from_last(cell) <= ATTACK_STEPS]
        for dots in range(1, DANGER + 1):
            afters = {cell: board.after(cell).after(PASS).field for cell in around}
            found = [cell for cell in around if self._forcing.forced(afters[cell], self._player, self._goal, dots)]
            if found:
                return found[:MAX_ATTACKS]
        return []
