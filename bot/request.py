"""Who asks for something, where and when: what the use cases need to know of an interaction or a message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import discord
from discord.utils import DISCORD_EPOCH

from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, RoleId, UserId
from play.people.membership import Member
from use_cases.match_writer import InChannel

Interaction: TypeAlias = "discord.Interaction[Any]"

HANDLERS = ("CommandTree-invoker", "discord-ui-dynamic-item", "discord.py: on_")
"""How the names of discord.py's handler tasks begin; it offers no list of them."""

GUILD, USER = 0, 1
"""To whom the bot was added for an interaction, as Discord numbers it."""


def time_of(snowflake: int) -> Millis:
    """Returns when Discord made an id."""
    return Millis((snowflake >> 22) + DISCORD_EPOCH)


@dataclass(frozen=True, slots=True)
class Request:
    """The player, the place and the time of an interaction or a message.

    `key` is its id, which makes every use case idempotent; `at` is the time in that id, by the database's clock.
    `roles` and `joined` are what Discord says of the player as a member of the server.
    """

    user: UserId
    guild: GuildId | None
    channel: ChannelId
    key: IdempotencyKey
    at: Millis
    roles: frozenset[RoleId] = frozenset()
    joined: Millis | None = None

    @classmethod
    def of(cls, asked: Interaction | discord.Message, read_time: Callable[[int], Millis]) -> Request:
        """Reads a request from what Discord has sent; `read_time` reads when an id was made."""
        channel = asked.channel
        assert channel is not None, "there is no command without a channel"
        user = asked.author if isinstance(asked, discord.Message) else asked.user
        guild = getattr(channel, "guild_id", None) or (asked.guild.id if asked.guild else None)
        place = GuildId(guild) if guild else None, ChannelId(channel.id)
        # `Member.roles` looks the ids up among the roles of a cached server, and no server is cached.
        roles, joined = frozenset(map(RoleId, getattr(user, "_roles", ()))), getattr(user, "joined_at", None)
        since = Millis(int(joined.timestamp() * 1000)) if joined else None
        return cls(UserId(user.id), *place, IdempotencyKey(asked.id), read_time(asked.id), roles, since)

    @property
    def member(self) -> Member:
        """The player as a member of the server."""
        return Member(self.user, self.guild, self.roles, self.joined)

    @property
    def here(self) -> InChannel:
        """The match of the channel."""
        return InChannel(self.channel)


def needs_token(interaction: Interaction) -> bool:
    """Returns whether Discord may take answers to interactions there, and nothing else.

    So it is in a user install, and perhaps in the bot's own direct messages with a user who shares no server with it:
    no source says that.

    A player who presses a button need not have installed the bot: the owners are those of the button's message.
    """
    owners = interaction._integration_owners  # `is_user_integration` asks whether it was this very person
    return interaction.context.private_channel or (USER in owners and GUILD not in owners)


def is_user_install(interaction: Interaction) -> bool:
    """Returns whether the bot is no member of the place, and only a user's installation brings it there.

    The bot's own direct messages are its own, whichever installation Discord names there.
    """
    return needs_token(interaction) and not interaction.context.dm_channel


def can_answer_publicly(interaction: Interaction) -> bool:
    """Returns whether others can see the bot's answers: a server may keep those of user installs private."""
    return interaction.guild_id is None or interaction.permissions.use_external_apps


def own_id(client: discord.Client) -> UserId:
    """Returns the bot's own account, once it is logged in."""
    assert client.user is not None, "the bot is logged in"
    return UserId(client.user.id)
