"""News in SQL."""

from sqlalchemy import bindparam, delete, select

from play.community.news import LogAction, LogEntry, News, NewsId, NewsKind
from play.competitions.ladder import DuelEnd
from storage import schema
from storage.statements import Repository, Values

_news = schema.news.c
_PENDING = select(_news.id).order_by(_news.id).limit(bindparam("limit"))


class NewsReader(Repository):
    """News, as reads see them."""

    __slots__ = ()

    async def pending(self, limit: int) -> list[NewsId]:
        """Returns the news that wait to be posted, the oldest first."""
        return [row.id for row in await self._sql.all(_PENDING, limit=limit)]

    async def get(self, news: NewsId) -> News | None:
        row = await self._sql.first(select(schema.news).where(_news.id == news))
        if row is None:
            return None
        ending = row.ending and DuelEnd(row.ending)
        entry = row.action and LogEntry(LogAction(row.action), row.by, row.subject, tuple(row.detail))
        kind = NewsKind(row.kind)
        return News(row.id, kind, row.guild, row.channel, row.about, row.made, row.place, ending, entry)


class NewsRepository(NewsReader):
    """News, as a transaction writes them."""

    __slots__ = ()

    async def add(self, news: News) -> None:
        """Stores news to be posted, under a new id."""
        values: Values = {"kind": news.kind.value, "guild": news.guild, "channel": news.channel, "about": news.about}
        values |= {"place": news.place, "made": news.made, "ending": news.ending and news.ending.value}
        if (entry := news.entry) is not None:
            values |= {"action": entry.action.value, "by": entry.by, "subject": entry.subject}
            values |= {"detail": list(entry.detail)}
        await self._sql.add(schema.news, values)

    async def remove(self, news: NewsId) -> None:
        """Removes news that were posted, or never can be."""
        await self._sql.execute(delete(schema.news).where(_news.id == news))
