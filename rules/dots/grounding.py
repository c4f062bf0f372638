"""Grounding (RULES section 7): what a player would lose if the game were stopped now."""

from __future__ import annotations

from rules.dots.field import Field


def at_risk(field: Field, player: int) -> int:
    """The dots and prisoners in the groups of `player` that touch no edge: his dots go over, his prisoners go free.

    A group is 4-connected, of his alive dots and the crossings of his bases.
    """
    grid = field.grid
    mine = {cell for cell in grid.crossings if field.alive[cell] == player or field.owner[cell] == player}
    total = 0
    while mine:
        group = [mine.pop()]
        for cell in group:
            for step in grid.steps[::2]:
                if cell + step in mine:
                    mine.remove(cell + step)
                    group.append(cell + step)
        if not any(cell in grid.outside for cell in group):
            total += sum(field.placed[cell] != 0 for cell in group)
    return total
