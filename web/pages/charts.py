"""Charts: lines over the moves or the games of a player, with the scale beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 600, 120
"""The size of a chart in its own units; pages show it as wide as they are."""


class Chart(NamedTuple):
    """The points of each line, as SVG has them, from the left to the right, and the values at the two edges."""

    lines: tuple[str, ...]
    low: float
    high: float


def chart(values: Sequence[Sequence[float]]) -> Chart:
    """Returns the chart of lines, given the values of all at each place. Its scale has one unit or more."""
    low = min(map(min, values))
    high = max(low + 1, *map(max, values))
    across, up = WIDTH / max(1, len(values) - 1), HEIGHT / (high - low)
    lines = (
        " ".join(f"{place * across:.0f},{HEIGHT - (value - low) * up:.0f}" for place, value in enumerate(line))
        for line in zip(*values, strict=True)
    )
    return Chart(tuple(lines), low, high)
