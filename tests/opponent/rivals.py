"""Players to measure the computer against: one by chance, one that looks a single move ahead, one that overlooks every
capture, and a pupil of /learn."""

from __future__ import annotations

from itertools import islice
from random import Random

from opponent.captures import add_closings, capturing_turns
from opponent.generic.knowledge import leads
from rules.dash import DashPosition, Move
from rules.dots import DotsPosition, Turn
from rules.game import AnyPosition, IllegalMove, Seat, Zone

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


def overlooking(position: AnyPosition, chance: Random) -> str:
    """Returns a dot that threatens a capture, if its player threatens none yet, or else a dot by chance that neither
    captures nor saves anything: so both leave the same dots to be captured."""
    assert isinstance(position, DotsPosition)
    own, danger = (
        {turn.dot for turn in capturing_turns(position.with_to_act(seat))}
        for seat in (position.to_act, Seat(1 - position.to_act))
    )
    quiet = [move for move in position.moves() if move.dot not in own | danger]
    if not own:
        quiet = [move for move in quiet if _threatens(position, move)] or quiet
    return str(chance.choice(quiet or list(position.moves())))


def _threatens(position: DotsPosition, turn: Turn) -> bool:
    after = position.play(turn)
    return after.outcome is None and any(capturing_turns(after.with_to_act(position.to_act)))


def pupil(position: AnyPosition, chance: Random) -> str:
    """Returns the move of a player who has just read /learn. They capture, or stop a capture, whichever is larger, and
    otherwise prepare one beside the other dots. Dots for two only."""
    assert isinstance(position, DotsPosition)
    seat, rival = position.to_act, Seat(1 - position.to_act)

    def worth(turn: Turn) -> tuple[float, float, float]:
        after = position.play(turn)
        lead = _lead(after, seat)
        if after.outcome:
            return lead, 0.0, 0.0
        return lead - _most_captured(after, rival), _most_captured(after, seat), chance.random()

    return str(max(_beside(position), key=worth))


def _most_captured(position: DotsPosition, seat: Seat) -> float:
    """Returns how much `seat` could win with one dot."""
    moving = position.with_to_act(seat)
    return max((_lead(moving.play(turn), seat) - _lead(moving, seat) for turn in capturing_turns(moving)), default=0.0)


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
