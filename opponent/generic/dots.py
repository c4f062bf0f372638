"""Dots with automatic closing for the search, with any number of players."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from opponent.generic.knowledge import Ending, Idea, hope, leads, parts
from opponent.generic.light_board import FREE, GONE, JOINS, Sketch
from rules.dots import DotsPosition, DotsRules, Turn
from rules.game import IllegalMove, Outcome
from rules.point import Seat

SCALE = 2.5
"""Points of a lead that makes a win likely, at the end of a short playout; more where somebody is far ahead already, so
that it still matters how far."""

SHORT_PLAYOUT, SMALL_FIELD = 36, 144
"""Moves of a playout; on fields of so many crossings it goes on to the end."""

LOCAL = 0.55
"""How often a playout answers where the last dot was placed, when nothing is to be captured or saved."""

TRIES = 4
"""Crossings that are tried for a dot by chance."""


@dataclass(slots=True)
class DotsMoment:
    """`last` are the cells of the last two dots, the newest first."""

    position: DotsPosition
    sketch: Sketch
    last: tuple[int, ...]


class DotsKnowledge:
    """Local tactics: captures, what keeps from them, and dots that join or cut walls near the last ones."""

    curiosity = 0.0
    likeness = 400.0
    patience = 3

    def __init__(self, rules: DotsRules) -> None:
        self._scale = SCALE
        self._length = SHORT_PLAYOUT if rules.width * rules.height > SMALL_FIELD else SMALL_FIELD

    def first(self, position: DotsPosition) -> DotsMoment:
        sketch = Sketch.of(position)
        self._scale = SCALE + abs(max(leads(position.score))) / 4
        return DotsMoment(position, sketch, tuple(map(sketch.paper.cell, position.picture().last)))

    def ideas(self, moment: DotsMoment) -> list[Idea]:
        position, sketch = moment.position, moment.sketch
        if position.outcome:
            return []
        cells = sketch.free()
        if not sketch.dots.count(position.to_act + 1):  # the first dot may have to lie in a zone
            cells = [sketch.paper.cell(turn.dot) for turn in position.moves()]
        found = [idea for cell in cells if (idea := self._idea(moment, cell))]
        return sorted(found, key=lambda idea: -idea.promise)

    def after(self, moment: DotsMoment, move: Turn) -> DotsMoment:
        sketch = moment.sketch.copy()
        cell = sketch.paper.cell(move.dot)
        position = self._placed(moment.position, sketch, cell)
        if position.score == moment.position.score:
            sketch.put(cell, moment.position.to_act + 1)
        else:
            sketch.read(position)
        return DotsMoment(position, sketch, (cell, *moment.last[:1]))

    def ending(self, moment: DotsMoment, chance: Random) -> Ending:
        position, sketch, last = moment.position, moment.sketch.copy(), moment.last
        pool = sketch.free()
        trail: list[tuple[Seat, Turn]] = []
        for _ in range(self._length):
            if position.outcome:
                break
            seat = position.to_act
            cell, after = self._reply(position, sketch, last) or self._stroll(position, sketch, last, pool, chance)
            if after is None:
                break
            if after.score == position.score:
                sketch.put(cell, seat + 1)
            else:
                sketch.read(after)
            trail.append((seat, sketch.paper.turns[cell]))
            position, last = after, (cell, *last[:1])
        return self._judged(position.outcome, position.score, tuple(trail))

    def _judged(
        self, outcome: Outcome | None, scores: tuple[float, ...], trail: tuple[tuple[Seat, Turn], ...]
    ) -> Ending:
        ahead = leads(scores)
        if outcome:
            return Ending(parts(outcome, len(ahead)), ahead, trail)
        return Ending(tuple(hope(lead, self._scale) for lead in ahead), ahead, trail)

    def _idea(self, moment: DotsMoment, cell: int) -> Idea | None:
        """What a dot there is worth at first sight: for what it captures, what it saves, and where it lies."""
        position, sketch, last = moment.position, moment.sketch, moment.last
        paper, mover = sketch.paper, position.to_act
        turn = paper.turns[cell]
        promise = 0.42 + 0.02 * paper.depth[cell]
        plain = False
        own = sketch.walls[mover + 1][cell]
        for place, age in zip(last, (0.07, 0.05), strict=False):
            away = _distance(paper.stride, cell, place)
            if away <= 2:
                promise += age if away == 1 else age * 0.6
        promise += 0.02 * min(2, own.bit_count())
        try:
            if self._may_close(sketch, cell, mover):
                promise += 0.04
                gain = self._gain(position, sketch, cell)
                if gain > 0:
                    promise += 0.15 + 0.05 * min(6.0, gain)
                    plain = True
                elif gain < 0:
                    promise -= 0.3
            for seat, walls in enumerate(sketch.walls[1:]):
                if seat != mover and walls[cell]:
                    promise += 0.01
                    if self._may_close(sketch, cell, Seat(seat)):
                        promise += 0.05
                        theirs = position.with_to_act(Seat(seat))
                        threat = self._gain(theirs, sketch, cell)
                        if threat > 0:
                            promise += 0.12 + 0.04 * min(6.0, threat)
        except IllegalMove:
            return None
        return Idea(turn, min(promise, 0.95), plain)

    def _reply(self, position: DotsPosition, sketch: Sketch, last: tuple[int, ...]) -> tuple[int, DotsPosition] | None:
        """A capture beside the last dots, or else the dot that keeps the last mover from one."""
        if not last:
            return None
        dots, steps, mover = sketch.dots, sketch.paper.steps, position.to_act
        for place in last:
            for step in steps:
                cell = place + step
                if dots[cell] == FREE and self._may_close(sketch, cell, mover):
                    after = self._tried(position, sketch, cell)
                    if after and _gain(position, after, mover) > 0:
                        return cell, after
        if dots[last[0]] in (FREE, mover + 1, GONE):
            return None
        enemy, theirs = Seat(dots[last[0]] - 1), None
        for step in steps:
            cell = last[0] + step
            if dots[cell] == FREE and self._may_close(sketch, cell, enemy):
                theirs = theirs or position.with_to_act(enemy)
                threat = self._tried(theirs, sketch, cell)
                if threat and _gain(theirs, threat, enemy) > 0:
                    saved = self._tried(position, sketch, cell)
                    if saved and _gain(position, saved, mover) >= 0:
                        return cell, saved
        return None

    def _stroll(
        self, position: DotsPosition, sketch: Sketch, last: tuple[int, ...], pool: list[int], chance: Random
    ) -> tuple[int, DotsPosition | None]:
        """A dot by chance, near the last one or anywhere in `pool`; of captures it makes none on purpose."""
        dots, paper = sketch.dots, sketch.paper
        draw = chance.random
        if last and draw() < LOCAL:
            near, count = paper.near, len(paper.near)
            for _ in range(TRIES):
                cell = last[0] + near[int(draw() * count)]
                if dots[cell] == FREE and (after := self._tried(position, sketch, cell)):
                    return cell, after
        while pool:
            place = int(draw() * len(pool))
            cell = pool[place]
            pool[place] = pool[-1]
            pool.pop()
            if dots[cell] == FREE and (after := self._tried(position, sketch, cell)):
                return cell, after
        for cell in sketch.free():
            if after := self._tried(position, sketch, cell):
                return cell, after
        return 0, None

    def _tried(self, position: DotsPosition, sketch: Sketch, cell: int) -> DotsPosition | None:
        """The position after a dot there; None if it may not be placed, being a first dot outside its zone."""
        try:
            return self._placed(position, sketch, cell)
        except IllegalMove:
            return None

    def _may_close(self, sketch: Sketch, cell: int, seat: Seat) -> bool:
        """Whether a dot of `seat` there could close something, as far as a glance tells."""
        return JOINS[sketch.walls[seat + 1][cell]] != 0

    def _gain(self, position: DotsPosition, sketch: Sketch, cell: int) -> float:
        """By how much the lead of the player to act grows with a dot there. Raises IllegalMove."""
        return _gain(position, position.play(sketch.paper.turns[cell]), position.to_act)

    def _placed(self, position: DotsPosition, sketch: Sketch, cell: int) -> DotsPosition:
        """The position after a dot there. Raises IllegalMove for a first dot outside its zone."""
        return position.play(sketch.paper.turns[cell])


def _gain(before: DotsPosition, after: DotsPosition, seat: Seat) -> float:
    """By how much the lead of a seat grows."""
    if before.score == after.score:
        return 0.0
    return leads(after.score)[seat] - leads(before.score)[seat]


def _distance(stride: int, one: int, other: int) -> int:
    """Steps of a king between two cells."""
    return max(abs(one % stride - other % stride), abs(one // stride - other // stride))
