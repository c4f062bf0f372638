"""News in SQL."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from play.community.news import News, NewsId, NewsKind
from storage import schema
from storage.statements import Statements

_news = schema.news.c


class NewsReader(Statements):
    """A `play.community.news.NewsReader`."""

    async def untold_news(self, limit: int) -> list[NewsId]:
        return [row.id for row in await self._all(select(_news.id).order_by(_news.id).limit(limit))]

    async def news(self, news: NewsId) -> News | None:
        row = await self._first(select(schema.news).where(_news.id == news))
        if row is None:
            return None
        return News(row.id, NewsKind(row.kind), row.guild, row.channel, row.about, row.made, row.place)


class NewsTransaction(NewsReader):
    """A `play.community.news.NewsWriter`."""

    async def add_news(self, news: News) -> None:
        values = {"kind": news.kind.value, "guild": news.guild, "channel": news.channel, "about": news.about}
        values |= {"place": news.place, "made": news.made}
        await self._connection.execute(insert(schema.news).values(values))

    async def news_told(self, news: NewsId) -> None:
        await self._connection.execute(delete(schema.news).where(_news.id == news))
