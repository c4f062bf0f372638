"""A pace that all share, of which those who fail again and again get only what the others leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from bot.services.rate_limits import Rate, RateLimiter
from play.refusal import Reason, Refused

TRUSTED_FAILURES = 1
"""Failures that anybody may have: a code that Discord refuses, or another request that goes on."""


class SharedPace:
    """The pace of requests to Discord that anybody may cause, whom it refuses by the reason `failure`.

    Who has failed more than once lately is not served from the half that is kept for the others. `failures` says how
    soon a failure is forgotten, and after how many of them further ones are not counted.
    """

    def __init__(self, pace: Rate, failure: Reason, failures: Rate) -> None:
        self._pace, self._half = RateLimiter(pace), pace.burst // 2
        self._failure, self._failures = failure, RateLimiter(failures)

    @contextmanager
    def turn(self, who: int, now: float) -> Iterator[None]:
        """Lets one of all make a request in the block, at `now` in seconds. It counts as failed while it goes on.
        Raises Refused (`entrance_busy`)."""
        is_trusted = self._failures.used(who, now) <= TRUSTED_FAILURES
        may_fail = not self._failures.wait(who, now)
        has_failed = False
        try:
            if wait := self._pace.wait(0, now, 0 if is_trusted else self._half):
                raise Refused(Reason.ENTRANCE_BUSY, count=ceil(wait))
            yield
        except Refused as refused:
            has_failed = refused.key == self._failure
            raise
        finally:
            if may_fail and not has_failed:
                self._failures.give_back(who)
