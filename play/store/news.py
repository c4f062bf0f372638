"""What news ask of a store."""

from __future__ import annotations

from typing import Protocol

from play.community.news import News, NewsId


class NewsReader(Protocol):
    """What the part of a store with the news answers."""

    async def untold_news(self, limit: int) -> list[NewsId]:
        """What no channel has been told yet, the oldest first."""

    async def news(self, news: NewsId) -> News | None: ...


class NewsWriter(NewsReader, Protocol):
    """What a transaction can do with them."""

    async def add_news(self, news: News) -> None:
        """Stores news to be told; their id counts for nothing."""

    async def news_told(self, news: NewsId) -> None:
        """Forgets news that were told, or never can be."""
