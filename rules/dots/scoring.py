"""The score of a field, and the dots that fall at an early end (docs/rules-reference.md, Scoring and Ending early)."""

from collections.abc import Iterator, Sequence

from rules.dots.enclosure import Enclosure, enclosure, face
from rules.dots.field import Field
from rules.dots.grid import GAPS, Grid
from rules.dots.options import Scoring
from rules.dots.rules import DotsRules
from rules.game import Outcome, Seat

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


def at_risk(field: Field, player: int) -> int:
    """Returns what `player` would lose by grounding: the dots and prisoners in their groups that touch no edge."""
    return sum(field.placed[cell] != 0 for group in _ungrounded(field.grid, _held(field, player)) for cell in group)


def ground(field: Field, player: int) -> None:
    """Gives the ungrounded groups of `player` to the opponent: STOP, decided at once."""
    _lose(field, player, _ungrounded(field.grid, _held(field, player)))


def play_out(field: Field, player: int) -> None:
    """Gives the opponent what they can capture without a dot in the houses of `player`: STOP, played out. The
    opponent could fill every other free crossing. Everything that would then be enclosed, houses included, is lost."""
    _lose(field, player, _enclosable(field, player))


def siege(field: Field, player: int) -> list[int]:
    """Returns the free crossings around what `play_out` would take: dots of the opponent there enclose it."""
    around = {cell + step for group in _enclosable(field, player) for cell in group for step in field.grid.steps[::2]}
    return sorted(cell for cell in around if field.is_free(cell) and not field.enclosed[cell] >> player & 1)


def losses(field: Field, player: int) -> Iterator[int]:
    """Yields, ever larger, how many dots and prisoners `player` could lose to an opponent with any number of dots.

    First the opponent fills all but the houses of `player`, which capture by themselves. A dot in a house survives only
    if it completes an enclosure itself. So each crossing of a house is tried; a capture there may open other houses.
    """
    field, held = field.copy(), _held(field, player)
    while True:
        while groups := _enclosable(field, player):
            _lose(field, player, groups)
        yield sum(field.placed[cell] != 0 for cell in held - _held(field, player))
        entered = next((cell for cell in _narrow_houses(field, player) if _enclosable(field, player, cell)), None)
        if entered is None:
            return
        field.put(3 - player, entered)


def _enclosable(field: Field, player: int, entered: int | None = None) -> list[list[int]]:
    """Returns the groups with dots of `player` that are enclosed if the opponent fills every free crossing outside of
    their houses, and the one that is `entered`."""
    groups = _ungrounded(field.grid, _unfilled(field, player) - {entered})
    return [group for group in groups if any(field.alive[cell] == player for cell in group)]


def _unfilled(field: Field, player: int) -> set[int]:
    """Returns the crossings without a dot of the opponent once they have filled all but the houses of `player`."""
    opponent, mine = 3 - player, 1 << player
    return {
        cell
        for cell in field.grid.crossings
        if field.alive[cell] != opponent and (field.enclosed[cell] & mine or not field.is_free(cell))
    }


def _narrow_houses(field: Field, player: int) -> Iterator[int]:
    """Yields the free crossings of the houses of `player` that part what is beside them: only there can a dot of the
    opponent cut off a group."""
    unfilled = _unfilled(field, player)
    for cell in field.grid.crossings:
        if field.is_free(cell) and field.enclosed[cell] >> player & 1:
            walls = sum(1 << way for way, step in enumerate(field.grid.steps) if cell + step not in unfilled)
            if GAPS[walls]:
                yield cell


def _held(field: Field, player: int) -> set[int]:
    """Returns the alive dots of `player` and the crossings of their bases."""
    return {cell for cell in field.grid.crossings if player in (field.alive[cell], field.owner[cell])}


def _ungrounded(grid: Grid, cells: set[int]) -> list[list[int]]:
    """Returns the 4-connected groups of `cells` that touch no edge; empties `cells`."""
    groups = []
    while cells:
        group = [cells.pop()]
        for cell in group:
            for step in grid.steps[::2]:
                if cell + step in cells:
                    cells.remove(cell + step)
                    group.append(cell + step)
        if not any(cell in grid.outside for cell in group):
            groups.append(group)
    return groups


def _lose(field: Field, player: int, groups: list[list[int]]) -> None:
    field.surrender(player, 3 - player, [cell for group in groups for cell in group])
