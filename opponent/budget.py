"""The time that a choice may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, thread_time

PATIENCE = 4
"""The times its milliseconds after which a choice ends by the wall clock, unless its budget says otherwise."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The bounds of a choice: so many `nodes` (playouts, or positions searched) or `millis` of the processor's time,
    the one reached first.

    A busy machine makes a choice slower, not weaker: time is that of the searching thread. A slow machine makes it no
    weaker than `least` nodes. Neither lasts: `within` so many milliseconds of the wall clock a choice ends.

    With nodes alone a choice depends on nothing but the position, the seed and the level, on every machine. With
    `fresh`, it owes nothing to earlier ones either, and only its time depends on the machine.
    """

    nodes: int | None = None
    millis: int | None = None
    least: int = 0
    within: int | None = None
    fresh: bool = False

    def __post_init__(self) -> None:
        given = [bound for bound in (self.nodes, self.millis, self.within) if bound is not None]
        if (self.nodes is None and self.millis is None) or min(given) < 1:
            raise ValueError("a budget has nodes, or millis, or both, of at least 1")

    @property
    def goes_on(self) -> bool:
        """Whether the search goes on with the trees of the last one, on all threads."""
        return self.millis is not None and not self.fresh


HELP = Budget(nodes=20_000, millis=1500, fresh=True)
"""The bounds of a choice for a player who asks for help."""


class Timer:
    """Tells when a budget that has just begun is spent."""

    def __init__(
        self, budget: Budget, worked: Callable[[], float] = thread_time, passed: Callable[[], float] = monotonic
    ) -> None:
        """`worked` gives the seconds that this thread has had of the processor, `passed` those of the wall clock."""
        self._nodes, self._least = budget.nodes, budget.least
        self._worked, self._passed = worked, passed
        self._end = self._latest = float("inf")
        if budget.millis is not None:
            self._end = worked() + budget.millis / 1000
        if within := budget.within or PATIENCE * (budget.millis or 0):
            self._latest = passed() + within / 1000

    def left(self, done: int) -> int | None:
        """Returns the nodes that are left after `done`; None if only time bounds them."""
        return None if self._nodes is None else max(0, self._nodes - done)

    def is_over(self, done: int) -> bool:
        """Returns whether `done` nodes are all that the budget allows."""
        if self.left(done) == 0 or self._passed() >= self._latest:
            return True
        return done >= self._least and self._worked() >= self._end
