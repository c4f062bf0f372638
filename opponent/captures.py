"""The captures of one dot by the rules themselves, which a search may miss, and the areas to close with a dot."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, Protocol

from opponent.choice import Choice
from opponent.generic.light_board import FREE, JOINS, LightBoard
from opponent.suggest import capture_points
from rules.dots import Closing, DotsPosition, Links, Offer, Scoring, Turn
from rules.game import AnyPosition, BadNotation, IllegalMove, Seat

GRAVE = 4.0
"""Points by which a turn must be worse than another to be called a mistake without a search."""

MAX_TRIED = 4
"""Captures of each side that are tried, the largest first, as a better turn or as a reply."""


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


class Oversight(NamedTuple):
    """A turn that is worth more than another by so many points, by captures alone."""

    better: Turn
    points: float


def capturing_turns(position: DotsPosition) -> Iterator[Turn]:
    """Yields the turns that may capture: where areas are painted or drawn, any dot may close older ones."""
    for point in capture_points(position):
        yield add_closings(position, Turn(point))
    if position.rules.closing is not Closing.AUTOMATIC:
        yield from (add_closings(position, turn) for turn in islice(position.moves(), 1))


def oversight(position: AnyPosition, move: str) -> Oversight | None:
    """Returns the better turn, if `move` misses captures or allows them, of GRAVE points in all. Dots for two only."""
    if not isinstance(position, DotsPosition) or position.rules.seats > 2 or position.outcome:
        return None
    if position.stopped is not None:  # the opponent captures nothing any more
        return None
    if position.rules.links is Links.FAR or position.rules.scoring is Scoring.TERRITORY:
        return None  # it would take seconds to try what each dot could close
    try:
        turn = position.rules.parse(move)
        after = position.play(turn)
    except (BadNotation, IllegalMove):
        return None
    if not isinstance(turn, Turn):
        return None
    seat = position.to_act
    rival = Seat(1 - seat)
    own, danger = _prey(position, seat), _prey(after, rival)
    if max(len(own.dots), len(danger.dots)) < GRAVE:
        return None
    worth = _worth(position, after)
    saves = _prey(position, rival).turns if len(danger.dots) >= GRAVE else []
    if len(own.dots) - worth < GRAVE and not saves:
        return None
    best, most = turn, worth
    for other in (*own.turns[:MAX_TRIED], *saves[:MAX_TRIED]):
        better = add_closings(position, Turn(other.dot))
        other_worth = _worth(position, position.play(better))
        if other_worth > most:
            best, most = better, other_worth
    return Oversight(best, most - worth) if most - worth >= GRAVE else None


class Look(Protocol):
    """`oversight` in a worker of `opponent.pool.Pool`, or its stand-in: a thread of the bot would delay its clicks."""

    async def __call__(self, position: AnyPosition, move: str) -> Oversight | None: ...


async def corrected(position: AnyPosition, choice: Choice, look: Look) -> Choice:
    """Returns a choice, or instead of one that overlooks captures the turn that does not."""
    found = await look(position, choice.move)
    if found is None:
        return choice
    move = str(found.better)
    return replace(choice, move=move, value=choice.value + found.points, line=(move,))


class _Prey(NamedTuple):
    """The cells of the dots that a player could capture with one dot, and the turns that do, the largest first."""

    dots: set[int]
    turns: list[Turn]


def _prey(position: DotsPosition, seat: Seat) -> _Prey:
    if position.outcome:
        return _Prey(set(), [])
    position, rival = position.with_to_act(seat), 2 - seat
    alive = [cell for cell in position.field.grid.crossings if position.field.alive[cell] == rival]
    found: list[tuple[set[int], Turn]] = []
    for turn in capturing_turns(position):
        left = position.play(turn).field.alive
        if fallen := {cell for cell in alive if left[cell] != rival}:
            found.append((fallen, turn))
    found.sort(key=lambda each: -len(each[0]))
    return _Prey(set().union(*(dots for dots, _ in found)), [turn for _, turn in found])


def _worth(position: DotsPosition, after: DotsPosition) -> float:
    """Returns the worth of the turn that leads from one position to the next."""
    seat = position.to_act
    rival = Seat(1 - seat)
    gain = _lead(after, seat) - _lead(position, seat)
    danger, own = _prey(after, rival), _prey(after, seat)
    kept = len(own.dots)
    if kept >= GRAVE and not after.outcome:
        for reply in (*own.turns[:MAX_TRIED], *danger.turns[:MAX_TRIED]):
            try:
                replied = after.with_to_act(rival).play(Turn(reply.dot))
            except IllegalMove:  # the first dot must lie elsewhere
                continue
            kept = min(kept, len(_prey(replied, seat).dots))
    return gain - len(danger.dots) + kept


def _lead(position: DotsPosition, seat: Seat) -> float:
    return position.score[seat] - position.score[1 - seat]
