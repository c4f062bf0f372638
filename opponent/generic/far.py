"""Dots with far links for the search.

The rules look for the smallest chain, which takes a millisecond or more. A glance is enough to see that there is none:
whoever can walk from his dot to the edge, over no dot and no section of the other, is not enclosed.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

from opponent.generic.dots import LOCAL, TRIES, DotsKnowledge, DotsMoment
from opponent.generic.knowledge import Ending
from opponent.generic.light_board import FREE, GONE, Sketch
from rules.dots import DotsPosition, Turn
from rules.game import IllegalMove
from rules.point import Seat

LENGTH = 14
"""Moves of a playout."""

GLANCES = 10
"""Crossings near the last dot that a playout looks at for a capture."""

E, NE, N, NW, W, SW, S, SE = (1 << way for way in range(8))


def _crossed(*pairs: int) -> bytes:
    """For the walls around a crossing: whether both of one of the `pairs` stand."""
    return bytes(any(walls & pair == pair for pair in pairs) for walls in range(256))


_UNDER_LINK = _crossed(E | W, N | S, NE | SW, NW | SE)
"""Whether a double step runs over the crossing, if it is free."""

_PARTED = (_crossed(S | NE, N | SE), _crossed(W | NE, E | NW), _crossed(S | NW, N | SW), _crossed(W | SE, E | SW))
"""Whether a knight's step parts the crossing from its neighbour on the right, above, on the left and below."""


class FarKnowledge(DotsKnowledge):
    """As with near links, but for what closes an area; that is drawn at once.

    Playouts are a guess of their own: there a glance decides what is captured, and nothing is ever freed.
    """

    def ending(self, moment: DotsMoment, chance: Random) -> Ending:
        position, sketch, last = moment.position, moment.sketch.copy(), moment.last
        pool, scores, seat = sketch.free(), list(position.score), position.to_act
        trail: list[tuple[Seat, Turn]] = []
        for _ in range(LENGTH):
            cell = self._caught(sketch, last, seat, chance) or _drawn_by_lot(sketch, last, pool, chance)
            if not cell:
                break
            trail.append((seat, sketch.paper.turns[cell]))
            sketch.put(cell, seat + 1)
            if self._may_close(sketch, cell, seat):
                for country in _surrounded(sketch, cell, seat):
                    scores[seat] += sketch.take(country)
            seat, last = Seat(1 - seat), (cell, *last[:1])
        return self._judged(None, tuple(scores), tuple(trail))

    def _caught(self, sketch: Sketch, last: tuple[int, ...], seat: Seat, chance: Random) -> int:
        """A dot near the last one that captures, or that keeps the other from it; 0 if none is seen."""
        near, draw = sketch.paper.near, chance.random
        for place in last[:1]:
            for _ in range(GLANCES):
                cell = place + near[int(draw() * len(near))]
                if sketch.dots[cell] == FREE:
                    for closer in (seat, Seat(1 - seat)):
                        if self._may_close(sketch, cell, closer) and _prey(sketch, cell, closer):
                            return cell
        return 0

    def _may_close(self, sketch: Sketch, cell: int, seat: Seat) -> bool:
        dots, own, others = sketch.dots, 0, False
        for step in sketch.paper.near:
            dot = dots[cell + step]
            if dot == seat + 1:
                own += 1
            elif dot not in (FREE, GONE):
                others = True
        return own > 1 and others

    def _gain(self, position: DotsPosition, sketch: Sketch, cell: int) -> float:
        return float(_prey(sketch, cell, position.to_act))

    def _placed(self, position: DotsPosition, sketch: Sketch, cell: int) -> DotsPosition:
        turn, seat = sketch.paper.turns[cell], position.to_act
        if self._may_close(sketch, cell, seat):
            with sketch.tried(cell, seat + 1):
                countries = _surrounded(sketch, cell, seat)
            for country in countries:
                prey = next(place for place in country if sketch.dots[place] not in (FREE, GONE))
                drawn = replace(turn, chains=(*turn.chains, (sketch.paper.point(prey),)))
                with suppress(IllegalMove):  # a glance is no proof that there is a chain
                    position.play(drawn)
                    turn = drawn
        return position.play(turn)


def _drawn_by_lot(sketch: Sketch, last: tuple[int, ...], pool: list[int], chance: Random) -> int:
    """A free crossing near the last dot, or anywhere in `pool`; 0 if nothing is left there."""
    dots, near, draw = sketch.dots, sketch.paper.near, chance.random
    if last and draw() < LOCAL:
        for _ in range(TRIES):
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


def _prey(sketch: Sketch, cell: int, seat: Seat) -> int:
    """How many dots of others a dot of `seat` there would surround."""
    with sketch.tried(cell, seat + 1):
        return sum(
            sketch.dots[place] not in (FREE, GONE, seat + 1)
            for country in _surrounded(sketch, cell, seat)
            for place in country
        )


def _surrounded(sketch: Sketch, cell: int, seat: Seat) -> list[set[int]]:
    """The countries around the dot of `seat` on `cell` in which dots of others have no way to the edge."""
    dots, seen, found = sketch.dots, set[int](), list[set[int]]()
    for step in sketch.paper.near:
        place = cell + step
        if dots[place] not in (FREE, GONE, seat + 1) and place not in seen:
            country, grounded = _country(sketch, place, seat)
            seen |= country
            if not grounded:
                found.append(country)
    return found


def _country(sketch: Sketch, start: int, seat: Seat) -> tuple[set[int], bool]:
    """The crossings that can be walked to from `start` past the dots and sections of `seat`, as far as was looked, and
    whether the edge is one of them."""
    dots, walls, edge = sketch.dots, sketch.walls[seat + 1], sketch.paper.depth
    right, _, up, _, left, _, down, _ = sketch.paper.steps
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
