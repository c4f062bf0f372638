"""How many threads a channel gets. Discord opens 50 in five minutes in one channel, for all who open any there.

What comes beyond that is turned away for minutes, while discord.py sleeps without a word. Its `max_ratelimit_timeout`
is no way out: with it, discord.py also refuses the second thread of any five minutes, before it asks Discord.

Source: https://github.com/discord/discord-api-docs/issues/7816
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from cachetools import LRUCache

from bot.services.rate_limits import Rate, RateLimiter
from play.ids import MINUTE, ChannelId, Millis
from use_cases.worker import RetryLater

CALLED = Rate(20, 12.0)
"""Threads for games that tournaments, contests and leagues call: 45 in any five minutes. The rest is for challenges."""

PATIENCE_SECONDS = 8.0
"""Seconds that a thread may take to open. Discord answers within one; what takes longer is turned away meanwhile."""

WINDOW_MILLIS = Millis(5 * MINUTE)
"""The time in which Discord counts the threads of a channel, after which another one opens for certain."""

PAUSE_SECONDS = 60.0
"""Seconds without another try in a channel. Discord counts requests that it turns away, too."""

MAX_CHANNELS = 10_000


class ThreadsLimited(RetryLater):
    """Discord opens no thread in a channel for some minutes."""


class ThreadBudget:
    """The threads of all channels that one process opens."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._clock = clock
        self._patience_seconds = patience_seconds
        self._called = RateLimiter(CALLED)
        self._limited: LRUCache[ChannelId, float] = LRUCache(MAX_CHANNELS)

    def count_call(self, channel: ChannelId) -> None:
        """Counts a game that is called in a channel, in a thread to come. Raises RetryLater if it has to wait."""
        self._check_limit(channel)
        if wait := self._called.wait(channel, self._clock()):
            raise RetryLater(f"channel {channel} gets its next thread in {wait:.0f} s", wait)

    @asynccontextmanager
    async def opening(self, channel: ChannelId) -> AsyncIterator[None]:
        """Surrounds the request that opens a thread in a channel. Raises ThreadsLimited if that takes too long, and
        without a request for a while after that."""
        self._check_limit(channel)
        try:
            async with asyncio.timeout(self._patience_seconds):
                yield
        except TimeoutError as slow:
            self._limited[channel] = self._clock() + PAUSE_SECONDS
            raise ThreadsLimited(f"Discord opens no thread in channel {channel} for now", PAUSE_SECONDS) from slow

    def _check_limit(self, channel: ChannelId) -> None:
        if (wait := self._limited.get(channel, 0.0) - self._clock()) > 0:
            raise ThreadsLimited(f"Discord opens no thread in channel {channel} for now", wait)
