"""What counts (RULES section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.dots.enclosure import Enclosure, enclosure, face
from rules.dots.field import Field
from rules.dots.options import Scoring
from rules.game import Outcome
from rules.point import Seat

Scores = tuple[float, ...]


Pools = tuple[tuple[tuple[int, ...], ...], ...]
"""The chains that close each seat's areas (zagram's pools)."""


def score(field: Field, scoring: Scoring, empties: tuple[int, ...] = ()) -> Scores:
    """The points of each seat; `empties` are the empty crossings of the areas that were unpainted until the end."""
    if scoring is Scoring.EVERYTHING:
        return tuple(field.owner.count(player) for player in range(1, len(field.scores) + 1))
    if scoring is Scoring.TERRITORY and any(empties):
        lead = empties[0] - empties[1]
        return (field.scores[0] + max(0, lead) / 2, field.scores[1] + max(0, -lead) / 2)
    return tuple(field.scores)


def outcome(scores: Sequence[float], reason: str) -> Outcome:
    """Whoever has the most points has won, or all who have."""
    best = max(scores)
    return Outcome(tuple(Seat(seat) for seat, points in enumerate(scores) if points == best), reason)


def agreed(field: Field, to_act: int) -> tuple[Scores, Pools]:
    """The score of a game of two that both agreed to end (zagram; 29 of 29 recorded games agree).

    Captured dots, less those in bases that lie in the opponent's closed areas, and the enemy dots standing in a
    player's own; then half of the difference in empty crossings of those areas. A closed area counts only if its wall
    does not itself lie in one of the opponent's; bases count already, so they are no pools. An odd half goes against
    the player (seat + 1) who must move once the crossings in nobody's area are full.
    """
    areas = {player: _areas(field, player) for player in (1, 2)}
    inside = {player: {cell for closed in areas[player] for cell in closed.inside} for player in (1, 2)}
    counted = {
        player: [closed for closed in areas[player] if not inside[3 - player].intersection(closed.chain)]
        for player in (1, 2)
    }
    held = {player: {cell for closed in counted[player] for cell in closed.inside} for player in (1, 2)}
    caught = [
        sum(
            field.placed[cell] == 3 - player
            and (cell in held[player] or (field.owner[cell] == player and cell not in held[3 - player]))
            for cell in field.grid.crossings
        )
        for player in (1, 2)
    ]
    empties = [sum(field.is_free(cell) for cell in held[player]) for player in (1, 2)]
    neutral = field.free - sum(empties)
    lead = empties[0] - empties[1]
    if lead % 2:
        mover = to_act if neutral % 2 == 0 else 3 - to_act
        lead += -1 if mover == 1 else 1
    scores = (caught[0] + max(0, lead) // 2, caught[1] + max(0, -lead) // 2)
    return scores, tuple(tuple(closed.chain for closed in counted[player]) for player in (1, 2))


def _areas(field: Field, player: int) -> list[Enclosure]:
    """Everything that the alive dots of `player` close, and that is not his base already."""
    unseen = {cell for cell in field.grid.crossings if field.enclosed[cell] >> player & 1}
    found = []
    while unseen:
        cells = face(field.grid, field.alive, player, unseen.pop())
        unseen -= cells
        closed = enclosure(field.grid, field.alive, player, cells)
        if any(field.owner[cell] != player and field.alive[cell] != player for cell in closed.inside):
            found.append(closed)
    return found
