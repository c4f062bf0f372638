"""The time that a choice may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The bounds of a choice: so many `nodes` (playouts, or positions searched) or `millis`, the one reached first.
    With nodes alone a choice depends on nothing but the position, the seed and the level, on every machine."""

    nodes: int | None = None
    millis: int | None = None

    def __post_init__(self) -> None:
        given = [bound for bound in (self.nodes, self.millis) if bound is not None]
        if not given or min(given) < 1:
            raise ValueError("a budget has nodes, or millis, or both, of at least 1")
