"""Permissions: what the server has set, and what Discord lets the bot do in a channel."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import discord

from bot.interactions.context import Context
from bot.request import can_answer_publicly, is_user_install
from bot.services.guild_directory import WITH_THREADS, GuildDirectory
from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.match import Match
from play.people.career import FinishedMatch
from play.people.settings import NO_SERVER, ServerSettings
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from presentation.words.words import Words

BOARD_PERMISSIONS = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")
"""What a board needs; in a thread `send_messages_in_threads` takes the place of `send_messages`."""

ANSWER_PERMISSIONS = ("embed_links", "attach_files")
"""What a board needs that answers an interaction, on a server that the bot is not in."""

THREAD_PERMISSIONS = ("create_public_threads", "send_messages_in_threads")
"""What a game in a thread of its own needs besides."""


async def server_settings(ctx: Context) -> ServerSettings:
    """Returns the settings of the server; the default ones where there is none, or the bot is not in it."""
    guild = installed_guild(ctx)
    if guild is None:
        return NO_SERVER
    async with ctx.services.store.read() as reader:
        return await reader.servers.get(guild)


def installed_guild(ctx: Context) -> GuildId | None:
    """Returns the server of the interaction; None in private, and in a user install."""
    return None if is_user_install(ctx.interaction) else ctx.guild


async def require_player(ctx: Context) -> ServerSettings:
    """Returns the settings of the server. Raises Refused (`role_needed`) if the player may not play in it."""
    return await ctx.services.directory.require_role(await server_settings(ctx), ctx.request.roles)


async def require_place(
    directory: GuildDirectory, server: ServerSettings, channel: ChannelId, parent: ChannelId
) -> ServerSettings:
    """Returns the settings of a server. Raises Refused (`channel_not_allowed`) where no challenge may be made: in a
    channel, or in a thread that hangs in `parent`."""
    places = channel, parent
    if not server.allows_channel(*places) and not (server := await directory.existing_choices(server)).allows_channel(
        *places
    ):
        raise Refused(Reason.CHANNEL_NOT_ALLOWED, channels=" ".join(f"<#{each}>" for each in sorted(server.channels)))
    return server


async def opens_thread(ctx: Context, place: ChannelId) -> bool:
    """Returns whether a game that begins in `place`, here or in the channel of this thread, gets a thread of its own:
    the server wants that, and the bot may open one. Raises discord.HTTPException."""
    may, here = ctx.interaction.app_permissions, ctx.interaction.channel
    if is_user_install(ctx.interaction) or not (may.create_public_threads and may.send_messages_in_threads):
        return False
    if not (await server_settings(ctx)).threads:
        return False
    if place == ctx.channel:
        return here is not None and here.type in WITH_THREADS
    return discord.ChannelType((await ctx.services.channels.fetch(place))["type"]) in WITH_THREADS


async def require_playable_channel(ctx: Context, *, alone: bool) -> ServerSettings:
    """Returns the settings of the server. Raises Refused where the player may not challenge, or no board can be posted.

    A game against the computer needs no opponent, so it can be played `alone`, by direct message. In a user install
    boards answer interactions: everybody there must be able to see these answers.
    """
    if is_user_install(ctx.interaction):
        if not can_answer_publicly(ctx.interaction):
            raise Refused(Reason.SEEN_BY_YOU_ALONE)
        await require_permissions(ctx, ANSWER_PERMISSIONS)
        return await server_settings(ctx)
    if ctx.interaction.guild_id is None:
        if not alone:
            raise Refused(Reason.CHALLENGE_IN_DM)
        return await server_settings(ctx)
    await require_player(ctx)
    return await require_managed_channel(ctx)


async def require_managed_channel(ctx: Context) -> ServerSettings:
    """Returns the settings of the server. Raises Refused where no challenge may be made, or no board can be posted.

    This is for what begins there by those who host or manage it: they need none of the roles that may play.
    """
    here = await _require_place_here(ctx)
    await require_permissions(ctx, BOARD_PERMISSIONS)
    return here


async def require_place_for_strangers(ctx: Context) -> GuildId | None:
    """Returns the server in which the board of a game with a stranger is to come, or None for direct messages. Raises
    Refused, with `no_server_here` outside of both: no board comes there by itself."""
    if ctx.guild is not None:
        await require_player(ctx)
        await require_threaded_channel(ctx)
    elif is_user_install(ctx.interaction):
        raise Refused(Reason.NO_SERVER_HERE)
    return installed_guild(ctx)


async def require_threaded_channel(ctx: Context) -> ServerSettings:
    """Returns the settings of the server, as `require_managed_channel` does, for games that have threads of their own.

    Raises Refused: `no_threads_here` where no thread can be opened from a message, with any permissions, and
    `game_threads`, which names all that the bot lacks here.
    """
    here = await _require_place_here(ctx)
    if ctx.interaction.channel is None or ctx.interaction.channel.type not in WITH_THREADS:
        raise Refused(Reason.NO_THREADS_HERE)
    await require_permissions(ctx, BOARD_PERMISSIONS + THREAD_PERMISSIONS, Reason.GAME_THREADS)
    return here


async def _require_place_here(ctx: Context) -> ServerSettings:
    parent = ChannelId(getattr(ctx.interaction.channel, "parent_id", None) or ctx.channel)
    return await require_place(ctx.services.directory, await server_settings(ctx), ctx.channel, parent)


async def require_place_for(ctx: Context, players: Collection[UserId | None], seats: int) -> ChannelId:
    """Returns where a game of so many `seats` begins that a player asks for here, where they may play: see
    `use_cases.matches`. `players` are those who are known; None is anyone.

    Raises Refused (`thread_alone`, `channel_not_allowed`) if here is the thread of another game, and none can begin in
    its channel.
    """
    place = await ctx.use_cases.challenges.place(ctx.channel, players, seats)
    if place == ctx.channel:
        return place
    # A thread has the permissions of its channel.
    lacking = missing(ctx.interaction.app_permissions, BOARD_PERMISSIONS, in_thread=False)
    if is_user_install(ctx.interaction) or lacking or not ctx.interaction.permissions.send_messages:
        raise Refused(Reason.THREAD_ALONE)
    await require_place(ctx.services.directory, await server_settings(ctx), place, place)
    return place


def require_bot_installed(ctx: Context) -> None:
    """Raises Refused (`not_installed_here`) on a server that does not have the bot: nothing of a server is there."""
    if ctx.interaction.guild_id is not None and is_user_install(ctx.interaction):
        raise Refused(Reason.NOT_INSTALLED_HERE)


def require_guild(ctx: Context) -> GuildId:
    """Returns the server. Raises Refused (`no_server_here`, `not_installed_here`) outside of one with the bot."""
    if ctx.guild is None:
        raise Refused(Reason.NO_SERVER_HERE)
    require_bot_installed(ctx)
    return ctx.guild


async def load_visible_match(ctx: Context, number: MatchId) -> Match:
    """Returns a match that the player may see: their own, one of this channel, or one of a channel or thread of this
    server that they see.

    Raises Refused (`no_match`, `chat_away`).
    """
    match = await ctx.load_match(number)
    if ctx.user in match.players or match.channel == ctx.channel:
        return match
    if match.guild is None or match.guild != installed_guild(ctx) or await is_hidden(ctx, match):
        raise Refused(Reason.NO_MATCH)
    return match


async def is_hidden(ctx: Context, match: Match | FinishedMatch, *, members: bool = False) -> bool:
    """Returns whether a match is of a channel or thread that the player does not see or, if a copy is for all `members`
    of the server, of a private thread. In that place itself nothing is hidden.

    Raises Refused (`chat_away`).
    """
    if match.guild is None or match.channel == ctx.channel or (ctx.user in match.players and not members):
        return False
    rights = ctx.services.rights
    return await (rights.is_private(match.channel) if members else rights.hides(match.guild, match.channel, ctx.user))


async def require_manage_server(ctx: Context) -> ServerSettings:
    """Returns the settings of the server. Raises Refused (`no_server_here`, `not_your_server`)."""
    require_guild(ctx)
    if not manages_server(ctx):
        raise Refused(Reason.NOT_YOUR_SERVER)
    return await server_settings(ctx)


def may_host(ctx: Context) -> bool:
    """Returns whether the user may host a tournament or keep the ladder: with *Manage Messages* or *Manage Server*."""
    return ctx.interaction.permissions.manage_messages or manages_server(ctx)


def manages_server(ctx: Context) -> bool:
    """Returns whether the user has *Manage Server* where the interaction comes from."""
    return ctx.interaction.permissions.manage_guild


async def require_visible(ctx: Context, channel: ChannelId) -> None:
    """Raises Refused (`cannot_write_here`) for a channel that the bot does not see."""
    try:
        await ctx.services.channels.fetch(channel)
    except (discord.NotFound, discord.Forbidden) as error:
        lacking = permission_names(["view_channel"], await ctx.words())
        raise Refused(Reason.CANNOT_WRITE_HERE, permissions=lacking) from error


async def require_permissions(
    ctx: Context, permissions: tuple[str, ...], reason: Reason = Reason.CANNOT_WRITE_HERE
) -> None:
    """Raises Refused for permissions that the bot does not have in the interaction's channel: for a `reason` that names
    them, or (`bot_timed_out`) if a time-out takes them."""
    if lacking := missing_permissions(ctx, permissions):
        await ctx.services.time_outs.check(installed_guild(ctx))
        raise Refused(reason, permissions=permission_names(lacking, await ctx.words()))


async def describe_lack(ctx: Context, lack: str) -> str:
    """Returns the `lack` of permissions, as its sentence names it; or that the bot is timed out, where that is why."""
    end = await ctx.services.time_outs.end(installed_guild(ctx))
    if end is None:
        return lack
    words = await ctx.words()
    return f"⚠️ {words('refused.bot_timed_out', until=words.moment(end))}"


def missing_permissions(ctx: Context, permissions: tuple[str, ...]) -> list[str]:
    """Returns the permissions that the bot does not have in the interaction's channel."""
    in_thread = isinstance(ctx.interaction.channel, discord.Thread)
    return missing(ctx.interaction.app_permissions, permissions, in_thread=in_thread)


def missing(may: discord.Permissions, permissions: tuple[str, ...], *, in_thread: bool) -> list[str]:
    """Returns the permissions that one who `may` so much does not have in a channel or thread."""
    names = ("send_messages_in_threads" if in_thread and name == "send_messages" else name for name in permissions)
    return [name for name in names if not getattr(may, name)]


def permission_names(permissions: list[str], words: Words) -> str:
    """Returns permissions, as Discord calls them in its settings."""
    return ", ".join(f"**{words(f'permission.{permission}')}**" for permission in permissions)
