"""`/settings`: the panels of a player and of a server."""

from __future__ import annotations

from discord import app_commands

from bot.features.settings.personal import personal_panel
from bot.features.settings.server import server_panel
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from presentation.words.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """Returns the commands, described in `words`."""
    settings = app_commands.Group(name="settings", description=words("command.settings"))

    @settings.command(name="me", description=words("command.settings.me"))
    @takes_context
    async def me(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await personal_panel(ctx))

    @settings.command(name="server", description=words("command.settings.server"))
    @takes_context
    async def server(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await server_panel(ctx))

    return (settings,)
