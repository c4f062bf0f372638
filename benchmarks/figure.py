"""A measured figure beside its limit."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Figure:
    """A value that may be at most `limit`, or at least `limit` if `least`; without a limit it is for comparison."""

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
    """Returns the median time of the runs, in milliseconds."""
    taken = []
    gc.collect()
    for run in runs:
        start = perf_counter()
        run()
        taken.append((perf_counter() - start) * 1000)
    return median(taken)


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the value below which `share` of the values lie; 0 if there are none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def latencies(name: str, seconds: Sequence[float], limit: float | None = None) -> Iterator[Figure]:
    """Yields median, 99th percentile and maximum in milliseconds; `limit` is for the 99th percentile."""
    for label, share in (("half", 0.5), ("99 %", 0.99), ("worst", 1.0)):
        yield Figure(f"{name}, {label}", 1000 * percentile(seconds, share), "ms", limit if share == 0.99 else None)
