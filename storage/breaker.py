"""While a database does not answer, nobody waits for it: after a few failures in a row it is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from play.store import Broken, Unavailable

FAILURES = 5
"""In a row, until nobody tries any more."""

PAUSE = 5.0
"""Seconds until one may try whether it answers again."""


class Breaker:
    """Closed as long as what it guards works; `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._opened = 0.0

    @contextmanager
    def guards(self) -> Iterator[None]:
        """Counts Unavailable. Raises it without a try while the breaker is open."""
        if self._failures >= FAILURES:
            if self._clock() - self._opened < PAUSE:
                raise Unavailable("it did not answer a moment ago")
            self._opened = self._clock()  # this one is the try; the others go on waiting for how it ends
        try:
            yield
        except Broken:
            self._failures = 0  # it answered at once, and what is damaged for one may be whole for the next
            raise
        except Unavailable:
            self._failures += 1
            self._opened = self._clock()
            raise
        except Exception:
            self._failures = 0  # it answered, and the use case did not like what
            raise
        self._failures = 0
