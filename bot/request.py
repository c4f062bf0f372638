"""Who asks for something, where and when: what the tables need to know of an interaction or a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from discord.utils import DISCORD_EPOCH

from play.ids import ChannelId, GuildId, Millis, SourceId, UserId
from play.services.match_writer import InChannel

if TYPE_CHECKING:
    import discord

    from bot.client import Interaction


def moment(snowflake: int) -> Millis:
    """When Discord made an id."""
    return Millis((snowflake >> 22) + DISCORD_EPOCH)


@dataclass(frozen=True, slots=True)
class Request:
    """`source` is the id of the interaction or message, and `at` the time in it: Discord's clock, not ours."""

    user: UserId
    guild: GuildId | None
    channel: ChannelId
    source: SourceId

    @classmethod
    def of(cls, asked: Interaction | discord.Message) -> Request:
        channel = asked.channel
        assert channel is not None, "there is no command without a channel"
        user = asked.author if hasattr(asked, "author") else asked.user
        guild = getattr(channel, "guild_id", None) or (asked.guild.id if asked.guild else None)
        return cls(UserId(user.id), GuildId(guild) if guild else None, ChannelId(channel.id), SourceId(asked.id))

    @property
    def at(self) -> Millis:
        return moment(self.source)

    @property
    def here(self) -> InChannel:
        return InChannel(self.channel)


def link(guild: GuildId | None, channel: int, message: int | None = None) -> str:
    """The address of a channel or of a message in it."""
    path = f"{guild or '@me'}/{channel}" + (f"/{message}" if message else "")
    return f"https://discord.com/channels/{path}"
