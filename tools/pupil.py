"""A player who knows what the first lessons of the path teach, and otherwise plays as the weakest level.

It says whether the path teaches what wins: `python -m tools.arena pupil3 1 --size 9x9 --games 100` plays one who has
had three lessons against level 1, and `pupil` one who has had them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opponent.choice import EASIEST, Choice
from opponent.choose import choose
from play.community.lesson import LESSONS
from rules.dots import Call, DotsPosition, Turn
from rules.dots.scoring import losses
from rules.game import AnyPosition, Point, Seat

CHASE_DOTS = 3
"""Dots of a chase that a pupil sees ahead."""


MAX_LAST_DOTS = 5
"""Free crossings up to which a pupil counts to the end of a game."""


class Pupil:
    """The player after so many lessons."""

    def __init__(self, lessons: int) -> None:
        self._known = frozenset(tuple(LESSONS)[:lessons])

    def __call__(self, position: AnyPosition, seed: int) -> Choice:
        """Returns a dot by what was taught, else that of the weakest level."""
        if isinstance(position, DotsPosition):
            if "stop" in self._known and Call.STOP in position.calls() and stop_wins(position):
                return Choice(str(Call.STOP), 0.0, 1.0)
            dot = self._last_dot(position) or self._taught(position)
            if dot is not None:
                return Choice(str(Turn(dot)), 0.0, 0.5)
        return choose(position, None, seed, EASIEST)

    def _last_dot(self, position: DotsPosition) -> Point | None:
        """Returns the dot that leads by most at the end, once few crossings are left and endings were taught."""
        if "fill" not in self._known or position.free > MAX_LAST_DOTS:
            return None
        return max((move.dot for move in position.moves()), key=lambda dot: _final_lead(position, dot), default=None)

    def _taught(self, position: DotsPosition) -> Point | None:
        seat = position.to_act
        own, danger = captures(position, seat), captures(position, Seat(1 - seat))
        if self._counts and (own or danger):
            return max(_sorted([*own, *danger]), key=lambda dot: _worth(position, dot))
        if own and "capture" in self._known:
            return max(_sorted(own), key=lambda dot: own[dot])
        if danger and "block" in self._known:
            return max(_sorted(danger), key=lambda dot: -_danger_after(position, dot))
        depth = CHASE_DOTS if "chase" in self._known else 1
        if "fork" in self._known:
            found = next((dot for dot in near_dots(position) if _drives(position, dot, depth)), None)
            if found is not None:
                return found
        if "parry" in self._known:
            turned = position.with_to_act(Seat(1 - seat))
            return next((dot for dot in near_dots(turned) if _drives(turned, dot, depth)), None)
        return None

    @property
    def _counts(self) -> bool:
        """Whether the lessons on counting were had."""
        return "save" in self._known


def stop_wins(position: DotsPosition) -> bool:
    """Returns whether a STOP of the player to move wins, whatever the opponent does alone."""
    seat, stopped = position.to_act, position.play(Call.STOP)
    return all(_lead(stopped, seat) > loss for loss in losses(stopped.field.copy(), seat + 1))


def captures(position: DotsPosition, seat: Seat) -> dict[Point, int]:
    """Returns the crossings where `seat` would capture, with the number of dots."""
    if position.outcome:
        return {}
    turned = position if position.to_act == seat else position.with_to_act(seat)
    found = ((move.dot, turned.consequences_of(move.dot).captures) for move in turned.moves())
    return {dot: count for dot, count in found if count}


def near_dots(position: DotsPosition) -> Iterator[Point]:
    """Yields the crossings beside two dots of the player to act, which alone may threaten something."""
    own = {stone.point for stone in position.picture().stones if stone.seat == position.to_act and not stone.captured}
    for move in position.moves():
        around = (Point(move.dot.x + dx, move.dot.y + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2))
        if sum(each in own for each in around) > 1:
            yield move.dot


def _lead(position: DotsPosition, seat: Seat) -> float:
    return position.score[seat] - position.score[1 - seat]


def _final_lead(position: DotsPosition, dot: Point) -> float:
    """Returns the lead that a dot of the player to move leads to, when both place their best ones after it."""
    seat, after = position.to_act, position.play(Turn(dot))
    if after.outcome:
        return _lead(after, seat)
    return -max(_final_lead(after, reply.dot) for reply in after.moves())


def _sorted(dots: Iterable[Point]) -> list[Point]:
    return sorted(set(dots))


def _danger_after(position: DotsPosition, dot: Point) -> int:
    after = position.play(Turn(dot))
    return max(captures(after, Seat(1 - position.to_act)).values(), default=0)


def _worth(position: DotsPosition, dot: Point) -> float:
    return position.consequences_of(dot).captures - _danger_after(position, dot)


def _drives(position: DotsPosition, dot: Point, depth: int) -> bool:
    """Returns whether a dot threatens a capture that the opponent cannot prevent, within so many dots of threats."""
    seat, after = position.to_act, position.play(Turn(dot))
    ways = captures(after, seat)
    if not ways or captures(after, Seat(1 - seat)):
        return False
    for reply in ways:
        replied = after.play(Turn(reply))
        if captures(replied, seat):
            continue
        if depth == 1 or not any(_drives(replied, again, depth - 1) for again in near_dots(replied)):
            return False
    return True
