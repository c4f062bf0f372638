"""`/settings`: the panels of a player and of a server."""

from __future__ import annotations

from bot.features.settings.personal import personal_panel
from bot.features.settings.server import server_panel
from bot.interactions.commands import Group, declare
from bot.interactions.context import Context


async def me(ctx: Context) -> None:
    await ctx.show(await personal_panel(ctx))


async def server(ctx: Context) -> None:
    await ctx.show(await server_panel(ctx))


COMMANDS = (Group("settings", declare(me, server)),)
