"""Proofs of lessons by exhaustive search: what a dot leads to, whatever the opponent does.

A chase is the exception: there each dot of the player threatens a capture, and the opponent answers each threat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from play.community.lesson import Lesson
from rules.dots import Call, DotsPosition, Turn
from rules.dots.scoring import losses
from rules.game import Point, Seat, Zone

ME, RIVAL = Seat(0), Seat(1)


def lead(position: DotsPosition) -> float:
    return position.score[ME] - position.score[RIVAL]


def captures(position: DotsPosition, seat: Seat, least: int = 1) -> list[Point]:
    """Returns the crossings where `seat` would capture at least so many dots, if it were to move."""
    if position.outcome:
        return []
    position = position.with_to_act(seat)
    return [move.dot for move in position.moves() if position.consequences_of(move.dot).captures >= least]


def play(position: DotsPosition, *points: Point) -> DotsPosition:
    for point in points:
        position = position.play(Turn(point))
    return position


def dots_of(position: DotsPosition, zone: Zone | None = None) -> list[Point]:
    return [move.dot for move in position.moves(zone)]


def gain(before: DotsPosition, after: DotsPosition) -> float:
    """Returns what a dot has won, less what the opponent captures next at most."""
    answers = [after.consequences_of(dot).captures for dot in dots_of(after)] if not after.outcome else []
    return lead(after) - lead(before) - max(answers, default=0)


def nets(position: DotsPosition, zone: Zone) -> bool:
    """Returns whether the dots of the opponent, who is to move, are caught without a threat yet: after every reply in
    the zone, threats capture them."""
    if position.outcome or captures(position, ME) or not _has_chase(position.with_to_act(ME), zone):
        return False
    return all(_has_chase(play(position, reply), zone) for reply in dots_of(position, zone))


def _has_chase(position: DotsPosition, zone: Zone) -> bool:
    afters = (play(position, dot) for dot in dots_of(position, zone))
    return any(captures(after, ME) and drives(after, 1, 3) for after in afters)


def chases(position: DotsPosition, least: int, dots: int) -> bool:
    """Returns whether the player, who is to move, captures at least so many dots by so many threats."""
    if captures(position, ME, least):
        return True
    return dots > 1 and any(drives(play(position, dot), least, dots - 1) for dot in dots_of(position))


def drives(position: DotsPosition, least: int, dots: int) -> bool:
    """Returns whether the opponent, who is to move and is threatened, is captured at last."""
    if position.outcome:
        return False
    ways = captures(position, ME, least)
    if not ways or captures(position, RIVAL):
        return False
    if len(ways) > 1 and all(captures(play(position, way), ME, least) for way in ways):
        return True
    return all(chases(play(position, reply), least, dots) for reply in _answers(position, ways, least))


def _answers(position: DotsPosition, ways: list[Point], least: int) -> Iterator[Point]:
    """Yields the replies after which the threats are gone."""
    for reply in ways:
        if not captures(play(position, reply), ME, least):
            yield reply


def turned(lesson: Lesson, *placed: tuple[str, Point]) -> DotsPosition:
    """Returns the position of a lesson with more dots `placed`, by their signs, as its opponent sees it: they are to
    move, and have the colour of the player."""
    height = len(lesson.rows)
    grid = [[*row] for row in lesson.rows]
    for sign, dot in placed:
        grid[height - 1 - dot.y][dot.x] = sign
    exchanged = str.maketrans("XO", "OX")
    position = replace(lesson, rows=tuple("".join(row).translate(exchanged) for row in grid)).exercise.position
    assert isinstance(position, DotsPosition)
    return position


def has_chase(position: DotsPosition, dots: int) -> bool:
    """Returns whether the player, who is to move, captures by so many threats, or at once."""
    if captures(position, ME):
        return True
    afters = (play(position, dot) for dot in dots_of(position))
    return any(captures(after, ME) and not captures(after, RIVAL) and drives(after, 1, dots) for after in afters)


def final_lead(position: DotsPosition) -> float:
    """Returns the lead of the player at the end, when both place their best dots until the board is full."""
    dots = dots_of(position) if position.outcome is None else []
    if not dots:
        return lead(position)
    best = max if position.to_act == ME else min
    return best(final_lead(play(position, dot)) for dot in dots)


def stop_wins(position: DotsPosition) -> bool:
    """Returns whether a STOP of the player wins, whatever the opponent does alone; the player is to move."""
    stopped = position.play(Call.STOP)
    return all(lead(stopped) > loss for loss in losses(stopped.field.copy(), ME + 1))


def loses_nothing(position: DotsPosition) -> bool:
    """Returns whether a STOP of the player, who is to move, leaves the opponent nothing to take."""
    stopped = position.play(Call.STOP)
    return lead(stopped) == lead(position) and not any(losses(stopped.field.copy(), ME + 1))


class Link(NamedTuple):
    """A link that `seat` wants, from `start` to one of the `ends`, with so many `dots` in a part of the board."""

    seat: Seat
    start: Point
    ends: frozenset[Point]
    dots: int
    zone: Zone

    def is_made(self, position: DotsPosition) -> bool:
        """Returns whether the dots are linked."""
        stones = position.picture().stones
        own = {stone.point for stone in stones if stone.seat == self.seat and not stone.captured}
        seen = [self.start] if self.start in own else []
        for point in seen:
            if point in self.ends:
                return True
            around = (Point(point.x + dx, point.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
            seen += [each for each in around if each in own and each not in seen]
        return False

    def holds(self, position: DotsPosition, mover: Seat) -> bool:
        """Returns whether the link is made, whatever the other player does; `mover` is to move."""
        if self.is_made(position):
            return True
        if not self.dots:
            return False
        position = position.with_to_act(mover)
        left = self._replace(dots=self.dots - 1) if mover == self.seat else self
        wanted = any if mover == self.seat else all
        return wanted(left.holds(play(position, dot), Seat(1 - mover)) for dot in dots_of(position, self.zone))
