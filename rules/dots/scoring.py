"""The score of a field (docs/rules-reference.md, Scoring and Ending by agreement)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.dots.enclosure import Enclosure, enclosure, face
from rules.dots.field import Field
from rules.dots.options import Scoring
from rules.dots.rules import DotsRules
from rules.game import Outcome
from rules.point import Seat

Scores = tuple[float, ...]


Pools = tuple[tuple[tuple[int, ...], ...], ...]
"""The chains that close each seat's areas (zagram's pools)."""


def score(field: Field, rules: DotsRules, empties: tuple[int, ...] = ()) -> Scores:
    """Returns the points of each seat, komi included; `empties` are the empty crossings of the areas that were
    unpainted until the end."""
    return add_komi(_counted(field, rules.scoring, empties), rules.komi)


def add_komi(scores: Scores, komi: float) -> Scores:
    """Returns the scores with the points that the first seat has in advance."""
    return (scores[0] + komi, *scores[1:]) if komi else scores


def _counted(field: Field, scoring: Scoring, empties: tuple[int, ...]) -> Scores:
    if scoring is Scoring.EVERYTHING:
        return tuple(field.owner.count(player) for player in range(1, len(field.scores) + 1))
    if scoring is Scoring.TERRITORY and any(empties):
        lead = empties[0] - empties[1]
        return (field.scores[0] + max(0, lead) / 2, field.scores[1] + max(0, -lead) / 2)
    return tuple(field.scores)


def outcome(scores: Sequence[float], reason: str) -> Outcome:
    """Returns the end in which all seats with the most points have won."""
    best = max(scores)
    return Outcome(tuple(Seat(seat) for seat, points in enumerate(scores) if points == best), reason)


def agreed_score(field: Field, to_act: int) -> tuple[Scores, Pools]:
    """Returns the score of a game of two that both agreed to end (zagram; 29 of 29 recorded games agree), and its
    pools.

    Each player has the captured dots, less those in bases that lie in the opponent's closed areas. The opponent's dots
    in a player's own closed areas count, too. The player with more empty crossings in closed areas gets half of the
    difference.

    A closed area counts only if its wall does not itself lie in one of the opponent's. Bases count already, so they are
    no pools. An odd half goes against the player (seat + 1) who must move once the crossings in no area are full.
    """
    areas = {player: _areas(field, player) for player in (1, 2)}
    inside = {player: {cell for closed in areas[player] for cell in closed.inside} for player in (1, 2)}
    counted = {
        player: [closed for closed in areas[player] if not inside[3 - player].intersection(closed.chain)]
        for player in (1, 2)
    }
    held = {player: {cell for closed in counted[player] for cell in closed.inside} for player in (1, 2)}
    captured = [
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
    scores = (captured[0] + max(0, lead) // 2, captured[1] + max(0, -lead) // 2)
    return scores, tuple(tuple(closed.chain for closed in counted[player]) for player in (1, 2))


def _areas(field: Field, player: int) -> list[Enclosure]:
    """Returns everything that the alive dots of `player` close, and that is not their base already."""
    unseen = {cell for cell in field.grid.crossings if field.enclosed[cell] >> player & 1}
    found = []
    while unseen:
        cells = face(field.grid, field.alive, player, unseen.pop())
        unseen -= cells
        closed = enclosure(field.grid, field.alive, player, cells)
        if any(field.owner[cell] != player and field.alive[cell] != player for cell in closed.inside):
            found.append(closed)
    return found
