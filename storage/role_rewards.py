"""Role rewards in SQL: what servers give, and who was given it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, delete, literal_column, select, union, update

from play.challenge.pool import Pool
from play.community.roles import GrantProblem, RoleGrant, RoleRewards
from play.ids import GuildId, Millis, UserId
from storage import schema
from storage.statements import Repository

_podium = schema.podium.c
_honour = schema.honour.c

_TO_UPDATE = union(
    select(_podium.guild).where(literal_column("shown < version")),
    select(_podium.guild).where(_podium.until <= bindparam("now")),
).limit(bindparam("limit"))


class RoleRewardReader(Repository):
    """Role rewards, as reads see them."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> RoleRewards | None:
        row = await self._sql.first(select(schema.podium).where(_podium.guild == guild))
        if row is None:
            return None
        trouble = row.trouble and GrantProblem(row.trouble)
        return RoleRewards(guild, Pool.parse(row.pool), row.seasonal, tuple(row.roles), trouble, row.version)

    async def to_update(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose roles may have to change hands: places or settings have changed, or a season is
        over."""
        return [row[0] for row in await self._sql.all(_TO_UPDATE, now=now, limit=limit)]

    async def grants_in(self, guild: GuildId) -> Mapping[RoleGrant, bool]:
        """Returns the roles that were given, and (False) those that may have been: the process may have ended in
        between."""
        rows = await self._sql.all(select(schema.honour).where(_honour.guild == guild))
        return {RoleGrant(row.user, row.role): row.given for row in rows}

    async def grants_of(self, user: UserId) -> list[tuple[GuildId, RoleGrant]]:
        """Returns the roles of one user on all servers, given or possibly given."""
        rows = await self._sql.all(select(schema.honour).where(_honour.user == user))
        return [(row.guild, RoleGrant(row.user, row.role)) for row in rows]


class RoleRewardRepository(RoleRewardReader):
    """Role rewards, as a transaction writes them. If `podium` has changed since it was read, the server is due for
    another update."""

    __slots__ = ()

    async def save(self, podium: RoleRewards) -> None:
        """Stores changed settings, but not their `version` and `trouble`."""
        values = {"pool": str(podium.pool), "seasonal": podium.seasonal, "roles": list(podium.roles), "trouble": None}
        changed = update(schema.podium).where(_podium.guild == podium.guild)
        if not (await self._sql.execute(changed.values(**values, version=_podium.version + 1))).rowcount:
            await self._sql.add(schema.podium, {**values, "guild": podium.guild, "version": 1, "shown": 0})

    async def mark_granting(self, podium: RoleRewards, honour: RoleGrant) -> bool:
        """Notes that a role is about to be given; returns False if settings or places have changed since they were
        read, or a player was deleted."""
        # The update locks the row: a deletion of the player at the same time comes before it or after it.
        as_read = _podium.guild == podium.guild, _podium.version == podium.version
        current = update(schema.podium).where(*as_read).values(version=_podium.version)
        if not (await self._sql.execute(current)).rowcount:
            return False
        noted = update(schema.honour).where(*_is_grant(podium.guild, honour)).values(given=False)
        if not (await self._sql.execute(noted)).rowcount:
            row = {"guild": podium.guild, "user": honour.user, "role": honour.role, "given": False}
            await self._sql.add(schema.honour, row)
        return True

    async def mark_granted(self, podium: RoleRewards, honour: RoleGrant) -> bool:
        """Notes that a role was given; returns False if the player was deleted since it was about to be."""
        noted = update(schema.honour).where(*_is_grant(podium.guild, honour)).values(given=True)
        await self._make_due(podium)
        return bool((await self._sql.execute(noted)).rowcount)

    async def mark_revoked(self, podium: RoleRewards, honour: RoleGrant) -> None:
        """Notes that a role was taken back."""
        await self._sql.execute(delete(schema.honour).where(*_is_grant(podium.guild, honour)))
        await self._make_due(podium)

    async def mark_synced(
        self, podium: RoleRewards, until: Millis | None, trouble: GrantProblem | None, *, done: bool
    ) -> None:
        """Notes the result of an update: `done` until something changes, or the season is over (`until`)."""
        values = {"until": until, "trouble": trouble} | ({"shown": podium.version} if done else {})
        as_read = _podium.guild == podium.guild, _podium.version == podium.version
        await self._sql.execute(update(schema.podium).where(*as_read).values(values))

    async def _make_due(self, podium: RoleRewards) -> None:
        """Makes the server due for another update if its rewards have changed, or another process has updated them."""
        changed = _podium.guild == podium.guild, _podium.version != podium.version
        await self._sql.execute(update(schema.podium).where(*changed).values(version=_podium.version + 1))


def _is_grant(guild: GuildId, honour: RoleGrant) -> tuple[Any, ...]:
    return _honour.guild == guild, _honour.user == honour.user, _honour.role == honour.role
