"""One turn of Dots."""

from __future__ import annotations

from dataclasses import dataclass

from rules.game import Point
from rules.notation import point_name


@dataclass(frozen=True, slots=True)
class Turn:
    """A dot on a crossing, written by its name: `K12`."""

    dot: Point

    def __str__(self) -> str:
        return point_name(self.dot)
