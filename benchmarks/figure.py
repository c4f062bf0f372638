"""A measured figure beside its limit."""

from __future__ import annotations

import gc
from dataclasses import dataclass, replace
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from benchmarks.yardstick import Pace


TIMES, RATE = frozenset({"µs", "ms", "s"}), "/s"
"""Units of figures whose limits are those of the yardstick's machine."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A value that may be at most `limit`, or at least `limit` if `least`; without a limit it is for comparison.

    A limit of time, or of a rate, is that of the machine of the yardstick: it follows the pace of this one, by the
    clock, or (`processor`) by the time of the processor, in which the figure is measured then. A `tail` is how many
    times longer the slowest are than most: its limit grows as work here has to wait for the processor.
    """

    name: str
    value: float
    unit: str
    limit: float | None = None
    least: bool = False
    processor: bool = False
    tail: bool = False

    def here(self, pace: Pace) -> Figure:
        """Returns the figure with the limit that it has at a pace."""
        if self.limit is None:
            return self
        longer = pace.processor if self.processor else pace.clock
        factor = longer if self.unit in TIMES else 1 / longer if self.unit == RATE else 1
        if self.tail:
            factor = max(1, pace.clock / pace.processor)
        return replace(self, limit=self.limit * factor)

    @property
    def holds(self) -> bool:
        if self.limit is None:
            return True
        return self.value >= self.limit if self.least else self.value <= self.limit

    def __str__(self) -> str:
        promise = "" if self.limit is None else f"  (at {'least' if self.least else 'most'} {self.limit:.4g})"
        return f"{'ok  ' if self.holds else 'MISS'} {self.name:<58} {self.value:>9.2f} {self.unit}{promise}"


def times(runs: Iterable[Callable[[], object]], clock: Callable[[], float] = process_time) -> float:
    """Returns the median time that the runs take of this program's processor, or by another clock, in milliseconds."""
    taken = []
    gc.collect()
    for run in runs:
        start = clock()
        run()
        taken.append((clock() - start) * 1000)
    return median(taken)


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the value below which `share` of the values lie; 0 if there are none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def latencies(name: str, seconds: Sequence[float], limit: float | None = None) -> Iterator[Figure]:
    """Yields median, 99th percentile and maximum in milliseconds; `limit` is for the 99th percentile."""
    for label, share in (("half", 0.5), ("99 %", 0.99), ("worst", 1.0)):
        yield Figure(f"{name}, {label}", 1000 * percentile(seconds, share), "ms", limit if share == 0.99 else None)
