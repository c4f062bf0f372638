"""Which servers and channels are open: where the bot is, and what every member of a server can read."""

from __future__ import annotations

import discord

from bot.services.channel_permissions import is_as_wide
from bot.services.kept_answers import Json, KeptAnswers
from bot.services.members import PRIVATE_THREAD, DiscordMembers
from bot.services.names import MAX_SERVER_NAME
from play.ids import ChannelId, GuildId
from presentation.text import plain_name

READ = discord.Permissions(view_channel=True, read_message_history=True)
"""What members need to read a channel's older messages."""


class OpenChannels:
    """An implementation of `use_cases.public_games.Channels`, which asks Discord: no server is cached."""

    def __init__(self, answers: KeptAnswers) -> None:
        self._answers = answers
        self._members = DiscordMembers(answers)

    async def server_name(self, guild: GuildId) -> str | None:
        server = await self._answers.guild(guild)
        return None if server is None else plain_name(server["name"], MAX_SERVER_NAME)

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        every = await self._members.standing(guild, channel, None)
        return every is not None and every.may >= READ

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        if here == channel or await self.is_open(guild, channel):
            return True
        one, other = await self._channel_of(guild, here), await self._channel_of(guild, channel)
        return one is not None and other is not None and is_as_wide(other, one, READ)

    async def _channel_of(self, guild: GuildId, channel: ChannelId) -> Json | None:
        """Returns a channel of a server; of a public thread the channel that it hangs in, whose readers it has."""
        found = await self._answers.channel(channel)
        if found is not None and "thread_metadata" in found:
            found = None if found["type"] == PRIVATE_THREAD else await self._answers.channel(int(found["parent_id"]))
        return found if found is not None and found.get("guild_id") == str(guild) else None
