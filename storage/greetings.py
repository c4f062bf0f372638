"""Greetings in SQL."""

from sqlalchemy import bindparam, delete, select

from play.community.greeting import Greeting
from play.ids import GuildId
from storage import schema
from storage.schema.base import UNPOSTED
from storage.statements import Repository

_greeting = schema.greeting.c
_GREETING = select(schema.greeting).where(_greeting.guild == bindparam("guild"))
_PENDING = select(_greeting.guild).where(UNPOSTED).order_by(_greeting.joined).limit(bindparam("limit"))


class GreetingReader(Repository):
    """Greetings, as reads see them."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> Greeting | None:
        """Returns the newest greeting of a server, also one that was posted."""
        row = await self._sql.first(_GREETING, guild=guild)
        return row and Greeting(row.guild, row.channel, row.joined, row.posted)

    async def pending(self, limit: int) -> list[GuildId]:
        """Returns the servers whose greetings wait to be posted, the first ones first."""
        return [row.guild for row in await self._sql.all(_PENDING, limit=limit)]


class GreetingRepository(GreetingReader):
    """Greetings, as a transaction writes them."""

    __slots__ = ()

    async def put(self, greeting: Greeting) -> None:
        """Stores the greeting of a server in place of an earlier one."""
        values = {"guild": greeting.guild, "channel": greeting.channel, "joined": greeting.joined}
        await self._sql.execute(delete(schema.greeting).where(_greeting.guild == greeting.guild))
        await self._sql.add(schema.greeting, {**values, "posted": greeting.posted})
