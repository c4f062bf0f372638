"""Converts painted and drawn fields to automatic closing.

A player who closes every area at once plays the same game, except that dots in a house are captured a move earlier. So
the search runs on the automatic field. The areas that its dot closes are then painted or drawn on the real one.
"""

from dataclasses import replace

from rules.dots import Closing, DotsPosition, Ending, Links, Reuse, Scoring, Setup
from rules.game import Point, steps_between


def as_automatic(position: DotsPosition) -> DotsPosition:
    """Returns the same dots under automatic closing, with the same player to act.

    A position with automatic closing is returned unchanged, and so is one with far links, which never close
    automatically.

    Bases are not copied: they are made anew, from the prisoners outwards. A base that was drawn wider than necessary,
    or whose wall was captured in part, may become smaller.
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
        handicap=0,
        closing=Closing.AUTOMATIC,
        reuse=Reuse.ONE,
        scoring=Scoring.EVERYTHING if game.scoring is Scoring.EVERYTHING else Scoring.DOTS,
        ending=Ending.FULL,
        landing=False,
        win=None,
    )
    return DotsPosition.first(automatic).with_to_act(position.to_act)


def is_first_dot(position: DotsPosition) -> bool:
    """Returns whether the player to act must place in the zone of first dots, which the automatic field does not
    have."""
    return position.picture().zone is not None


def first_dot(position: DotsPosition) -> Point:
    """Returns a first dot: two or three steps from those of the others, as near to the middle as possible."""
    picture = position.picture()
    middle = Point((picture.width - 1) // 2, (picture.height - 1) // 2)
    others = [stone.point for stone in picture.stones]

    def cost(point: Point) -> tuple[int, int]:
        crowded = sum(steps_between(point, other) < 2 for other in others)
        return crowded, steps_between(point, middle) ** 2 + abs(point.x - middle.x) + abs(point.y - middle.y)

    return min((turn.dot for turn in position.moves()), key=cost)
