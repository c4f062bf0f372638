"""The effects of a dot and the result of an agreed end, without playing them."""

from __future__ import annotations

from typing import NamedTuple

from rules.dots import drawing, painting
from rules.dots.enclosure import Enclosure
from rules.dots.field import Field
from rules.dots.options import Closing, Links
from rules.dots.rules import DotsRules
from rules.dots.scoring import agreed_score, outcome, score
from rules.dots.turn import Chain
from rules.game import Outcome
from rules.point import Point, Seat


class Offer(NamedTuple):
    """An area that the player may paint or draw with their dot, named by a `point` in it: the `chain` round it, and
    how many dots it would add to their score."""

    point: Point
    chain: Chain
    dots: int


class Consequences(NamedTuple):
    """The effects of a dot: how many dots it `captures`, how many its player `loses` (it may be one), and what its
    player may close with it."""

    captures: int
    loses: int
    offers: tuple[Offer, ...]


class AgreedEnd(NamedTuple):
    """The result if both players agree to end now, and the chains of the areas that count for each seat."""

    outcome: Outcome
    scores: tuple[float, ...]
    pools: tuple[tuple[Chain, ...], ...]


def offers(rules: DotsRules, field: Field, seat: Seat) -> tuple[Offer, ...]:
    """Returns what `seat` could close with the dot that they have just placed."""
    player = seat + 1
    if rules.closing is Closing.AUTOMATIC:
        return ()
    if rules.closing is Closing.PAINTED:
        found = painting.paintable(field, player)
    else:
        found = drawing.drawable(field, player, rules.links)
    return tuple(
        Offer(field.grid.point(cell), field.points(closed.chain), _captured(field, player, closed))
        for cell, closed in found
    )


def agreed_end(rules: DotsRules, field: Field, to_act: Seat) -> AgreedEnd:
    """Returns the result for both if they end the game now. Two players only. With far links only drawn bases count:
    zagram counts areas that are closed, and far links close none."""
    if rules.links is Links.FAR:
        scores = score(field, rules.scoring)
        return AgreedEnd(outcome(scores, "agreed"), scores, ((), ()))
    scores, pools = agreed_score(field, to_act + 1)
    return AgreedEnd(outcome(scores, "agreed"), scores, tuple(tuple(map(field.points, seat)) for seat in pools))


def _captured(field: Field, player: int, closed: Enclosure) -> int:
    """Returns how many dots the base would add to the score of `player`."""
    return sum(field.placed[cell] not in (0, player) and field.owner[cell] != player for cell in closed.inside)
