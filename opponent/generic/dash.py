"""Dot Dash for the search: fives, the moves that make one, and lines that may still become one."""

from dataclasses import dataclass
from itertools import islice
from random import Random

from opponent.generic.knowledge import Idea, Result, win_chance
from rules.dash import Choice, DashPosition, DashRules, Opening, Phase, Turn
from rules.dash.board import Board, board
from rules.game import Point, Seat

SCALE = 1.0
"""Fives of a lead that make a win likely."""

WORTHS = (0.0, 0.0, 0.01, 0.05, 0.16)
"""The worth of a line of five crossings without an opponent's stone, in fives, by the own stones on it."""

ANSWERED = 0.75
"""The worth of a lead of one five: the opponent has one move to draw level."""

MAX_SET_UPS = 6
"""Set-ups that are searched, of millions."""

REACH = 3
"""Crossings from the middle within which the stones of a set-up lie."""

MAX_MOVES = 600
"""Moves that are searched; with several ways to declare a five there may be more."""


@dataclass(slots=True)
class DashMoment:
    position: DashPosition
    ideas: list[Idea] | None = None


class DashKnowledge:
    """Dot Dash as a Knowledge: every move is searched once; the worth of the best is that of the position."""

    exploration = 0.12
    rave_playouts = 0.0
    expand_after = 1

    def __init__(self, rules: DashRules, seed: int) -> None:
        self._board = board(rules.size)
        self._chance = Random(seed)  # noqa: S311 - a game, not a secret

    def first(self, position: DashPosition) -> DashMoment:
        return DashMoment(position)

    def after(self, moment: DashMoment, move: Turn) -> DashMoment:
        return DashMoment(moment.position.play(move))

    def ideas(self, moment: DashMoment) -> list[Idea]:
        if moment.ideas is None:
            moment.ideas = sorted(self._ideas(moment.position), key=lambda idea: -idea.promise)
        return moment.ideas

    def play_out(self, moment: DashMoment, chance: Random) -> Result:
        win = self.ideas(moment)[0].promise
        lead = moment.position.score[0] - moment.position.score[1]
        wins = (win, 1 - win) if moment.position.to_act == 0 else (1 - win, win)
        return Result(wins, (float(lead), float(-lead)))

    def _ideas(self, position: DashPosition) -> list[Idea]:
        if position.outcome:
            return []
        if position.phase is Phase.SET_UP:
            return [Idea(opening, 0.5) for opening in self._set_ups(position.rules.size)]
        if position.phase is Phase.CHOICE:
            return [Idea(Choice.SINGLE, 0.5), Idea(Choice.PAIR, 0.5)]
        mover = position.to_act
        return [self._idea(position.play(move), move, mover) for move in islice(position.moves(), MAX_MOVES)]

    def _idea(self, after: DashPosition, move: Turn, mover: Seat) -> Idea:
        score, stones = after.score, after.stones
        lead = score[mover] - score[1 - mover]
        if lead < 0:
            return Idea(move, 0.01)  # the opponent wins as soon as their turn begins
        own, other = stones[mover], stones[1 - mover]
        potential = _lines(self._board, own, other) - _lines(self._board, other, own)
        promise = win_chance(potential - 0.2, SCALE)
        if lead > 0:
            promise += (1 - promise) * ANSWERED
        return Idea(move, promise, plain=lead > 0)

    def _set_ups(self, size: int) -> list[Opening]:
        low, chance = size // 2 - REACH, self._chance
        near = [Point(low + x, low + y) for x in range(2 * REACH + 1) for y in range(2 * REACH + 1)]
        chosen = [chance.sample(near, 3) for _ in range(MAX_SET_UPS)]
        return [Opening(frozenset((one, other)), single) for one, other, single in chosen]


def _lines(board: Board, own: int, other: int) -> float:
    """Returns the worth of the lines of five crossings that hold no stone of the opponent, full ones excepted."""
    worth, space = 0.0, board.field & ~other
    for step in board.steps:
        twos = space & space >> step
        lines = twos & twos >> 2 * step & space >> 4 * step
        if not lines:
            continue
        ones = twice = fours = 0
        for place in range(5):  # adds up the stones of all lines at once, a bit of each sum in each number
            stones = own >> place * step & lines
            carry = ones & stones
            ones ^= stones
            fours ^= twice & carry
            twice ^= carry
        worth += WORTHS[2] * (twice & ~ones & ~fours).bit_count()
        worth += WORTHS[3] * (twice & ones & ~fours).bit_count()
        worth += WORTHS[4] * (fours & ~ones).bit_count()
    return worth
