"""What a player closes with his dot where nothing closes by itself: all that pays, as far as the rules let him."""

from __future__ import annotations

from dataclasses import replace

from opponent.generic.light_board import FREE, JOINS, Sketch
from rules.dots import Closing, DotsPosition, Offer, Scoring, Turn
from rules.game import IllegalMove
from rules.point import Seat


def closed(position: DotsPosition, dot: Turn) -> Turn:
    """The turn of `dot` with the areas that its player should paint or draw, the richest first.

    Where territory counts, the empty crossings of a painted area are lost to it: one that is in no danger stays open.
    """
    game = position.rules
    if game.closing is Closing.AUTOMATIC:
        return dot
    offers = sorted(position.would(dot.dot).offers, key=lambda offer: -offer.dots)
    if game.scoring is Scoring.TERRITORY and offers:
        endangered = _endangered(position.play(dot), position.to_act)
        offers = [offer for offer in offers if not endangered.isdisjoint(offer.chain)]
    turn = dot
    for offer in offers:
        fuller = _with(turn, offer, painted=game.closing is Closing.PAINTED)
        try:
            position.play(fuller)
        except IllegalMove:
            continue  # a richer area has swallowed it, or shares too much of its wall
        turn = fuller
    return turn


def _with(turn: Turn, offer: Offer, *, painted: bool) -> Turn:
    if painted:
        return replace(turn, paints=(*turn.paints, offer.point))
    return replace(turn, chains=(*turn.chains, (offer.point,)))


def _endangered(position: DotsPosition, seat: Seat) -> set[object]:
    """The dots of `seat` that an opponent could capture with his next dot."""
    sketch, found = Sketch.of(position), set[object]()
    mine = {stone.point for stone in position.picture().stones if stone.seat == seat and not stone.captured}
    for other in range(len(position.score)):
        if other == seat:
            continue
        theirs, walls = position.with_to_act(Seat(other)), sketch.walls[other + 1]
        for cell in sketch.paper.cells:
            if sketch.dots[cell] == FREE and JOINS[walls[cell]]:
                turn = sketch.paper.turns[cell]
                for offer in theirs.would(turn.dot).offers:
                    after = theirs.play(_with(turn, offer, painted=True))
                    found |= mine - {stone.point for stone in after.picture().stones if not stone.captured}
    return found
