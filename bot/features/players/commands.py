"""`/profile`, `/versus`, `/history`, `/replay` and `/export`: what somebody has played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.features.players import histories, profiles
from bot.features.records import exports
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.ids import UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None] | app_commands.Group, ...]:
    """The commands, described in `words`."""

    @app_commands.command(name="profile", description=words("command.profile"))
    @app_commands.describe(player=words("command.profile.player"))
    @takes_context
    async def profile(ctx: Context, player: discord.User | None = None) -> None:
        await ctx.defer_private()
        await profiles.show_profile(ctx, _one(ctx, player))

    @app_commands.command(name="history", description=words("command.history"))
    @app_commands.describe(player=words("command.profile.player"))
    @takes_context
    async def history(ctx: Context, player: discord.User | None = None) -> None:
        await ctx.defer_private()
        await histories.show_history(ctx, _one(ctx, player))

    @app_commands.command(name="versus", description=words("command.versus"))
    @app_commands.describe(opponent=words("command.versus.opponent"), player=words("command.profile.player"))
    @takes_context
    async def versus(ctx: Context, opponent: discord.User, player: discord.User | None = None) -> None:
        await ctx.defer_private()
        one, other = _one(ctx, player), _one(ctx, opponent)
        if one == other:
            raise Refused(Reason.VERSUS_ONESELF)
        await histories.show_history(ctx, one, other)

    @app_commands.command(name="replay", description=words("command.replay"))
    @app_commands.describe(game=words("command.replay.game"))
    @app_commands.autocomplete(game=exports.suggest_games)
    @takes_context
    async def replay(ctx: Context, game: int | None = None) -> None:
        await ctx.defer_private()
        await exports.send_gif(ctx, game)

    export = app_commands.Group(name="export", description=words("command.export"))

    @export.command(name="game", description=words("command.export.game"))
    @app_commands.describe(game=words("command.replay.game"))
    @app_commands.autocomplete(game=exports.suggest_games)
    @takes_context
    async def game(ctx: Context, game: int | None = None) -> None:
        await ctx.defer_private()
        await exports.send_sgf(ctx, game)

    @export.command(name="all", description=words("command.export.all"))
    @takes_context
    async def all_(ctx: Context) -> None:
        await ctx.defer_private()
        await exports.send_all_sgf(ctx)

    return profile, history, versus, replay, export


def _one(ctx: Context, player: discord.User | None) -> UserId:
    """Whom a command is about: whoever asks, unless he names somebody."""
    if player is None:
        return ctx.user
    ctx.services.names.remember(player, ctx.guild)
    return UserId(player.id)
