"""The purpose of a good turn, for a hint: what it captures, saves, threatens, joins or surrounds."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from opponent.automatic import as_automatic
from opponent.review import captured_dots, play_line
from opponent.suggest import capture_points
from rules.dots import Closing, DotsPosition, Turn
from rules.dots.adjacency import Adjacency
from rules.game import AnyGame, AnyPosition, IllegalMove, Point, Seat

NEAR_CROSSINGS = 6
"""Crossings between two dots of a player that a chain could join before long."""


class Aim(StrEnum):
    """The good that a turn does, the most telling first."""

    CAPTURES = "captures"  # dots, at once
    SAVES = "saves"  # own dots, which one dot of an opponent could capture
    LEADS = "leads"  # to a capture of dots, by the expected moves
    WINS = "wins"  # points of a game without captures, by the expected moves
    THREATENS = "threatens"  # to capture dots with the next one
    SURROUNDS = "surrounds"  # crossings that were open to the edge
    JOINS = "joins"  # chains of its player
    CUTS = "cuts"  # chains of an opponent from each other
    EXTENDS = "extends"  # a chain of its player
    CALLS = "calls"  # the end
    WAITS = "waits"  # nothing can be won at once


class Purpose(NamedTuple):
    """The aim of a turn, the dots that it is about, and how many dots, crossings or points that are: of a chain its
    length after the turn, of a dot that waits the crossings to the nearest of its player."""

    aim: Aim
    dots: tuple[Point, ...] = ()
    amount: float = 0


def purpose_of(game: AnyGame, before: AnyPosition, line: Sequence[str]) -> Purpose:
    """Returns the purpose of the first turn of an expected `line`. On 39x32 it takes up to 0.2 s."""
    turn = game.parse(line[0])
    if not isinstance(before, DotsPosition):
        points = play_line(game, before, line).score[before.to_act] - before.score[before.to_act]
        return Purpose(Aim.WINS, amount=points) if points > 0 else Purpose(Aim.WAITS)
    if not isinstance(turn, Turn):
        return Purpose(Aim.CALLS)
    after = play_line(game, before, line[:1])
    assert isinstance(after, DotsPosition), "a game of Dots has no other positions"
    return next(filter(None, _purposes(game, before, after, turn.dot, line)), Purpose(Aim.WAITS))


def _purposes(
    game: AnyGame, before: DotsPosition, after: DotsPosition, dot: Point, line: Sequence[str]
) -> Iterator[Purpose | None]:
    """Yields the purposes that a dot has, the most telling first, and None for those that it has not."""
    mover = before.to_act
    yield _about(Aim.CAPTURES, _fallen(before, after, mover))
    rivals = [seat for seat in map(Seat, range(before.rules.seats)) if seat != mover]
    safe = {stone.point for stone in after.picture().stones if not stone.captured}
    endangered = [_prey(before, seat) for seat in rivals]
    if after.outcome is None:
        remaining = set().union(*(_prey(after, seat) for seat in rivals))
        yield _about(Aim.SAVES, (set().union(*endangered) - remaining) & safe)
    yield _about(Aim.LEADS, set(captured_dots(game, before, line)))
    if after.outcome is None:
        yield _about(Aim.THREATENS, _prey(after, mover) - _prey(before, mover))
    enclosed = Adjacency(after).count_enclosed(mover) - Adjacency(before).count_enclosed(mover)
    yield Purpose(Aim.SURROUNDS, amount=enclosed) if enclosed > 0 else None
    adjacency = Adjacency(before)
    walls = adjacency.dots_around(dot)
    joined = {seat: set(adjacency.joined_dots(dot, bits)) for seat, bits in walls.items()}
    yield _about(Aim.JOINS, joined.pop(mover, set()))
    yield _about(Aim.CUTS, next(filter(None, joined.values()), set()))
    if mover in walls:
        beside, length = adjacency.extended_chain(dot, walls[mover])
        yield Purpose(Aim.EXTENDS, (beside,), length + 1)
    yield _apart(before, mover, dot)


def _apart(before: DotsPosition, mover: Seat, dot: Point) -> Purpose | None:
    """Returns how far a dot is from the nearest one of its player, if a chain could join the two before long."""
    own = [each.point for each in before.picture().stones if each.seat == mover and not each.captured]
    distance = {each: max(abs(each.x - dot.x), abs(each.y - dot.y)) for each in own}
    nearest = min(own, key=lambda each: (distance[each], each), default=None)
    if nearest is None or distance[nearest] > NEAR_CROSSINGS:
        return None
    return Purpose(Aim.WAITS, (nearest,), distance[nearest])


def _about(aim: Aim, dots: set[Point]) -> Purpose | None:
    return Purpose(aim, tuple(sorted(dots)), len(dots)) if dots else None


def _fallen(before: DotsPosition, after: AnyPosition, mover: Seat) -> set[Point]:
    """Returns the dots of others that were alive before and are captured now."""
    alive = {stone.point for stone in before.picture().stones if stone.seat != mover and not stone.captured}
    return {stone.point for stone in after.picture().stones if stone.captured and stone.point in alive}


def _prey(position: DotsPosition, seat: Seat) -> set[Point]:
    """Returns the dots that `seat` could capture with one dot, if it were to move: those of its largest capture."""
    automatic = as_automatic(position).with_to_act(seat)
    found: set[Point] = set()
    if automatic.rules.closing is not Closing.AUTOMATIC:  # far links: each area would have to be tried
        return found
    for point in capture_points(automatic):
        try:
            after = automatic.play(Turn(point))
        except IllegalMove:  # its first dot must lie elsewhere
            continue
        found = max(found, _fallen(automatic, after, seat), key=len)
    return found
