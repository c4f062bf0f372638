"""The crier: tells the news to their channels, also after a restart, until they stand there."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final, Protocol

from play.community.news import News, NewsId
from play.store import Store
from play.workers.outbox_relay import Undeliverable
from play.workers.retry_queue import Errands, Unfinished

LASTING: Final = 7 * 86_400_000
"""Milliseconds after which what could not be told is no news any more."""

log = logging.getLogger(__name__)


class Teller(Protocol):
    """Tells a channel; bot/ implements it."""

    async def tell(self, news: News) -> None:
        """Posts news, which twice makes one message. Raises Undeliverable, or Unfinished where the bot may not write at
        present."""


class Crier(Errands[NewsId]):
    """Tells the news, in their order as far as they can be told."""

    def __init__(self, store: Store, teller: Teller, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._store = store
        self._teller = teller

    async def found(self, limit: int) -> list[NewsId]:
        async with self._store.read() as reader:
            return await reader.news.pending(limit)

    async def do(self, key: NewsId) -> None:
        async with self._store.read() as reader:
            news, now = await reader.news.get(key), await reader.clock.now()
        if news is None:
            return  # another process was faster
        try:
            await self._teller.tell(news)
        except Undeliverable as reason:
            log.warning("news %d are dropped: %s", key, reason)
        except Unfinished as reason:
            if now - news.made < LASTING:
                raise
            log.warning("news %d are too old: %s", key, reason)
        async with self._store.write() as tx:
            await tx.news.remove(key)
