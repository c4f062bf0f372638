"""A painted or drawn field as one on which everything closes by itself.

Whoever closes what he can at once plays the same game, but for dots put into a house, which fall a move earlier. So the
dot is thought out on the twin, and what it closes is painted or drawn on the field itself.
"""

from __future__ import annotations

from dataclasses import replace

from rules.dots import Closing, DotsPosition, Ending, Links, Scoring, Setup
from rules.point import Point


def twin(position: DotsPosition) -> DotsPosition:
    """The same dots under automatic closing, with the same player to act; itself where it is automatic already, or has
    far links, which nothing closes by itself.

    Bases are not copied but come about anew, from the prisoners outwards. One that was drawn wider than it had to be,
    or whose wall was captured in part, may come out smaller.
    """
    game = position.rules
    if game.closing is Closing.AUTOMATIC or game.links is Links.FAR:
        return position
    stones = sorted(position.picture().stones, key=lambda stone: not stone.captured)
    automatic = replace(
        game,
        setup=Setup.STONES,
        stones=tuple((stone.seat, stone.point) for stone in stones),
        crosses=1,
        closing=Closing.AUTOMATIC,
        scoring=Scoring.EVERYTHING if game.scoring is Scoring.EVERYTHING else Scoring.DOTS,
        ending=Ending.FULL,
        landing=False,
        win=None,
    )
    return DotsPosition.first(automatic).with_to_act(position.to_act)


def is_first_dot(position: DotsPosition) -> bool:
    """Whether the player to act is bound to the zone of the first dots, which the twin of a field does not know."""
    return position.picture().zone is not None


def in_the_middle(position: DotsPosition) -> Point:
    """A first dot: two or three steps from those of the others, as near to the middle as that lets it be."""
    picture = position.picture()
    middle = Point((picture.width - 1) // 2, (picture.height - 1) // 2)
    others = [stone.point for stone in picture.stones]

    def cost(point: Point) -> tuple[int, int]:
        crowded = sum(_steps(point, other) < 2 for other in others)
        return crowded, _steps(point, middle) ** 2 + abs(point.x - middle.x) + abs(point.y - middle.y)

    return min((turn.dot for turn in position.moves()), key=cost)


def _steps(one: Point, other: Point) -> int:
    return max(abs(one.x - other.x), abs(one.y - other.y))
