"""Grounding before the end: the dots after which STOP or landing wins, whatever the opponent does meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from opponent.calls import winning_call
from opponent.captures import capturing_turns
from opponent.closings import add_closings
from rules.dots import DotsPosition, Ending, Turn
from rules.point import Point, Seat, steps_between

FAR = 3
"""More dots than are looked ahead."""


def grounding_dot(position: DotsPosition) -> Turn | None:
    """Returns a dot after which the player to act can end the game as its winner with the next turn, else with the one
    after, if there is such a dot."""
    rules, seat = position.rules, position.to_act
    ends = rules.landing or rules.ending is not Ending.FULL
    if not ends or rules.seats > 2 or position.stopped is not None or position.score[seat] <= position.score[1 - seat]:
        return None
    for wins in (_wins_at_once, _wins_in_two):
        for dot in _links(position, 1 if wins is _wins_at_once else 2):
            if wins(position, dot):
                return _turn(position, dot)
    return None


def _wins_at_once(position: DotsPosition, dot: Point) -> bool:
    """Returns whether the game can be ended after a dot and each capture in reply to it.

    All other replies leave score and links as they are. If the ending is played out, the captures are a part of it.
    """
    seat, after = position.to_act, position.play(_turn(position, dot))
    if after.outcome:
        return after.outcome.winners == (seat,)
    if winning_call(after.with_to_act(seat)) is None:
        return False
    if after.to_act == seat or after.rules.ending is Ending.PLAY_OUT:
        return True
    return all(_can_end(after.play(reply), seat) for reply in capturing_turns(after))


def _wins_in_two(position: DotsPosition, dot: Point) -> bool:
    """Returns whether there is a second such dot after each reply to the first: a capture, or a dot in the way."""
    seat, after = position.to_act, position.play(_turn(position, dot))
    if after.outcome or after.to_act == seat:
        return False
    passed = after.with_to_act(seat)
    seconds = [second for second in _links(passed, 1) if _wins_at_once(passed, second)]
    if len(seconds) < 2:
        return False
    near = [turn for turn in after.moves() if any(steps_between(turn.dot, second) <= 1 for second in seconds)]
    return all(_goes_on(after.play(reply), seat, seconds) for reply in (*near, *capturing_turns(after)))


def _goes_on(position: DotsPosition, seat: Seat, dots: list[Point]) -> bool:
    """Returns whether the player of `seat` can end the game as its winner, or with one more of these dots."""
    if position.outcome or position.to_act != seat:
        return _can_end(position, seat)
    if winning_call(position):
        return True
    free = {turn.dot for turn in position.moves()}
    return any(_wins_at_once(position, dot) for dot in dots if dot in free)


def _can_end(position: DotsPosition, seat: Seat) -> bool:
    if position.outcome:
        return position.outcome.winners == (seat,)
    return position.to_act == seat and winning_call(position) is not None


def _turn(position: DotsPosition, dot: Point) -> Turn:
    return add_closings(position, Turn(dot))


def _links(position: DotsPosition, dots: int) -> list[Point]:
    """Returns the free crossings on the ways by which so many dots would link a group with the edge."""
    field, player = position.field, position.to_act + 1
    grid, opponent = field.grid, 3 - player
    houses = 1 << player if position.rules.ending is Ending.PLAY_OUT else 0

    def cost(cell: int) -> int:
        if player in (field.alive[cell], field.owner[cell]) or (
            field.enclosed[cell] & houses and field.alive[cell] != opponent
        ):
            return 0
        return 1 if field.is_free(cell) else FAR

    crossings = set(grid.crossings)
    from_edge = _distances([cell for cell in crossings if cell in grid.outside], grid.steps[::2], crossings, cost)
    afloat = [cell for cell in crossings if not cost(cell) and from_edge.get(cell, FAR) > 0]
    from_groups = _distances(afloat, grid.steps[::2], crossings, cost)
    return [
        grid.point(cell)
        for cell in sorted(crossings)
        if field.is_free(cell) and from_edge.get(cell, FAR) + from_groups.get(cell, FAR) <= dots + 1
    ]


def _distances(
    starts: list[int], steps: tuple[int, ...], crossings: set[int], cost: Callable[[int], int]
) -> dict[int, int]:
    """Returns how many dots it takes to come to each crossing, that of the crossing included; FAR ones are left out."""
    found: dict[int, int] = {}
    rings = [[cell for cell in starts if cost(cell) == distance] for distance in range(FAR)]
    for distance, ring in enumerate(rings):
        for cell in ring:
            if cell in found:
                continue
            found[cell] = distance
            for step in steps:
                beside = cell + step
                if beside in crossings and beside not in found and (reach := distance + cost(beside)) < FAR:
                    rings[reach].append(beside)
    return found
