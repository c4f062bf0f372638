"""`/profile`, `/history`, `/versus` and `/privacy`, and two context menus of people."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.players import histories, privacy, profiles
from bot.interactions.commands import context_menu, takes_context
from bot.interactions.context import Context
from bot.interactions.feature import Command
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.words.words import Words


def commands(words: Words) -> tuple[Command, ...]:
    """Returns the commands, described in `words`."""

    @app_commands.command(name="profile", description=words("command.profile"))
    @app_commands.describe(player=words("command.profile.player"))
    @takes_context
    async def profile(ctx: Context, player: discord.User | None = None) -> None:
        await ctx.defer_private()
        await profiles.show_profile(ctx, _subject(ctx, player))

    @app_commands.command(name="history", description=words("command.history"))
    @app_commands.describe(player=words("command.profile.player"))
    @takes_context
    async def history(ctx: Context, player: discord.User | None = None) -> None:
        await ctx.defer_private()
        await histories.show_history(ctx, _subject(ctx, player))

    @app_commands.command(name="versus", description=words("command.versus"))
    @app_commands.describe(opponent=words("command.versus.opponent"), player=words("command.profile.player"))
    @takes_context
    async def versus(ctx: Context, opponent: discord.User, player: discord.User | None = None) -> None:
        await _compare(ctx, _subject(ctx, player), _subject(ctx, opponent))

    group = app_commands.Group(name="privacy", description=words("command.privacy"))

    @group.command(name="export", description=words("command.privacy.export"))
    @takes_context
    async def export(ctx: Context) -> None:
        await ctx.defer_private()
        await privacy.send_stored_data(ctx)

    @group.command(name="delete", description=words("command.privacy.delete"))
    @takes_context
    async def delete(ctx: Context) -> None:
        await ctx.defer_private()
        await privacy.ask_to_delete(ctx)

    @context_menu(words, "profile")
    async def profile_menu(ctx: Context, player: discord.User) -> None:
        await ctx.defer_private()
        await profiles.show_profile(ctx, _subject(ctx, player))

    @context_menu(words, "versus")
    async def versus_menu(ctx: Context, opponent: discord.User) -> None:
        await _compare(ctx, ctx.user, _subject(ctx, opponent))

    return profile, history, versus, group, profile_menu, versus_menu


async def _compare(ctx: Context, one: UserId, other: UserId) -> None:
    """Shows how two people have played against each other. Raises Refused."""
    await ctx.defer_private()
    if one == other:
        raise Refused(Reason.VERSUS_ONESELF)
    await histories.show_history(ctx, one, other)


def _subject(ctx: Context, player: discord.User | None) -> UserId:
    """Returns the player that a command is about: the named one, whose name is kept, or else the user."""
    if player is None:
        return ctx.user
    ctx.services.names.remember(player, ctx.guild)
    return UserId(player.id)
