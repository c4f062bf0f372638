"""The effects of a dot and the result of an agreed end, without playing them."""

from typing import NamedTuple

from rules.dots import closing, drawing
from rules.dots.drawing import Canvas
from rules.dots.enclosure import Enclosure
from rules.dots.field import Field
from rules.dots.options import Closing, Links, Scoring
from rules.dots.rules import DotsRules
from rules.dots.scoring import add_komi, agreed_score, outcome, score
from rules.dots.turn import Chain
from rules.game import Outcome, Point, Seat


class Offer(NamedTuple):
    """An area that the player may paint or draw with their dot, named by a `point` in it: the `chain` round it, and
    how many dots it would add to their score."""

    point: Point
    chain: Chain
    dots: int


class Consequences(NamedTuple):
    """The effects of a dot: the dots it `captures`, the dots its player `loses` (it may be one), and the areas that its
    player may close with it."""

    captures: int
    loses: int
    offers: tuple[Offer, ...]


class AgreedEnd(NamedTuple):
    """The result if both players agree to end now, and the chains of the areas that count then for each seat (`pools`
    on zagram)."""

    outcome: Outcome
    scores: tuple[float, ...]
    pools: tuple[tuple[Chain, ...], ...]


def offers(rules: DotsRules, field: Field, seat: Seat, canvas: Canvas | None = None) -> tuple[Offer, ...]:
    """Returns what `seat` could close with the dot that they have just placed; `canvas` is that of the `field`."""
    player = seat + 1
    if rules.closing is Closing.AUTOMATIC:
        return ()
    if rules.closing is Closing.PAINTED:
        found = closing.paintable(field, player, rules.measure)
    else:
        found = (canvas or Canvas(field, player, rules.links, rules.reuse)).drawable()
    return tuple(
        Offer(field.grid.point(cell), field.points(closed.chain), _captured(field, player, closed))
        for cell, closed in found
    )


def agreed_end(rules: DotsRules, field: Field, to_act: Seat) -> AgreedEnd:
    """Returns the result if both players end the game now, by the game's own scoring or with zagram's pools.

    Two players only.
    """
    if rules.counts_pools:
        counted, pools = agreed_score(field, to_act + 1)
        scores = add_komi(counted, rules.komi)
    else:
        after = field.copy()
        scores = score(after, rules, _close_everything(rules, after))
        closed = [base for base in after.bases if base not in field.bases]
        pools = tuple(tuple(base.chain for base in closed if base.player == player) for player in (1, 2))
    return AgreedEnd(outcome(scores, "agreed"), scores, tuple(tuple(map(field.points, seat)) for seat in pools))


def _close_everything(rules: DotsRules, field: Field) -> tuple[int, ...]:
    """Closes everything enclosed, if the score counts more than captured dots.

    Returns the empty crossings that each seat gained by painting. Far links close nothing until they are drawn.
    """
    if rules.scoring is Scoring.DOTS or rules.links is Links.FAR:
        return ()
    if rules.closing is Closing.PAINTED:
        return tuple(closing.paint_all(field, rules.measure))
    if rules.closing is Closing.DRAWN:
        drawing.draw_all(field, rules.reuse)
    return ()


def _captured(field: Field, player: int, closed: Enclosure) -> int:
    """Returns how many dots the base would add to the score of `player`."""
    return sum(field.placed[cell] not in (0, player) and field.owner[cell] != player for cell in closed.inside)
