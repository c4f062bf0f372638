"""News in SQL."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from play.community.ladder import DuelEnd
from play.community.news import News, NewsId, NewsKind
from storage import schema
from storage.statements import SqlRepository

_news = schema.news.c


class SqlNewsReader(SqlRepository):
    """A `play.store.news.NewsReader`."""

    __slots__ = ()

    async def pending(self, limit: int) -> list[NewsId]:
        return [row.id for row in await self._sql.all(select(_news.id).order_by(_news.id).limit(limit))]

    async def get(self, news: NewsId) -> News | None:
        row = await self._sql.first(select(schema.news).where(_news.id == news))
        if row is None:
            return None
        return News(
            row.id,
            NewsKind(row.kind),
            row.guild,
            row.channel,
            row.about,
            row.made,
            row.place,
            row.ending and DuelEnd(row.ending),
        )


class SqlNewsRepository(SqlNewsReader):
    """A `play.store.news.NewsRepository`."""

    __slots__ = ()

    async def add(self, news: News) -> None:
        values = {"kind": news.kind.value, "guild": news.guild, "channel": news.channel, "about": news.about}
        values |= {"place": news.place, "made": news.made, "ending": news.ending and news.ending.value}
        await self._sql.execute(insert(schema.news).values(values))

    async def remove(self, news: NewsId) -> None:
        await self._sql.execute(delete(schema.news).where(_news.id == news))
