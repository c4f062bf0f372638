"""The time that a choice may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, thread_time

PATIENCE = 4
"""The times a budget's milliseconds after which a choice ends by the wall clock, however little of the processor it
had."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The bounds of a choice: so many `nodes` (playouts, or positions searched) or `millis` of the processor's time,
    the one reached first, but at least `least` nodes.

    With nodes alone a choice depends on nothing but the position, the seed and the level, on every machine. Time is
    that of the searching thread: a busy machine makes a choice slower, not weaker, up to PATIENCE.
    """

    nodes: int | None = None
    millis: int | None = None
    least: int = 0

    def __post_init__(self) -> None:
        given = [bound for bound in (self.nodes, self.millis) if bound is not None]
        if not given or min(given) < 1:
            raise ValueError("a budget has nodes, or millis, or both, of at least 1")


class Timer:
    """Tells when a budget that has just begun is spent."""

    def __init__(
        self, budget: Budget, worked: Callable[[], float] = thread_time, passed: Callable[[], float] = monotonic
    ) -> None:
        """`worked` gives the seconds that this thread has had of the processor, `passed` those of the wall clock."""
        self._budget = budget
        self._worked, self._passed = worked, passed
        if budget.millis is not None:
            self._end = worked() + budget.millis / 1000
            self._latest = passed() + PATIENCE * budget.millis / 1000

    def left(self, done: int) -> int | None:
        """Returns the nodes that are left after `done`; None if only time bounds them."""
        return None if self._budget.nodes is None else max(0, self._budget.nodes - done)

    def is_over(self, done: int) -> bool:
        """Returns whether `done` nodes are all that the budget allows."""
        if self.left(done) == 0:
            return True
        if self._budget.millis is None or done < self._budget.least:
            return False
        return self._worked() >= self._end or self._passed() >= self._latest
