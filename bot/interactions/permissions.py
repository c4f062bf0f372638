"""Who may play where: what the server has set, and what Discord lets the bot do in a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.request import Request
from bot.services.channels import borrowed, seen_by_all
from play.ids import ChannelId, GuildId
from play.people.server import Server
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words

NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")
"""What boards cannot be posted without; in a thread `send_messages_in_threads` takes the place of `send_messages`."""

FOR_ANSWERS = ("embed_links", "attach_files")
"""What a board takes that answers somebody, on a server that the bot is not in."""

ON_SERVERS = discord.app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
BY_SERVERS = discord.app_commands.AppInstallationType(guild=True, user=False)
"""Where Discord offers what belongs to a server that the bot is in; what is left open here, the whole tree decides."""

FOR_THREADS = ("create_public_threads", "send_messages_in_threads")
"""What a match of its own thread takes besides."""


async def server(interaction: Interaction) -> Server:
    """The settings of the server that the interaction comes from; the usual ones where there is none, or the bot is
    not in it."""
    guild = installed_guild(interaction)
    if guild is None:
        return Server(GuildId(0))
    async with interaction.client.store.read() as reader:
        return await reader.server(guild)


def installed_guild(interaction: Interaction) -> GuildId | None:
    """The server that the interaction comes from; None in private, and where the bot was only brought along."""
    return None if borrowed(interaction) else Request.of(interaction).guild


async def player(interaction: Interaction) -> Server:
    """The settings of the server. Raises Refused if the person may not play in it."""
    here = await server(interaction)
    # `Member.roles` looks the ids up among the roles of a cached server, and no server is cached.
    if not here.plays_with(getattr(interaction.user, "_roles", ())):
        raise Refused(Reason.ROLE_NEEDED, roles=" ".join(f"<@&{role}>" for role in sorted(here.roles)))
    return here


async def place(interaction: Interaction, *, alone: bool) -> Server:
    """The settings of the server. Raises Refused where the person may make no challenge, or no board can be posted.

    With the bot itself one can also play `alone`, by direct message. Where the bot was only brought along, boards are
    answers to what people do: whoever plays there has to be answered for all to see.
    """
    if borrowed(interaction):
        if not seen_by_all(interaction):
            raise Refused(Reason.SEEN_BY_YOU_ALONE)
        _allowed(interaction, FOR_ANSWERS, await interaction.client.audience.alone(interaction))
        return await server(interaction)
    if interaction.guild_id is None:
        if not alone:
            raise Refused(Reason.CHALLENGE_IN_DM)
        return await server(interaction)
    here = await player(interaction)
    channel = Request.of(interaction).channel
    parent = getattr(interaction.channel, "parent_id", None) or channel
    if not here.plays_in(channel, ChannelId(parent)):
        raise Refused(Reason.CHANNEL_NOT_ALLOWED, channels=" ".join(f"<#{each}>" for each in sorted(here.channels)))
    _allowed(interaction, NEEDED, await interaction.client.audience.alone(interaction))
    return here


def home(interaction: Interaction) -> None:
    """Raises Refused on a server that the bot is not in: what belongs to a server is not there."""
    if interaction.guild_id is not None and borrowed(interaction):
        raise Refused(Reason.NOT_INSTALLED_HERE)


async def ruled(interaction: Interaction) -> Server:
    """The settings of the server. Raises Refused outside of one, and for who may not run it."""
    if Request.of(interaction).guild is None:
        raise Refused(Reason.NO_SERVER_HERE)
    home(interaction)
    if not interaction.permissions.manage_guild:
        raise Refused(Reason.NOT_YOUR_SERVER)
    return await server(interaction)


def _allowed(interaction: Interaction, permissions: tuple[str, ...], words: Words) -> None:
    if lacking := missing(interaction, permissions):
        raise Refused(Reason.CANNOT_WRITE_HERE, permissions=listed(lacking, words))


def missing(interaction: Interaction, permissions: tuple[str, ...]) -> list[str]:
    """Those of the permissions that the bot does not have where the interaction comes from."""
    may = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    names = ("send_messages_in_threads" if in_thread and name == "send_messages" else name for name in permissions)
    return [name for name in names if not getattr(may, name)]


def listed(permissions: list[str], words: Words) -> str:
    """Permissions, as Discord calls them in its settings."""
    return ", ".join(f"**{words(f'permission.{permission}')}**" for permission in permissions)
