"""What lies ahead of a position, without playing it: what a dot would do, and what both would get by an agreed end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rules.dots import drawing, painting
from rules.dots.enclosure import Enclosure
from rules.dots.field import Field
from rules.dots.options import Closing, Links
from rules.dots.scoring import agreed, outcome, score
from rules.dots.turn import Chain
from rules.game import Outcome, Point, Seat

if TYPE_CHECKING:
    from rules.dots.game import Dots


class Offer(NamedTuple):
    """An area that the player may paint or draw with his dot, named by a `point` in it: the `chain` round it, and how
    many dots it would add to his score."""

    point: Point
    chain: Chain
    dots: int


class Consequences(NamedTuple):
    """What a dot would do: the dots it `captures`, those of its player that it `loses` (itself among them), and what
    could be closed with it."""

    captures: int
    loses: int
    offers: tuple[Offer, ...]


class Agreed(NamedTuple):
    """How a game would end if both agreed to end it now, and the chains of the areas that count for each seat."""

    outcome: Outcome
    scores: tuple[float, ...]
    pools: tuple[tuple[Chain, ...], ...]


def offers(game: Dots, field: Field, seat: Seat) -> tuple[Offer, ...]:
    """What `seat` could close with the dot that he has just placed."""
    player = seat + 1
    if game.closing is Closing.AUTOMATIC:
        return ()
    if game.closing is Closing.PAINTED:
        found = painting.paintable(field, player)
    else:
        found = drawing.drawable(field, player, game.links)
    return tuple(
        Offer(field.grid.point(cell), field.points(closed.chain), _catch(field, player, closed))
        for cell, closed in found
    )


def agreed_end(game: Dots, field: Field, to_act: Seat) -> Agreed:
    """What both would get by ending the game now. Two players only.

    With far links only what is drawn counts: zagram counts areas that stand closed, and far links close none.
    """
    if game.links is Links.FAR:
        scores = score(field, game.scoring)
        return Agreed(outcome(scores, "agreed"), scores, ((), ()))
    agreement = agreed(field, to_act + 1)
    pools = tuple(tuple(map(field.points, seat)) for seat in agreement.pools)
    return Agreed(outcome(agreement.scores, "agreed"), agreement.scores, pools)


def _catch(field: Field, player: int, closed: Enclosure) -> int:
    """How many dots the base would add to the score of `player`."""
    return sum(field.placed[cell] not in (0, player) and field.owner[cell] != player for cell in closed.inside)
