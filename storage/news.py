"""News in SQL."""

from functools import cache

from sqlalchemy import Insert, bindparam, delete, func, insert, literal, outerjoin, select, true, union

from play.community.news import LogAction, LogEntry, News, NewsId, NewsKind
from play.competitions.ladder import DuelEnd
from play.ids import Millis
from storage import schema
from storage.statements import Repository, Values

_news = schema.news.c
_release = schema.release.c
_server = schema.server.c
_home = schema.home.c
_RELEASED = select(_release.name).where(_release.name == bindparam("name"))
_PENDING = select(_news.id).order_by(_news.id).limit(bindparam("limit"))


@cache
def _tell_servers(*, in_log: bool) -> Insert:
    """Returns the statement that stores news of a `kind` at the time `now` for each server that wants them: for its log
    or else the place of its home post, or the other way round."""
    servers = outerjoin(schema.server, schema.home, _server.guild == _home.guild)
    homes = outerjoin(schema.home, schema.server, _server.guild == _home.guild)
    places = (_server.log_channel, _home.channel) if in_log else (_home.channel, _server.log_channel)
    channel, wanted = func.coalesce(*places), func.coalesce(_server.news, true())
    found = union(
        *(
            select(guild, channel).select_from(joined).where(wanted, channel.is_not(None))
            for guild, joined in ((_server.guild, servers), (_home.guild, homes))
        )
    ).subquery()
    made = bindparam("now", type_=_news.made.type)
    told = bindparam("of_kind", type_=_news.kind.type), bindparam("about", type_=_news.about.type)
    rows = select(told[0], found.c[0], found.c[1], told[1], literal(0), made)
    return insert(schema.news).from_select(["kind", "guild", "channel", "about", "place", "made"], rows)


class NewsReader(Repository):
    """News, as reads see them."""

    __slots__ = ()

    async def pending(self, limit: int) -> list[NewsId]:
        """Returns the news that wait to be posted, the oldest first."""
        return [row.id for row in await self._sql.all(_PENDING, limit=limit)]

    async def is_year_told(self, year: int) -> bool:
        """Returns whether servers were told of a year."""
        return await self._sql.first(_RELEASED, name=_year_name(year)) is not None

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

    async def add_release(self, name: str, now: Millis) -> bool:
        """Stores what is new in a release for each server that wants it, for its log, else for the place of its home
        post; returns False if that was done before."""
        return await self._add_once(name, NewsKind.RELEASE, 0, now)

    async def add_year(self, year: int, now: Millis) -> bool:
        """Stores the year in dots for each server that wants news, for the place of its home post, else for its log;
        returns False if that was done before."""
        return await self._add_once(_year_name(year), NewsKind.YEAR, year, now)

    async def _add_once(self, name: str, kind: NewsKind, about: int, now: Millis) -> bool:
        await self._sql.lock(schema.release)
        if await self._sql.first(_RELEASED, name=name) is not None:
            return False
        await self._sql.add(schema.release, {"name": name})
        told = {"now": now, "of_kind": kind.value, "about": about}
        await self._sql.execute(_tell_servers(in_log=kind is NewsKind.RELEASE), told)
        return True

    async def remove(self, news: NewsId) -> None:
        """Removes news that were posted, or never can be."""
        await self._sql.execute(delete(schema.news).where(_news.id == news))


def _year_name(year: int) -> str:
    """Returns the name of a year among those of releases, of which servers are told once."""
    return f"year {year}"
