"""A measured figure beside what was promised."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` may be `limit` at most, or at least if `least`; a figure without a limit is for comparison only."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    least: bool = False

    @property
    def holds(self) -> bool:
        if self.limit is None:
            return True
        return self.value >= self.limit if self.least else self.value <= self.limit

    def __str__(self) -> str:
        promise = "" if self.limit is None else f"  (at {'least' if self.least else 'most'} {self.limit:g})"
        return f"{'ok  ' if self.holds else 'MISS'} {self.name:<58} {self.value:>9.2f} {self.unit}{promise}"


def times(runs: Iterable[Callable[[], object]]) -> float:
    """The median time of the runs, in milliseconds."""
    taken = []
    gc.collect()
    for run in runs:
        start = perf_counter()
        run()
        taken.append((perf_counter() - start) * 1000)
    return median(taken)
