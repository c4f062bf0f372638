"""Discord roles for the top places of a leaderboard: gives and takes them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Final

import discord

from bot.services.discord_errors import ErrorCode, describe, is_about_rights, is_final
from bot.services.locales import Locales
from play.community.role_rewards import GrantProblem, RoleGrant
from play.ids import GuildId
from use_cases.worker import RetryLater
from use_cases.workers.role_sync import MemberAbsent, RoleNotChanged

log = logging.getLogger(__name__)

TROUBLES: Final[dict[int, GrantProblem]] = {
    ErrorCode.UNKNOWN_GUILD: GrantProblem.AWAY,
    ErrorCode.MISSING_ACCESS: GrantProblem.AWAY,
    ErrorCode.UNKNOWN_ROLE: GrantProblem.ROLE,
}
"""The trouble behind Discord's error codes; any other one is a lack of permission, or a refusal of its own kind."""


class DiscordRoles:
    """Implements use_cases.workers.role_sync.RoleGateway."""

    def __init__(self, client: discord.Client, locales: Locales) -> None:
        self._client = client
        self._locales = locales

    async def give(self, guild: GuildId, grant: RoleGrant) -> None:
        """See use_cases.workers.role_sync.RoleGateway."""
        await self._change(self._client.http.add_role(guild, *grant, reason=await self._reason(guild)))

    async def take(self, guild: GuildId, grant: RoleGrant) -> None:
        """See use_cases.workers.role_sync.RoleGateway."""
        await self._change(self._client.http.remove_role(guild, *grant, reason=await self._reason(guild)))

    async def _reason(self, guild: GuildId) -> str:
        """Returns the reason for the server's audit log."""
        words = await self._locales.for_guild(guild)
        return words("rewards.reason")

    async def _change(self, change: Awaitable[None]) -> None:
        """Makes a change. Raises what the gateway of use_cases.workers.role_sync may raise, or RetryLater."""
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
