"""Channel announcements beside the boards, stored until they are posted."""

from __future__ import annotations

from typing import Protocol

from play.community.news import News, NewsId


class NewsReader(Protocol):
    """News, as reads see them."""

    async def get(self, news: NewsId) -> News | None: ...

    async def pending(self, limit: int) -> list[NewsId]:
        """Returns the news that wait to be posted, the oldest first."""


class NewsRepository(NewsReader, Protocol):
    """News, as a transaction writes them."""

    async def add(self, news: News) -> None:
        """Stores news to be posted, under a new id."""

    async def remove(self, news: NewsId) -> None:
        """Removes news that were posted, or never can be."""
