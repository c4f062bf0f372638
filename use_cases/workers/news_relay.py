"""The relay of news: posts them to their channels, also after a restart, until they are there."""

from __future__ import annotations

import logging
from typing import Protocol

from play.community.news import News, NewsId
from play.ids import DAY, Millis
from storage import Database
from use_cases.worker import RetryLater, Timing, Undeliverable, Worker

MAX_AGE_MILLIS = Millis(7 * DAY)
"""The age at which undelivered news are dropped."""

log = logging.getLogger(__name__)


class NewsPublisher(Protocol):
    """Posts news; bot/ implements it."""

    async def publish(self, news: News) -> None:
        """Posts news to their channel; posting twice makes one message. Raises Undeliverable, or RetryLater where the
        bot may not write at present."""


class NewsRelay(Worker[NewsId]):
    """Posts news, as far as possible in their order."""

    def __init__(self, store: Database, publisher: NewsPublisher, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._publisher = publisher

    async def pending(self, limit: int) -> list[NewsId]:
        async with self._store.read() as reader:
            return await reader.news.pending(limit)

    async def process(self, key: NewsId) -> None:
        async with self._store.read() as reader:
            news, now = await reader.news.get(key), await reader.clock.now()
        if news is None:
            return  # another process was faster
        lost = False
        try:
            await self._publisher.publish(news)
        except Undeliverable as reason:
            log.warning("news %d are dropped: %s", key, reason)
            lost = True
        except RetryLater as reason:
            lost = True
            if news.entry is not None:
                await self._note_log(news, lost=True)
            if now - news.made < MAX_AGE_MILLIS:
                raise
            log.warning("news %d are too old: %s", key, reason)
        async with self._store.write() as tx:
            await tx.news.remove(key)
            if news.entry is not None:
                await tx.servers.mark_log(news.guild, lost=lost)

    async def _note_log(self, news: News, *, lost: bool) -> None:
        """Notes that the log of a server waits: its panel says so."""
        async with self._store.write() as tx:
            await tx.servers.mark_log(news.guild, lost=lost)
