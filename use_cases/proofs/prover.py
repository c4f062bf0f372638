"""Makes exercises of positions: of what can be captured, of what has to be saved, and of endings."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from itertools import islice
from random import Random

from opponent.dots.arrays import FREE
from opponent.forcing import PASS, Forcing, TooLong
from play.community.exercise import Kind
from rules.dots import DotsPosition
from use_cases.proofs.board import MAX_FIRST, Board, OutOfReach, Proof, Refusal, TooLarge
from use_cases.proofs.captures import Capture
from use_cases.proofs.endings import EndingAim
from use_cases.proofs.rescues import DANGER, Rescue

MIN_DOTS = 2
"""Dots that an exercise is about, at least."""

MAX_FORCED = 5
"""Dots of its own in which the capture of an exercise is forced, at most."""

SPARE, MIN_WITHIN = 1, 3
"""A wrong move must not force the goal within so many dots more than the shortest way, and within so many at least."""

MAX_ENDING = 12
"""Free crossings of an ending, at most."""

TRIES = 15_000
"""Dots that one proof may place."""

QUIET = 3
"""Dots within which a proof needs no threats."""

SLIP_STEPS, SLIPS = 3, 8
"""Steps of a king from the last dot to a slip, and how many are tried."""

ENDING_TRIES = 300_000
"""Dots that the proof of an ending may place."""

TAKEN_KIND = "there is one of its kind already"


class Prover:
    """Makes exercises of positions. Raises Refusal for what is none, or for one of the `taken` kinds."""

    def __init__(self, tries: int = TRIES) -> None:
        self._forcing = Forcing(tries, QUIET)
        self._endings = Forcing(ENDING_TRIES, QUIET)

    def capture(self, position: DotsPosition, taken: Container[Kind] = ()) -> Proof:
        """Returns the exercise of a capture that the player to act can force."""
        board = Board.of(position)
        solver, base = board.mover, board.lead(board.mover)
        try:
            points = MIN_DOTS
            dots = self._quickest(board, solver, base + points, MAX_FORCED)
            if not dots:
                raise OutOfReach("nothing can be captured")
            if dots == 1 and Kind.CAPTURE in taken:
                raise Refusal(TAKEN_KIND)
            while self._forcing.forced(board.field, solver, base + points + 1, dots):
                points += 1
            aim = Capture(self._forcing, solver, base + points)
            tree = aim.first(board, max(dots + SPARE, MIN_WITHIN))
            kind, tree = aim.named(board, tree, dots)
            if kind in taken:
                raise Refusal(TAKEN_KIND)
            return Proof(kind, points, tree)
        except TooLong as long:
            raise TooLarge("the proof is too long") from long

    def slip(self, position: DotsPosition, chance: Random) -> str:
        """Returns a dot near the last one that overlooks a capture in several dots; empty if there is none."""
        board = Board.of(position)
        rival, goal = 1 - board.mover, board.lead(1 - board.mover) + MIN_DOTS
        try:
            dots = self._quickest(board.after(PASS), rival, goal, MAX_FORCED - 1)
            if dots < 2:
                return ""
            last = position.field.grid.index(position.picture().last[0])
            around = [cell for cell in board.free if replace(board, last=last).steps_from_last(cell) <= SLIP_STEPS]
            slips = chance.sample(around, min(SLIPS, len(around)))
            found = (cell for cell in slips if self._quickest(board.after(cell), rival, goal, dots) == dots)
            return "".join(board.names(islice(found, 1)))
        except TooLong:
            return ""

    def save(self, position: DotsPosition, taken: Container[Kind] = ()) -> Proof:
        """Returns the exercise of dots that the opponent of the player to act threatens to capture."""
        board = Board.of(position)
        rival, base = 1 - board.mover, board.lead(1 - board.mover)
        try:
            dots = self._quickest(board.after(PASS), rival, base + MIN_DOTS, DANGER)
            if not dots:
                raise OutOfReach("nothing is in danger")
            points = MIN_DOTS
            while self._forcing.forced(board.field, rival, base + points + 1, dots):
                points += 1
            aim = Rescue(self._forcing, rival, base + points)
            kind = aim.kind(board)
            if kind in taken:
                raise Refusal(TAKEN_KIND)
            return Proof(kind, points, aim.first(board))
        except TooLong as long:
            raise TooLarge("the proof is too long") from long

    def ending(self, position: DotsPosition) -> Proof:
        """Returns the exercise of the last moves of a game."""
        board = Board.of(position)
        if board.field[FREE] > MAX_ENDING:
            raise TooLarge("too many crossings are free")
        try:
            final = self._endings.final_lead(board.field, board.mover, -1000, 1000)
            if final < 1:
                raise OutOfReach("the ending is not won")
            return Proof(Kind.ENDING, final, EndingAim(self._endings, board.mover, final).node(board, MAX_FIRST))
        except TooLong as long:
            raise TooLarge("the proof is too long") from long

    def _quickest(self, board: Board, player: int, goal: int, most: int) -> int:
        """Returns the fewest dots within which `player` forces the goal, 0 if not within `most`."""
        return next((dots for dots in range(1, most + 1) if self._forcing.forced(board.field, player, goal, dots)), 0)
