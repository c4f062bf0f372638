"""`/settings`: the panels of a person and of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.features.settings import personal
from bot.features.settings import server as house
from bot.interactions.commands import takes_context
from bot.interactions.context import Context

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """The commands, described in `words`."""
    settings = app_commands.Group(name="settings", description=words("command.settings"))

    @settings.command(name="me", description=words("command.settings.me"))
    @takes_context
    async def me(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await personal.personal_panel(ctx))

    @settings.command(name="server", description=words("command.settings.server"))
    @takes_context
    async def server(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await house.server_panel(ctx))

    return (settings,)
