"""Players to measure the computer against: one by chance, and one that looks a single move ahead."""

from __future__ import annotations

from itertools import islice
from random import Random

from opponent.closings import add_closings
from opponent.generic.knowledge import leads
from rules.dash import DashPosition, Move
from rules.dots import DotsPosition, Turn
from rules.game import AnyPosition, IllegalMove
from rules.picture import Zone
from rules.point import Seat

LISTED = 400
"""Moves that chance chooses among: a set-up of Dot Dash is one of 2,370,732."""


def by_chance(position: AnyPosition, chance: Random) -> str:
    return str(chance.choice(list(islice(position.moves(), LISTED))))


def greedy(position: AnyPosition, chance: Random) -> str:
    """Returns the single move that brings most, close to the other dots, without a look at answers."""
    if isinstance(position, DotsPosition):
        return str(max(_beside(position), key=lambda turn: (_captured(position, turn), chance.random())))
    assert isinstance(position, DashPosition)
    moves = list(islice(position.moves(), LISTED))
    if not isinstance(moves[0], Move):
        return str(chance.choice(moves))
    mover = position.to_act
    return str(max(moves, key=lambda move: (_lead(position.play(move), mover), chance.random())))


def _captured(position: DotsPosition, turn: Turn) -> float:
    try:
        return _lead(position.play(turn), position.to_act)
    except IllegalMove:
        return -1000.0


def _beside(position: DotsPosition) -> list[Turn]:
    """Returns the dots beside a dot, with all that they close; any on an empty field."""
    picture = position.picture()
    around = [Zone.around(stone.point, 1, picture.width, picture.height) for stone in picture.stones]
    dots = list(position.moves())
    beside = [turn for turn in dots if any(zone.contains(turn.dot) for zone in around)]
    return [add_closings(position, turn) for turn in beside or dots]


def _lead(position: AnyPosition, seat: Seat) -> float:
    return leads(position.score)[seat]
