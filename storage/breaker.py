"""A circuit breaker: while a database does not answer, callers fail at once instead of waiting for it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from storage.errors import Broken, Unavailable

MAX_FAILURES = 5
"""Failures in a row that open the breaker."""

PAUSE_SECONDS = 5.0
"""One caller tries again after so long."""


class Breaker:
    """A circuit breaker, closed as long as the operations it guards work; `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._opened = 0.0

    @contextmanager
    def guards(self) -> Iterator[None]:
        """Counts Unavailable. Raises it without a try while the breaker is open."""
        if self._failures >= MAX_FAILURES:
            if self._clock() - self._opened < PAUSE_SECONDS:
                raise Unavailable("it did not answer a moment ago")
            self._opened = self._clock()  # this caller tries; the others go on failing until it succeeds
        try:
            yield
        except Broken:
            self._failures = 0  # it answered at once, and other rows may be undamaged
            raise
        except Unavailable:
            self._failures += 1
            self._opened = self._clock()
            raise
        except Exception:
            self._failures = 0  # it answered; the use case has failed
            raise
        self._failures = 0
