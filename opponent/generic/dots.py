"""Dots with automatic closing for the search, with any number of players."""

from dataclasses import dataclass
from random import Random

from opponent.generic.knowledge import Idea, Result, leads, win_chance, win_shares
from opponent.generic.light_board import FREE, GONE, JOINS, LightBoard
from rules.dots import DotsPosition, DotsRules, Turn
from rules.game import IllegalMove, Outcome, Seat

SCALE = 2.5
"""Points of a lead that makes a win likely, at the end of a short playout. It is more if a player is far ahead
already, so that the size of the lead still counts."""

SHORT_PLAYOUT_MOVES, SMALL_FIELD = 36, 144
"""Moves of a playout; on fields of at most so many crossings it goes on to the end."""

LOCAL_SHARE = 0.55
"""The share of random dots that answer near the last one, when nothing is to be captured or saved."""

MAX_TRIES = 4
"""Crossings that are tried for a random dot."""


@dataclass(slots=True)
class DotsMoment:
    """A position with its light board; `last` are the cells of the last two dots, the newest first."""

    position: DotsPosition
    board: LightBoard
    last: tuple[int, ...]


class DotsKnowledge:
    """Local tactics: captures, defences, and dots that join or cut walls near the last ones."""

    exploration = 0.0
    rave_playouts = 400.0
    expand_after = 3

    def __init__(self, rules: DotsRules) -> None:
        self._scale = SCALE
        self._length = SHORT_PLAYOUT_MOVES if rules.width * rules.height > SMALL_FIELD else SMALL_FIELD

    def first(self, position: DotsPosition) -> DotsMoment:
        board = LightBoard.of(position)
        self._scale = SCALE + abs(max(leads(position.score))) / 4
        return DotsMoment(position, board, tuple(map(board.paper.cell, position.picture().last)))

    def ideas(self, moment: DotsMoment) -> list[Idea]:
        position, board = moment.position, moment.board
        if position.outcome:
            return []
        cells = board.free()
        if not board.dots.count(position.to_act + 1):  # the first dot may have to lie in a zone
            cells = [board.paper.cell(turn.dot) for turn in position.moves()]
        found = [idea for cell in cells if (idea := self._idea(moment, cell))]
        return sorted(found, key=lambda idea: -idea.promise)

    def after(self, moment: DotsMoment, move: Turn) -> DotsMoment:
        board = moment.board.copy()
        cell = board.paper.cell(move.dot)
        position = self._play_dot(moment.position, board, cell)
        if position.score == moment.position.score:
            board.put(cell, moment.position.to_act + 1)
        else:
            board.read(position)
        return DotsMoment(position, board, (cell, *moment.last[:1]))

    def play_out(self, moment: DotsMoment, chance: Random) -> Result:
        position, board, last = moment.position, moment.board.copy(), moment.last
        pool = board.free()
        trail: list[tuple[Seat, Turn]] = []
        for _ in range(self._length):
            if position.outcome:
                break
            seat = position.to_act
            cell, after = self._reply(position, board, last) or self._random_dot(position, board, last, pool, chance)
            if after is None:
                break
            if after.score == position.score:
                board.put(cell, seat + 1)
            else:
                board.read(after)
            trail.append((seat, board.paper.turns[cell]))
            position, last = after, (cell, *last[:1])
        return self._result(position.outcome, position.score, tuple(trail))

    def _result(
        self, outcome: Outcome | None, scores: tuple[float, ...], trail: tuple[tuple[Seat, Turn], ...]
    ) -> Result:
        ahead = leads(scores)
        if outcome:
            return Result(win_shares(outcome, len(ahead)), ahead, trail)
        return Result(tuple(win_chance(lead, self._scale) for lead in ahead), ahead, trail)

    def _idea(self, moment: DotsMoment, cell: int) -> Idea | None:
        """Returns the first estimate of a dot: for its captures, the dots that it saves, and its place."""
        position, board, last = moment.position, moment.board, moment.last
        paper, mover = board.paper, position.to_act
        turn = paper.turns[cell]
        promise = 0.42 + 0.02 * paper.depth[cell]
        plain = False
        own = board.walls[mover + 1][cell]
        for place, age in zip(last, (0.07, 0.05), strict=False):
            away = _distance(paper.stride, cell, place)
            if away <= 2:
                promise += age if away == 1 else age * 0.6
        promise += 0.02 * min(2, own.bit_count())
        try:
            if self._may_close(board, cell, mover):
                promise += 0.04
                gain = self._gain(position, board, cell)
                if gain > 0:
                    promise += 0.15 + 0.05 * min(6.0, gain)
                    plain = True
                elif gain < 0:
                    promise -= 0.3
            for seat, walls in enumerate(board.walls[1:]):
                if seat != mover and walls[cell]:
                    promise += 0.01
                    if self._may_close(board, cell, Seat(seat)):
                        promise += 0.05
                        theirs = position.with_to_act(Seat(seat))
                        threat = self._gain(theirs, board, cell)
                        if threat > 0:
                            promise += 0.12 + 0.04 * min(6.0, threat)
        except IllegalMove:
            return None
        return Idea(turn, min(promise, 0.95), plain)

    def _reply(
        self, position: DotsPosition, board: LightBoard, last: tuple[int, ...]
    ) -> tuple[int, DotsPosition] | None:
        """Returns a capture beside the last dots, or else the dot that keeps the last mover from one."""
        if not last:
            return None
        dots, steps, mover = board.dots, board.paper.steps, position.to_act
        for place in last:
            for step in steps:
                cell = place + step
                if dots[cell] == FREE and self._may_close(board, cell, mover):
                    after = self._try(position, board, cell)
                    if after and _gain(position, after, mover) > 0:
                        return cell, after
        if dots[last[0]] in (FREE, mover + 1, GONE):
            return None
        enemy, theirs = Seat(dots[last[0]] - 1), None
        for step in steps:
            cell = last[0] + step
            if dots[cell] == FREE and self._may_close(board, cell, enemy):
                theirs = theirs or position.with_to_act(enemy)
                threat = self._try(theirs, board, cell)
                if threat and _gain(theirs, threat, enemy) > 0:
                    saved = self._try(position, board, cell)
                    if saved and _gain(position, saved, mover) >= 0:
                        return cell, saved
        return None

    def _random_dot(
        self, position: DotsPosition, board: LightBoard, last: tuple[int, ...], pool: list[int], chance: Random
    ) -> tuple[int, DotsPosition | None]:
        """Returns a random dot, near the last one or anywhere in `pool`; it does not look for captures."""
        dots, paper = board.dots, board.paper
        draw = chance.random
        if last and draw() < LOCAL_SHARE:
            near, count = paper.near, len(paper.near)
            for _ in range(MAX_TRIES):
                cell = last[0] + near[int(draw() * count)]
                if dots[cell] == FREE and (after := self._try(position, board, cell)):
                    return cell, after
        while pool:
            place = int(draw() * len(pool))
            cell = pool[place]
            pool[place] = pool[-1]
            pool.pop()
            if dots[cell] == FREE and (after := self._try(position, board, cell)):
                return cell, after
        for cell in board.free():
            if after := self._try(position, board, cell):
                return cell, after
        return 0, None

    def _try(self, position: DotsPosition, board: LightBoard, cell: int) -> DotsPosition | None:
        """Returns the position after a dot there; None if it may not be placed, being a first dot outside its zone."""
        try:
            return self._play_dot(position, board, cell)
        except IllegalMove:
            return None

    def _may_close(self, board: LightBoard, cell: int, seat: Seat) -> bool:
        """Returns whether a dot of `seat` there could close something, by the light board."""
        return JOINS[board.walls[seat + 1][cell]] != 0

    def _gain(self, position: DotsPosition, board: LightBoard, cell: int) -> float:
        """Returns how much the lead of the player to act grows with a dot there. Raises IllegalMove."""
        return _gain(position, position.play(board.paper.turns[cell]), position.to_act)

    def _play_dot(self, position: DotsPosition, board: LightBoard, cell: int) -> DotsPosition:
        """Returns the position after a dot there. Raises IllegalMove for a first dot outside its zone."""
        return position.play(board.paper.turns[cell])


def _gain(before: DotsPosition, after: DotsPosition, seat: Seat) -> float:
    """Returns how much the lead of a seat grows."""
    if before.score == after.score:
        return 0.0
    return leads(after.score)[seat] - leads(before.score)[seat]


def _distance(stride: int, one: int, other: int) -> int:
    """Returns the steps of a king between two cells."""
    return max(abs(one % stride - other % stride), abs(one // stride - other // stride))
