"""Discord roles for the top places of a leaderboard: gives and takes them, and checks which ones it can give."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Iterable
from typing import Any, Final

import discord

from bot.interactions.context import Context
from bot.request import own_id
from bot.services.discord_errors import ErrorCode, describe, is_about_rights, is_final
from bot.services.locales import Locales
from play.community.role_rewards import GrantProblem, RoleGrant
from play.ids import GuildId, RoleId
from play.refusal import Reason, Refused
from play.workers.role_sync import MemberAbsent, RoleNotChanged
from play.workers.worker import RetryLater

log = logging.getLogger(__name__)

TROUBLES: Final[dict[int, GrantProblem]] = {
    ErrorCode.UNKNOWN_GUILD: GrantProblem.AWAY,
    ErrorCode.MISSING_ACCESS: GrantProblem.AWAY,
    ErrorCode.UNKNOWN_ROLE: GrantProblem.ROLE,
}
"""The trouble behind Discord's error codes; any other one is a lack of permission, or a refusal of its own kind."""


class DiscordRoles:
    """Implements play.workers.role_sync.RoleGateway."""

    def __init__(self, client: discord.Client, locales: Locales) -> None:
        self._client = client
        self._locales = locales

    async def give(self, guild: GuildId, grant: RoleGrant) -> None:
        """See play.workers.role_sync.RoleGateway."""
        await self._change(self._client.http.add_role(guild, *grant, reason=await self._reason(guild)))

    async def take(self, guild: GuildId, grant: RoleGrant) -> None:
        """See play.workers.role_sync.RoleGateway."""
        await self._change(self._client.http.remove_role(guild, *grant, reason=await self._reason(guild)))

    async def require_givable(self, ctx: Context, roles: Iterable[RoleId]) -> None:
        """Raises Refused if the bot cannot give one of the roles.

        Its reasons are `podium_permission`, `podium_role_above` and `podium_role_fixed`.
        """
        if not ctx.interaction.app_permissions.manage_roles:
            raise Refused(Reason.PODIUM_PERMISSION)
        guild = ctx.interaction.guild_id
        assert guild is not None, "role rewards belong to a server"
        there = {int(role["id"]): role for role in await self._client.http.get_roles(guild)}
        own = (await self._client.http.get_member(guild, own_id(self._client)))["roles"]
        highest = max((_rank(there[int(role)]) for role in own if int(role) in there), default=(0, 0))
        for role in roles:
            if role == guild or (role in there and there[role]["managed"]):
                raise Refused(Reason.PODIUM_ROLE_FIXED, role=f"<@&{role}>")
            if role in there and _rank(there[role]) >= highest:
                raise Refused(Reason.PODIUM_ROLE_ABOVE, role=f"<@&{role}>")

    async def _reason(self, guild: GuildId) -> str:
        """Returns the reason for the server's audit log."""
        words = await self._locales.for_guild(guild)
        return words("rewards.reason")

    async def _change(self, change: Awaitable[None]) -> None:
        """Makes a change. Raises what the gateway of play.workers.role_sync may raise, or RetryLater."""
        try:
            await change
        except discord.HTTPException as error:
            if error.code in (ErrorCode.UNKNOWN_MEMBER, ErrorCode.UNKNOWN_USER):
                raise MemberAbsent from error
            if error.code in TROUBLES:
                raise RoleNotChanged(TROUBLES[error.code]) from error
            if is_about_rights(error):
                raise RoleNotChanged(GrantProblem.PERMISSION) from error
            log.warning("a role is not changed: %s", describe(error))
            if is_final(error):
                raise RoleNotChanged(GrantProblem.REFUSED) from error
            raise RetryLater(describe(error)) from error


def _rank(role: Any) -> tuple[int, int]:
    """Returns a key by which roles are sorted. Of two in the same position the older one is higher."""
    return role["position"], -int(role["id"])
