"""Time-outs of the bot itself: until they end it lacks what its roles allow, and no permission helps."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.services.members import DiscordMembers
from play.ids import GuildId, Millis, UserId
from play.refusal import Reason, Refused

log = logging.getLogger(__name__)


class OwnTimeOuts:
    """Tells whether a moderator has timed the bot out, where it lacks a permission."""

    def __init__(self, members: DiscordMembers, own_id: Callable[[], UserId]) -> None:
        self._members = members
        self._own_id = own_id

    async def end(self, guild: GuildId | None) -> Millis | None:
        """Returns until when the bot is timed out on a server; None where it is not, or Discord does not say."""
        if guild is None:
            return None
        try:
            return await self._members.end_of_time_out(guild, self._own_id())
        except Refused as away:
            log.info("whether the bot is timed out on server %d is not known: %s", guild, away)
            return None

    async def check(self, guild: GuildId | None) -> None:
        """Raises Refused (`bot_timed_out`) while the bot is timed out on a server."""
        if (end := await self.end(guild)) is not None:
            raise Refused(Reason.BOT_TIMED_OUT, until=end // 1000)
