"""Ending early (RULES section 7): what falls when a player stops."""

from __future__ import annotations

from rules.dots.field import Field


def at_risk(field: Field, player: int) -> int:
    """What `player` would lose by grounding: the dots and prisoners in his groups that touch no edge.

    A group is 4-connected, of his alive dots and the crossings of his bases.
    """
    return sum(field.placed[cell] != 0 for group in _ungrounded(field, player, houses=False) for cell in group)


def ground(field: Field, player: int) -> None:
    """STOP, decided at once: the ungrounded groups of `player` are lost to his opponent."""
    _lose(field, player, _ungrounded(field, player, houses=False))


def play_out(field: Field, player: int) -> None:
    """STOP, played: what the opponent can take without a dot in the houses of `player` falls at once.

    Outside them the opponent may place as many dots as he likes, so that only the edge stops him; a house holds
    together the dots around it, since whoever enters it is captured.
    """
    _lose(field, player, _ungrounded(field, player, houses=True))


def _ungrounded(field: Field, player: int, *, houses: bool) -> list[list[int]]:
    """The groups of `player` that touch no edge; `houses` says whether they connect what stands around them."""
    grid, mine = field.grid, 1 << player
    cells = {
        cell
        for cell in grid.crossings
        if field.alive[cell] == player or field.owner[cell] == player or (houses and field.enclosed[cell] & mine)
    }
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
