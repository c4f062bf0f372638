"""The log of a server: entries are stored in the transaction of what they tell, and posted as news."""

from __future__ import annotations

from play.community.log import LogEntry
from play.community.news import News, NewsId, NewsKind
from play.ids import ChannelId, GuildId, Millis
from storage.unit_of_work import Transaction


async def log_entry(
    tx: Transaction, guild: GuildId, entry: LogEntry, at: Millis, about: int = 0, *, channel: ChannelId | None = None
) -> None:
    """Stores an entry to be posted in the log channel of a server, or in `channel`; nothing where there is none.

    `about` is the match, if the entry is about one.
    """
    there = channel or (await tx.servers.get(guild)).log_channel
    if there is not None:
        await tx.news.add(News(NewsId(0), NewsKind.LOGGED, guild, there, about, at, entry=entry))
