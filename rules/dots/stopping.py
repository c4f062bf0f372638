"""Ending early (docs/rules-reference.md, Ending early): the dots that fall when a player stops."""

from __future__ import annotations

from collections.abc import Iterator

from rules.dots.field import Field
from rules.dots.grid import GAPS, Grid


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
