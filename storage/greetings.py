"""Greetings in SQL."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, insert, select

from play.community.greeting import Greeting
from play.ids import GuildId
from storage import schema
from storage.schema.base import UNPOSTED
from storage.statements import SqlRepository

_greeting = schema.greeting.c
_GREETING = select(schema.greeting).where(_greeting.guild == bindparam("guild"))
_PENDING = select(_greeting.guild).where(UNPOSTED).order_by(_greeting.joined).limit(bindparam("limit"))


class SqlGreetingReader(SqlRepository):
    """A `play.store.greetings.GreetingReader`."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> Greeting | None:
        row = await self._sql.first(_GREETING, guild=guild)
        return row and Greeting(row.guild, row.channel, row.joined, row.posted)

    async def pending(self, limit: int) -> list[GuildId]:
        return [row.guild for row in await self._sql.all(_PENDING, limit=limit)]


class SqlGreetingRepository(SqlGreetingReader):
    """A `play.store.greetings.GreetingRepository`."""

    __slots__ = ()

    async def put(self, greeting: Greeting) -> None:
        values = {"guild": greeting.guild, "channel": greeting.channel, "joined": greeting.joined}
        await self._sql.execute(delete(schema.greeting).where(_greeting.guild == greeting.guild))
        await self._sql.execute(insert(schema.greeting).values(**values, posted=greeting.posted))
