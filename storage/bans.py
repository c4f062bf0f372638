"""Bans in SQL."""

from typing import Any

from sqlalchemy import bindparam, delete, select

from play.community.ban import Ban
from play.ids import GuildId, Millis, UserId
from storage import schema
from storage.identities import IdentityRepository
from storage.statements import Repository, Values

_ban = schema.ban.c
_BAN = select(schema.ban).where(_ban.guild == bindparam("guild"), _ban.user == bindparam("user"))


class BanReader(Repository):
    """Bans, as reads see them. One that is over may still be stored."""

    __slots__ = ()

    async def get(self, guild: GuildId, user: UserId) -> Ban | None:
        row = await self._sql.first(_BAN, guild=guild, user=user)
        return row and _read(row)

    async def of_server(self, guild: GuildId) -> list[Ban]:
        """Returns the bans of a server, the newest first."""
        found = select(schema.ban).where(_ban.guild == guild).order_by(_ban.at.desc(), _ban.user)
        return [_read(row) for row in await self._sql.all(found)]


class BanRepository(BanReader):
    """Bans, as a transaction writes them."""

    __slots__ = ()

    async def put(self, ban: Ban) -> None:
        """Stores a ban in place of an earlier one of the same member on the same server."""
        await self._delete(ban.guild, ban.user)
        values: Values = {"guild": ban.guild, "user": ban.user, "by": ban.by}
        values |= {"at": ban.at, "until": ban.until, "reason": ban.reason}
        await self._sql.add(schema.ban, values)

    async def remove(self, guild: GuildId, user: UserId) -> None:
        """Removes a ban, if it is there."""
        await self._delete(guild, user)
        await IdentityRepository(self._sql).drop_unneeded(user)

    async def remove_ended(self, now: Millis) -> None:
        """Removes all bans that are over."""
        ended = await self._sql.all(delete(schema.ban).where(_ban.until <= now).returning(_ban.user))
        for user in {row.user for row in ended}:
            await IdentityRepository(self._sql).drop_unneeded(user)

    async def _delete(self, guild: GuildId, user: UserId) -> None:
        await self._sql.execute(delete(schema.ban).where(_ban.guild == guild, _ban.user == user))


def _read(row: Any) -> Ban:
    return Ban(row.guild, row.user, row.by, row.at, row.until, row.reason)
