"""Roles on Discord for the top places of a server's leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from play.community.role_rewards import GrantProblem, RoleGrant, RoleRewards
from play.ids import GuildId, Millis, UserId


class RoleRewardReader(Protocol):
    """Role rewards, as reads see them."""

    async def get(self, guild: GuildId) -> RoleRewards | None: ...

    async def to_update(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose roles may have to change hands: places or settings have changed, or a season is
        over."""

    async def grants_in(self, guild: GuildId) -> Mapping[RoleGrant, bool]:
        """Returns the roles that were given, and (False) those that may have been: the process may have ended in
        between."""

    async def grants_of(self, user: UserId) -> list[tuple[GuildId, RoleGrant]]:
        """Returns the roles of one user on all servers, given or possibly given."""


class RoleRewardRepository(RoleRewardReader, Protocol):
    """Role rewards, as a transaction writes them. If `podium` has changed since it was read, the server is due for
    another update."""

    async def save(self, podium: RoleRewards) -> None:
        """Stores changed settings, but not their `version` and `trouble`."""

    async def mark_granting(self, podium: RoleRewards, honour: RoleGrant) -> bool:
        """Notes that a role is about to be given; returns False if settings or places have changed since they were
        read, or a player was deleted."""

    async def mark_granted(self, podium: RoleRewards, honour: RoleGrant) -> bool:
        """Notes that a role was given; returns False if the player was deleted since it was about to be."""

    async def mark_revoked(self, podium: RoleRewards, honour: RoleGrant) -> None:
        """Notes that a role was taken back."""

    async def mark_synced(
        self, podium: RoleRewards, until: Millis | None, trouble: GrantProblem | None, *, done: bool
    ) -> None:
        """Notes the result of an update: `done` until something changes, or the season is over (`until`)."""
