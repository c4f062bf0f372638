"""Keepers: those who run something in a channel are told in private when the bot can post there no more."""

from __future__ import annotations

import logging

import discord

from bot.interactions.permissions import BOARD_PERMISSIONS, THREAD_PERMISSIONS, permission_names
from bot.services.direct_messages import DirectMessages
from bot.services.discord_errors import describe, is_final
from bot.services.locales import Locales
from bot.services.own_time_outs import OwnTimeOuts
from play.ids import ChannelId, GuildId, UserId, is_person
from presentation.words.words import Words
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)


class Keepers:
    """Warns the hosts of tournaments, the keepers of leagues and the managers of contests."""

    def __init__(self, direct: DirectMessages, locales: Locales, time_outs: OwnTimeOuts) -> None:
        self._direct = direct
        self._locales = locales
        self._time_outs = time_outs

    async def warn(
        self, keeper: UserId, guild: GuildId, nonce: str, key: str, closed: ChannelId | None = None, **details: str
    ) -> None:
        """Tells a keeper by the sentence of `key` that the channel is gone; or which one is `closed` to the bot, with
        the permissions that it needs, or until when it is timed out. One `nonce` makes one message.

        Does nothing for who takes no direct messages, or has deleted their data. Raises RetryLater.
        """
        if not is_person(keeper):
            return
        words = await self._locales.for_user(keeper, guild)
        content = words(key, **details) if closed is None else await self._describe(closed, guild, words, key, details)
        try:
            await self._direct.send(keeper, content=content, nonce=nonce)
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("the keeper of a channel of server %d reads nothing of it: %s", guild, describe(error))

    async def _describe(
        self, closed: ChannelId, guild: GuildId, words: Words, key: str, details: dict[str, str]
    ) -> str:
        channel, end = words.channel(closed), await self._time_outs.end(guild)
        if end is not None:
            return words("check.timed_out", channel=channel, until=words.moment(end))
        needed = permission_names([*BOARD_PERMISSIONS, *THREAD_PERMISSIONS], words)
        return words(key, channel=channel, permissions=needed, **details)
