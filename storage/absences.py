"""Absences of members in SQL: who has left a server."""

from sqlalchemy import bindparam, delete, select, update

from play.ids import GuildId, UserId
from storage import schema
from storage.statements import Repository

_absence = schema.absence.c
_ABSENT = select(_absence.user).where(_absence.guild == bindparam("guild"))
_IS_ABSENT = _ABSENT.where(_absence.user == bindparam("user"))
_RETURN = delete(schema.absence).where(_absence.guild == bindparam("of_guild"), _absence.user == bindparam("of_user"))
_OUTDATE_PODIUM = (
    update(schema.podium)
    .where(schema.podium.c.guild == bindparam("of_guild"))
    .values(version=schema.podium.c.version + 1)
)


class AbsenceReader(Repository):
    """Absences, as far as the chat was asked, as reads see them."""

    __slots__ = ()

    async def has(self, guild: GuildId, user: UserId) -> bool:
        """Returns whether a user was found to have left a server."""
        return await self._sql.first(_IS_ABSENT, guild=guild, user=user) is not None


class AbsenceRepository(AbsenceReader):
    """Absences, as a transaction writes them. Roles for top places may have to change hands by them."""

    __slots__ = ()

    async def add(self, guild: GuildId, user: UserId) -> None:
        """Notes that a user has left a server."""
        await self.remove(guild, user)
        await self._sql.add(schema.absence, {"guild": guild, "user": user})

    async def remove(self, guild: GuildId, user: UserId) -> None:
        """Notes that a user is a member of a server."""
        await self._sql.execute(_RETURN, {"of_guild": guild, "of_user": user})
        await self._sql.execute(_OUTDATE_PODIUM, {"of_guild": guild})
