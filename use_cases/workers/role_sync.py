"""The sync of roles: gives role rewards to the players who have earned them, and takes them from all others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from play.community.role_rewards import MAX_LINES, GrantProblem, RoleGrant, RoleRewards, grants
from play.ids import GuildId, RoleId, UserId
from play.ratings.leaderboard import Leader, Scorer
from play.ratings.season import Season
from storage import Database
from use_cases.worker import RetryLater, Timing, Worker


class MemberAbsent(Exception):
    """The user is not a member of the server."""


class RoleNotChanged(Exception):
    """A role could not be given or taken."""

    def __init__(self, trouble: GrantProblem) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class RoleGateway(Protocol):
    """Roles on Discord; bot/ implements it. Both methods may be repeated. They raise Absent and Ungiven; anything else
    is tried again."""

    async def give(self, guild: GuildId, honour: RoleGrant) -> None: ...

    async def take(self, guild: GuildId, honour: RoleGrant) -> None: ...


class RoleSync(Worker[GuildId]):
    """Compares who has earned a role with who was given it, and applies the difference.

    So it sends Discord no request if nothing has changed, and every process has the same result.
    """

    def __init__(self, store: Database, gateway: RoleGateway, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._gateway = gateway

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.role_rewards.to_update(await reader.clock.now(), limit)

    async def process(self, key: GuildId) -> None:
        async with self._store.read() as reader:
            season = Season.at(await reader.clock.now())
            podium, known = await reader.role_rewards.get(key), await reader.role_rewards.grants_in(key)
            if podium is None:
                return
            lines: Sequence[Leader | Scorer]
            if podium.seasonal:
                lines = await reader.leaderboards.scorers(season, podium.pool, key, 0, MAX_LINES)
            else:
                lines = await reader.leaderboards.leaders(podium.pool, key, 0, MAX_LINES)
        due, given = grants(podium, lines), {honour for honour, given in known.items() if given}
        changes = [(self._take, honour) for honour in sorted(known.keys() - due)]
        changes += [(self._give, honour) for honour in sorted(due - given)]
        troubles: dict[RoleId, GrantProblem] = {}
        for change, honour in changes:
            if honour.role in troubles or GrantProblem.AWAY in troubles.values():
                continue
            try:
                await change(podium, honour)
            except RoleNotChanged as error:
                troubles[honour.role] = error.trouble
        again = GrantProblem.PERMISSION in troubles.values()
        trouble = GrantProblem.PERMISSION if again else next(iter(troubles.values()), None)
        async with self._store.write() as tx:
            until = season.ends if podium.seasonal else None
            await tx.role_rewards.mark_synced(podium, until, trouble, done=not again)
        if again:
            raise RetryLater("the bot may not give these roles")

    async def revoke(self, user: UserId) -> None:
        """Takes all roles from a user whom the store is about to forget. If Discord refuses, the user keeps them."""
        async with self._store.read() as reader:
            found = await reader.role_rewards.grants_of(user)
        for guild, honour in found:
            try:
                await self._gateway.take(guild, honour)
            except (MemberAbsent, RoleNotChanged):
                continue

    async def _take(self, podium: RoleRewards, honour: RoleGrant) -> None:
        try:
            await self._gateway.take(podium.guild, honour)
        except MemberAbsent:
            pass
        except RoleNotChanged as error:
            if error.trouble is not GrantProblem.ROLE:
                raise
        async with self._store.write() as tx:
            await tx.role_rewards.mark_revoked(podium, honour)

    async def _give(self, podium: RoleRewards, honour: RoleGrant) -> None:
        async with self._store.write() as tx:
            if not await tx.role_rewards.mark_granting(podium, honour):
                return  # places have changed since, or the player has been deleted; another update follows
        try:
            await self._gateway.give(podium.guild, honour)
        except MemberAbsent:
            return  # when they come back, the next change of places brings them their role
        async with self._store.write() as tx:
            is_kept = await tx.role_rewards.mark_granted(podium, honour)
        if not is_kept:
            with suppress(MemberAbsent, RoleNotChanged):
                await self._gateway.take(podium.guild, honour)
