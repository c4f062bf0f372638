"""The areas to close with a dot where nothing closes by itself: all that pays, as far as the rules allow."""

from __future__ import annotations

from dataclasses import replace

from opponent.generic.light_board import FREE, JOINS, LightBoard
from rules.dots import Closing, DotsPosition, Offer, Scoring, Turn
from rules.game import IllegalMove
from rules.point import Seat


def add_closings(position: DotsPosition, dot: Turn) -> Turn:
    """Returns the turn of `dot` with the areas that its player should paint or draw, those with most dots first. If
    territory counts, a painted area loses its empty crossings: an area in no danger stays open."""
    game = position.rules
    if game.closing is Closing.AUTOMATIC:
        return dot
    offers = sorted(position.consequences_of(dot.dot).offers, key=lambda offer: -offer.dots)
    if game.scoring is Scoring.TERRITORY and offers:
        endangered = _endangered(position.play(dot), position.to_act)
        offers = [offer for offer in offers if not endangered.isdisjoint(offer.chain)]
    turn = dot
    for offer in offers:
        fuller = _with(turn, offer, painted=game.closing is Closing.PAINTED)
        try:
            position.play(fuller)
        except IllegalMove:
            continue  # an area closed before contains it, or shares too much of its wall
        turn = fuller
    return turn


def _with(turn: Turn, offer: Offer, *, painted: bool) -> Turn:
    if painted:
        return replace(turn, paints=(*turn.paints, offer.point))
    return replace(turn, chains=(*turn.chains, (offer.point,)))


def _endangered(position: DotsPosition, seat: Seat) -> set[object]:
    """Returns the dots of `seat` that an opponent could capture with their next dot."""
    board, found = LightBoard.of(position), set[object]()
    mine = {stone.point for stone in position.picture().stones if stone.seat == seat and not stone.captured}
    for other in range(len(position.score)):
        if other == seat:
            continue
        theirs, walls = position.with_to_act(Seat(other)), board.walls[other + 1]
        for cell in board.paper.cells:
            if board.dots[cell] == FREE and JOINS[walls[cell]]:
                turn = board.paper.turns[cell]
                for offer in theirs.consequences_of(turn.dot).offers:
                    after = theirs.play(_with(turn, offer, painted=True))
                    found |= mine - {stone.point for stone in after.picture().stones if not stone.captured}
    return found
