"""Dots with far links for the search.

The rules search for the smallest chain, which takes a millisecond or more. To see that there is none takes 20 µs: a dot
that can walk to the edge, over no dot and no segment of the opponent, is not enclosed.
"""

from contextlib import suppress
from dataclasses import replace
from random import Random

from opponent.generic.dots import LOCAL_SHARE, MAX_TRIES, DotsKnowledge, DotsMoment
from opponent.generic.knowledge import Result
from opponent.generic.light_board import FREE, GONE, LightBoard
from rules.dots import DotsPosition, Turn
from rules.game import IllegalMove, Seat

PLAYOUT_MOVES = 14
"""Moves of a playout."""

MAX_GLANCES = 10
"""Crossings near the last dot where a playout looks for a capture."""

E, NE, N, NW, W, SW, S, SE = (1 << way for way in range(8))


def _crossed(*pairs: int) -> bytes:
    """Returns, by the walls around a crossing, whether both of one of the `pairs` are there."""
    return bytes(any(walls & pair == pair for pair in pairs) for walls in range(256))


_UNDER_LINK = _crossed(E | W, N | S, NE | SW, NW | SE)
"""True where a double step runs over the crossing, if it is free."""

_PARTED = (_crossed(S | NE, N | SE), _crossed(W | NE, E | NW), _crossed(S | NW, N | SW), _crossed(W | SE, E | SW))
"""True where a knight's step parts the crossing from its neighbour on the right, above, on the left and below."""


class FarKnowledge(DotsKnowledge):
    """Knowledge as with near links; a dot draws at once every area that it closes. Playouts are estimates: there the
    light board decides which dots are captured, and nothing is ever freed."""

    def play_out(self, moment: DotsMoment, chance: Random) -> Result:
        position, board, last = moment.position, moment.board.copy(), moment.last
        pool, scores, seat = board.free(), list(position.score), position.to_act
        trail: list[tuple[Seat, Turn]] = []
        for _ in range(PLAYOUT_MOVES):
            cell = self._capturing_cell(board, last, seat, chance) or _random_cell(board, last, pool, chance)
            if not cell:
                break
            trail.append((seat, board.paper.turns[cell]))
            board.put(cell, seat + 1)
            if self._may_close(board, cell, seat):
                for region in _surrounded(board, cell, seat):
                    scores[seat] += board.remove(region)
            seat, last = Seat(1 - seat), (cell, *last[:1])
        return self._result(None, tuple(scores), tuple(trail))

    def _capturing_cell(self, board: LightBoard, last: tuple[int, ...], seat: Seat, chance: Random) -> int:
        """Returns a dot near the last one that captures, or that keeps the opponent from it; 0 if none is seen."""
        near, draw = board.paper.near, chance.random
        for place in last[:1]:
            for _ in range(MAX_GLANCES):
                cell = place + near[int(draw() * len(near))]
                if board.dots[cell] == FREE:
                    for closer in (seat, Seat(1 - seat)):
                        if self._may_close(board, cell, closer) and _count_surrounded(board, cell, closer):
                            return cell
        return 0

    def _may_close(self, board: LightBoard, cell: int, seat: Seat) -> bool:
        dots, own, others = board.dots, 0, False
        for step in board.paper.near:
            dot = dots[cell + step]
            if dot == seat + 1:
                own += 1
            elif dot not in (FREE, GONE):
                others = True
        return own > 1 and others

    def _gain(self, position: DotsPosition, board: LightBoard, cell: int) -> float:
        return float(_count_surrounded(board, cell, position.to_act))

    def _play_dot(self, position: DotsPosition, board: LightBoard, cell: int) -> DotsPosition:
        turn, seat = board.paper.turns[cell], position.to_act
        if self._may_close(board, cell, seat):
            with board.with_dot(cell, seat + 1):
                regions = _surrounded(board, cell, seat)
            for region in regions:
                captured = next(place for place in region if board.dots[place] not in (FREE, GONE))
                drawn = replace(turn, chains=(*turn.chains, (board.paper.point(captured),)))
                with suppress(IllegalMove):  # the light board does not prove that there is a chain
                    position.play(drawn)
                    turn = drawn
        return position.play(turn)


def _random_cell(board: LightBoard, last: tuple[int, ...], pool: list[int], chance: Random) -> int:
    """Returns a free crossing near the last dot, or anywhere in `pool`; 0 if nothing is left there."""
    dots, near, draw = board.dots, board.paper.near, chance.random
    if last and draw() < LOCAL_SHARE:
        for _ in range(MAX_TRIES):
            cell = last[0] + near[int(draw() * len(near))]
            if dots[cell] == FREE:
                return cell
    while pool:
        place = int(draw() * len(pool))
        cell = pool[place]
        pool[place] = pool[-1]
        pool.pop()
        if dots[cell] == FREE:
            return cell
    return 0


def _count_surrounded(board: LightBoard, cell: int, seat: Seat) -> int:
    """Returns how many dots of others a dot of `seat` there would surround."""
    with board.with_dot(cell, seat + 1):
        return sum(
            board.dots[place] not in (FREE, GONE, seat + 1)
            for region in _surrounded(board, cell, seat)
            for place in region
        )


def _surrounded(board: LightBoard, cell: int, seat: Seat) -> list[set[int]]:
    """Returns the regions around the dot of `seat` on `cell` in which dots of others have no way to the edge."""
    dots, seen, found = board.dots, set[int](), list[set[int]]()
    for step in board.paper.near:
        place = cell + step
        if dots[place] not in (FREE, GONE, seat + 1) and place not in seen:
            region, grounded = _region(board, place, seat)
            seen |= region
            if not grounded:
                found.append(region)
    return found


def _region(board: LightBoard, start: int, seat: Seat) -> tuple[set[int], bool]:
    """Returns the crossings that can be reached from `start` past the dots and segments of `seat`, and whether the edge
    is one of them. The walk ends at the edge."""
    dots, walls, edge = board.dots, board.walls[seat + 1], board.paper.depth
    right, _, up, _, left, _, down, _ = board.paper.steps
    ways = tuple(zip((right, up, left, down), _PARTED, strict=True))
    seen, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        if not edge[cell]:
            return seen, True
        around = walls[cell]
        for step, parted in ways:
            there = cell + step
            if parted[around] or there in seen:
                continue
            dot = dots[there]
            if dot == seat + 1 or (dot == FREE and _UNDER_LINK[walls[there]]):
                continue
            seen.add(there)
            waiting.append(there)
    return seen, False
