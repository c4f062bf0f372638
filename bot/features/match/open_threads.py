"""The threads of running games: their players are in them, and they stay open.

Discord archives a thread after a week without activity, and takes no click and no command of its players then. Activity
is a message, opening an archived thread, and a change of the time after which it is archived.

Source: https://discord.com/developers/docs/topics/threads#active--archived-threads
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import describe, is_final
from bot.services.names import Names
from play.match.match import Match

ARCHIVE_MINUTES: Final = 10080
"""Minutes without activity after which Discord archives a thread: a week, the longest that it offers."""

OTHER_MINUTES: Final = 4320
"""Another time that Discord offers: a change to it and back is activity."""

THREADS: Final = (
    discord.ChannelType.news_thread.value,
    discord.ChannelType.public_thread.value,
    discord.ChannelType.private_thread.value,
)

log = logging.getLogger(__name__)


def is_own_thread(there: Mapping[str, Any], own_id: int | None) -> bool:
    """Returns whether what Discord says of a channel is about a thread that the bot has opened."""
    return there["type"] in THREADS and there.get("owner_id") == str(own_id)


class OpenThreads:
    """Keeps threads open, and adds players to them. What Discord refuses for good is left alone."""

    def __init__(self, channels: ChannelMessenger, names: Names) -> None:
        self._channels = channels
        self._names = names

    async def add_players(self, match: Match) -> None:
        """Adds the players of a match to its thread, if the bot opened one for it; whatever fails is left alone."""
        if match.parent is None:
            return
        for user in match.players:
            if user < 0 or user == self._names.own_id:
                continue
            try:
                await self._channels.add_to_thread(match.channel, user)
            except discord.HTTPException as error:
                log.info("match %d, user %d is not in its thread: %s", match.id, user, describe(error))

    async def keep_open(self, match: Match) -> bool:
        """Opens the thread of a match, for another week without a message; returns False if Discord refuses that, or
        the thread is locked or not the bot's.

        Raises discord.HTTPException where another try may help.
        """
        if match.guild is None:
            return False
        try:
            there = await self._channels.fetch(match.channel)
            if not is_own_thread(there, self._names.own_id) or there["thread_metadata"]["locked"]:
                return False
            await self._channels.change_thread(match.channel, minutes=OTHER_MINUTES)
            await self._channels.change_thread(match.channel, minutes=ARCHIVE_MINUTES)
        except discord.HTTPException as error:
            if not is_final(error):
                raise
            log.info("match %d, thread stays as it is: %s", match.id, describe(error))
            return False
        return True
